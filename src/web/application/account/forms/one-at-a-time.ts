import { ref, shallowRef, type Ref, type ShallowRef } from 'vue'
import { problemOf } from '../../client/problem.ts'

export interface OneAtATime {
  readonly error: ShallowRef<unknown>
  /** The sentence of the error; the work may set another message. */
  readonly message: Ref<string>
  readonly isBusy: Ref<boolean>
  readonly during: (work: () => Promise<void>) => Promise<void>
}

/**
 * Runs work unless other work is running: a second click, as in a double click, does nothing. Keeps the error, to be
 * shown. If somebody else was first (409), the answers can be refreshed.
 */
export function useOneAtATime(refresh?: () => Promise<void>): OneAtATime {
  const error = shallowRef<unknown>(null)
  const message = ref('')
  const isBusy = ref(false)

  async function during(work: () => Promise<void>): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    error.value = null
    message.value = ''
    try {
      await work()
    } catch (refusal) {
      error.value = refusal
      message.value = problemOf(refusal).message
      if (problemOf(refusal).status === 409) await refresh?.()
    } finally {
      isBusy.value = false
    }
  }

  return { error, message, isBusy, during }
}
