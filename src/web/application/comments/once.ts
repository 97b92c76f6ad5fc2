import { ref, type Ref } from 'vue'

type Work<A extends readonly unknown[]> = (...given: A) => Promise<void>

/**
 * Does one thing at a time: to press again while the first is under way, as in a double click, does nothing. The button
 * says so by `isBusy`.
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
