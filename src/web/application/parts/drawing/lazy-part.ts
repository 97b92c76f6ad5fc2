import { defineAsyncComponent, type Component } from 'vue'

let loading = 0

/** A part of a page that is loaded when it is first shown. The first content of a page waits for it. */
export function lazyPart<T extends Component>(load: () => Promise<{ readonly default: T }>): T {
  return defineAsyncComponent(async () => {
    loading += 1
    try {
      return await load()
    } finally {
      loading -= 1
    }
  })
}

/** Whether a part that is shown is still being loaded. */
export function isLoadingParts(): boolean {
  return loading > 0
}
