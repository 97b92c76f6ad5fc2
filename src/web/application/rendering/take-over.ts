import type { QueryClient } from '@tanstack/vue-query'
import type { App } from 'vue'
import type { Router } from 'vue-router'

/** In milliseconds. After this, the application is shown with the answers that have come. */
const LONGEST = 10_000
const PAUSE = 10
/** An answer is shown a moment after it has come, and may ask for another one then. */
const QUIET_LOOKS = 2

const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex]'

interface Application {
  readonly app: App
  readonly router: Router
  readonly queryClient: QueryClient
}

/**
 * Puts the application in the place of the content that the server sent, once it shows the same: so nothing is empty
 * meanwhile, and nothing moves. What somebody has begun there goes on.
 */
export async function takeOver(served: Element, { app, router, queryClient }: Application): Promise<void> {
  const own = document.createElement('div')
  own.id = served.id
  app.mount(own)
  // The router tells the reader if the page cannot be loaded.
  await router.isReady().catch(() => null)
  await settled(queryClient)
  const handOver = begun(served, own)
  served.replaceWith(own)
  handOver()
}

async function settled(client: QueryClient): Promise<void> {
  const until = performance.now() + LONGEST
  let quiet = 0
  while (quiet < QUIET_LOOKS && performance.now() < until) {
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE)
    })
    quiet = isWaiting(client) ? 0 : quiet + 1
  }
}

/** Not for what has failed once: that may last, and a notice says so. */
function isWaiting(client: QueryClient): boolean {
  return client
    .getQueryCache()
    .getAll()
    .some(
      ({ state }) => state.status === 'pending' && state.fetchStatus === 'fetching' && state.fetchFailureCount === 0,
    )
}

/** Finds what has the focus, what is typed and what is open; returns what does the same in the application. */
function begun(served: Element, own: Element): () => void {
  const typed = pairs(served, own, 'input').filter(([from]) => from.value !== from.defaultValue)
  const opened = pairs(served, own, 'details').filter(([from, to]) => from.open !== to.open)
  const { activeElement } = document
  const focused = pairs<HTMLElement>(served, own, CONTROLS).find(([from]) => from === activeElement)?.[1]
  return () => {
    for (const [from, to] of typed) {
      to.value = from.value
      to.dispatchEvent(new Event('input', { bubbles: true }))
    }
    for (const [from, to] of opened) to.open = from.open
    focused?.focus({ preventScroll: true })
  }
}

function pairs<K extends keyof HTMLElementTagNameMap>(
  served: Element,
  own: Element,
  selector: K,
): readonly (readonly [HTMLElementTagNameMap[K], HTMLElementTagNameMap[K]])[]
function pairs<T extends Element>(served: Element, own: Element, selector: string): readonly (readonly [T, T])[]
/** Elements of both in the same order; none where the two are not the same. */
function pairs(served: Element, own: Element, selector: string): readonly (readonly [Element, Element])[] {
  const before = [...served.querySelectorAll(selector)]
  const after = [...own.querySelectorAll(selector)]
  const isSame = before.length === after.length && before.every(({ tagName }, at) => tagName === after[at]?.tagName)
  return isSame ? before.flatMap((from, at) => after.slice(at, at + 1).map((to) => [from, to] as const)) : []
}
