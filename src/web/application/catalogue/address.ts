import { computed, onScopeDispose, ref, watch, type ComputedRef, type Ref } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/** The parameter for the words that filter what a page lists; `q` belongs to the global search. */
export const FILTER = 'filter'

/** A value of the address; empty where it has none. */
export function useAddressed(name: string): ComputedRef<string> {
  const route = useRoute()
  return computed(() => [route.query[name]].flat()[0] ?? '')
}

const PAUSE = 250

/**
 * A text field that is bound to the address: the address follows after a pause, and the field follows back and forward.
 */
export function useTyped(name: string): Ref<string> {
  const route = useRoute()
  const router = useRouter()
  const addressed = useAddressed(name)
  const text = ref(addressed.value)
  let timer: ReturnType<typeof setTimeout> | undefined
  let sent = addressed.value
  watch(text, (typed) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      sent = typed
      void router.replace({ query: { ...route.query, [name]: typed === '' ? undefined : typed } })
    }, PAUSE)
  })
  watch(addressed, (value) => {
    if (value !== sent) text.value = value
    sent = value
  })
  onScopeDispose(() => {
    clearTimeout(timer)
  })
  return text
}
