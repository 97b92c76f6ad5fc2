import { computed, type ComputedRef, type Ref } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { FILTER, useAddressed, useTyped } from '../../catalogue/address.ts'
import { wordsOf } from '../../catalogue/words-of.ts'

interface ColumnChoices<N extends string> {
  /** The text of the filter. */
  readonly filter: Ref<string>
  readonly words: ComputedRef<readonly string[]>
  /** The number that is shown with each cell. */
  readonly number: ComputedRef<N | 'none'>
  readonly isOn: (toggle: ColumnToggle) => boolean
  readonly chooseNumber: (number: string) => Promise<void>
  readonly switchToggle: (toggle: ColumnToggle) => Promise<void>
}

/** Parts of the matrix that can be shown or hidden: the ids of cells, their sub-techniques, cells without related rules. */
export type ColumnToggle = 'ids' | 'sub' | 'linked'

/** The value in the address of what is not so by default, and whether the toggle is on then. */
const VALUES: Readonly<Record<ColumnToggle, { readonly value: string; readonly isOn: boolean }>> = {
  ids: { value: 'none', isOn: false },
  sub: { value: 'all', isOn: true },
  linked: { value: 'only', isOn: true },
}

/**
 * The display options of the columns, which are kept in the address. `numbers`: the numbers that cells can show; the
 * first is the default.
 */
export function useColumnChoices<const N extends string>(numbers: readonly [N, ...N[]]): ColumnChoices<N> {
  const route = useRoute()
  const router = useRouter()
  const filter = useTyped(FILTER)
  const addressed = { ids: useAddressed('ids'), sub: useAddressed('sub'), linked: useAddressed('linked') }
  const number = useAddressed('number')
  const change = async (changed: Readonly<Record<string, string | undefined>>): Promise<void> => {
    await router.replace({ query: { ...route.query, ...changed } })
  }
  return {
    filter,
    words: computed(() => wordsOf(filter.value)),
    number: computed(() =>
      number.value === 'none' ? 'none' : (numbers.find((option) => option === number.value) ?? numbers[0]),
    ),
    isOn: (toggle) => (addressed[toggle].value === VALUES[toggle].value) === VALUES[toggle].isOn,
    chooseNumber: (chosen) => change({ number: chosen === numbers[0] ? undefined : chosen }),
    switchToggle: (toggle) =>
      change({ [toggle]: addressed[toggle].value === VALUES[toggle].value ? undefined : VALUES[toggle].value }),
  }
}
