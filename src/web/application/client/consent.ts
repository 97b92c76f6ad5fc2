import { shallowRef } from 'vue'

/** Settles once the terms of use are accepted; null while nobody has to. */
interface TermsRequest {
  readonly accepted: () => void
}

/** The request that waits for the dialog with the terms of use. */
export const pendingTerms = shallowRef<TermsRequest | null>(null)

let waiting: Promise<void> | null = null

/** Resolves once the terms are accepted; other requests meanwhile wait for the same answer. */
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
