import { computed, onScopeDispose, ref, watch, type ComputedRef, type Ref } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** The parameter for the words that filter what a page lists; `q` belongs to the global search. */
export const FILTER = 'filter'

/** A value of the address; empty where it has none. */
export function useAddressed(name: string): ComputedRef<string> {
  const route = useRoute()
  return computed(() => [route.query[name]].flat()[0] ?? '')
}

const DEBOUNCE_MS = 250

/**
 * A text field that is bound to the address: the address follows after a pause, and the field follows back and forward.
 * While the way leads elsewhere the address waits, since to replace it would call off the other way.
 */
export function useTyped(name: string): Ref<string> {
  const route = useRoute()
  const router = useRouter()
  const addressed = useAddressed(name)
  const text = ref(addressed.value)
  let timer: ReturnType<typeof setTimeout> | undefined
  let sent = addressed.value
  const wait = (): void => {
    clearTimeout(timer)
  }
  const follow = (): void => {
    wait()
    timer = setTimeout(() => {
      sent = text.value
      void router.replace({ query: { ...route.query, [name]: text.value === '' ? undefined : text.value } })
    }, DEBOUNCE_MS)
  }
  watch(text, follow)
  watch(addressed, (value) => {
    if (value !== sent) text.value = value
    sent = value
  })
  const removers = [
    router.beforeEach(wait),
    router.afterEach(() => {
      if (text.value !== addressed.value) follow()
    }),
  ]
  onScopeDispose(() => {
    wait()
    for (const remove of removers) remove()
  })
  return text
}
