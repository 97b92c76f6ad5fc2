import { computed, onScopeDispose, ref, watch, type ComputedRef, type Ref, type WritableComputedRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** The parameter for the words that filter a list; `q` is the query of the global search. */
export const FILTER = 'filter'

/** A parameter of the address; empty without a value. */
export function useAddressed(name: string): ComputedRef<string> {
  const route = useRoute()
  return computed(() => [route.query[name]].flat()[0] ?? '')
}

/** A parameter of the address that a control changes. Without it, it has its usual value. */
export function useChoice(name: string, usual = ''): WritableComputedRef<string> {
  const route = useRoute()
  const router = useRouter()
  const addressed = useAddressed(name)
  return computed({
    get: () => addressed.value || usual,
    set: (value) => {
      void router.replace({ query: { ...route.query, [name]: value === usual ? undefined : value } })
    },
  })
}

const DEBOUNCE_MS = 250

/**
 * A text field that is bound to the address: the address changes after a pause, and the field follows when the reader
 * goes back or forward. During a navigation the address does not change, because that would cancel the navigation.
 */
export function useTyped(name: string): Ref<string> {
  const route = useRoute()
  const router = useRouter()
  const addressed = useAddressed(name)
  const text = ref(addressed.value)
  let timer: ReturnType<typeof setTimeout> | undefined
  let sent = addressed.value
  const cancelTimer = (): void => {
    clearTimeout(timer)
  }
  const updateAddressSoon = (): void => {
    cancelTimer()
    timer = setTimeout(() => {
      sent = text.value
      void router.replace({ query: { ...route.query, [name]: text.value === '' ? undefined : text.value } })
    }, DEBOUNCE_MS)
  }
  watch(text, updateAddressSoon)
  watch(addressed, (value) => {
    if (value !== sent) text.value = value
    sent = value
  })
  const removers = [
    router.beforeEach(cancelTimer),
    router.afterEach(() => {
      if (text.value !== addressed.value) updateAddressSoon()
    }),
  ]
  onScopeDispose(() => {
    cancelTimer()
    for (const remove of removers) remove()
  })
  return text
}
