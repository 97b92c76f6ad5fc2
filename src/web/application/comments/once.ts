import { ref, type Ref } from 'vue'

type Work<A extends readonly unknown[]> = (...given: A) => Promise<void>

/**
 * Runs one action at a time: a second click while it is running, as in a double click, does nothing. `isBusy` is for
 * the button.
 */
export function once<A extends readonly unknown[]>(
  work: Work<A>,
): readonly [act: Work<A>, isBusy: Readonly<Ref<boolean>>] {
  const isBusy = ref(false)
  const act: Work<A> = async (...given) => {
    if (isBusy.value) return
    isBusy.value = true
    try {
      await work(...given)
    } finally {
      isBusy.value = false
    }
  }
  return [act, isBusy]
}
