import { shallowRef } from 'vue'

/** Settles when the terms of use are accepted; null if they need not be accepted. */
interface TermsRequest {
  readonly accepted: () => void
}

/** The request that waits for the dialog with the terms of use. */
export const pendingTerms = shallowRef<TermsRequest | null>(null)

let waiting: Promise<void> | null = null

/** Resolves when the terms are accepted; other requests wait for the same promise. */
export function acceptTerms(): Promise<void> {
  waiting ??= new Promise<void>((resolve) => {
    pendingTerms.value = {
      accepted: () => {
        pendingTerms.value = null
        waiting = null
        resolve()
      },
    }
  })
  return waiting
}
