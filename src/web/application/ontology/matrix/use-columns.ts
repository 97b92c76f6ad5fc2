import { computed, type ComputedRef, type Ref } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { FILTER, useAddressed, useTyped } from '../../catalogue/address.ts'
import { wordsOf } from '../../catalogue/words-of.ts'

interface ColumnChoices {
  /** The text of the filter. */
  readonly filter: Ref<string>
  readonly words: ComputedRef<readonly string[]>
  readonly withBelow: ComputedRef<boolean>
  readonly withNumber: ComputedRef<boolean>
  readonly toggleBelow: () => Promise<void>
  readonly toggleNumber: () => Promise<void>
}

/** The choices of somebody who looks at columns; the address has them. */
export function useColumnChoices(): ColumnChoices {
  const route = useRoute()
  const router = useRouter()
  const filter = useTyped(FILTER)
  const sub = useAddressed('sub')
  const number = useAddressed('number')
  const withBelow = computed(() => sub.value === 'all')
  const withNumber = computed(() => number.value !== 'none')
  const change = async (changed: Readonly<Record<string, string | undefined>>): Promise<void> => {
    await router.replace({ query: { ...route.query, ...changed } })
  }
  return {
    filter,
    words: computed(() => wordsOf(filter.value)),
    withBelow,
    withNumber,
    toggleBelow: () => change({ sub: withBelow.value ? undefined : 'all' }),
    toggleNumber: () => change({ number: withNumber.value ? 'none' : undefined }),
  }
}
