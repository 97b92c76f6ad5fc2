import { ref, shallowRef, type Ref, type ShallowRef } from 'vue'

export interface OneAtATime {
  readonly error: ShallowRef<unknown>
  readonly isBusy: Ref<boolean>
  readonly during: (work: () => Promise<void>) => Promise<void>
}

/** Runs work unless other work is running. Keeps the error, to be shown. */
export function useOneAtATime(): OneAtATime {
  const error = shallowRef<unknown>(null)
  const isBusy = ref(false)

  async function during(work: () => Promise<void>): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    error.value = null
    try {
      await work()
    } catch (refusal) {
      error.value = refusal
    } finally {
      isBusy.value = false
    }
  }

  return { error, isBusy, during }
}
