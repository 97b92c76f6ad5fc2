import { computed, ref, type ComputedRef, type Ref } from 'vue'
import { GUIDE } from '../../../../wording/guide.ts'
import { useAdviceCounts } from '../../advice/queries.ts'
import { useAddressed } from '../../catalogue/address.ts'
import { ANY_ADVICE } from './rows.ts'
import type { PickedRule } from './use-list.ts'

/** The kinds of advice that filter the list, and the state of the request for them. */
export interface AdviceOptions {
  readonly options: readonly { readonly key: string; readonly label: string }[]
  readonly state: 'not requested' | 'loading' | 'loaded' | 'failed'
}

type RowWithAdvice = PickedRule & { readonly advice?: Readonly<Record<string, number>> | undefined }

interface AdviceFilter {
  readonly rows: ComputedRef<readonly RowWithAdvice[]>
  readonly choices: ComputedRef<AdviceOptions>
  /** Set when the filters are opened. */
  readonly isRequested: Ref<boolean>
}

/** The rows with their number of findings, which are loaded once somebody filters by them. */
export function useAdviceFilter(
  component: () => number,
  rows: () => readonly PickedRule[],
  isMember: () => boolean,
): AdviceFilter {
  const kind = useAddressed('advice')
  const isRequested = ref(false)
  const isNeeded = computed(() => isMember() && (isRequested.value || kind.value !== ''))
  const { data, error } = useAdviceCounts(component, () => isNeeded.value)
  const counts = computed(() =>
    data.value === undefined ? null : new Map(data.value.rules.map((rule) => [rule.id, rule.counts])),
  )
  const rowsWithCounts = computed((): readonly RowWithAdvice[] => {
    const byRule = counts.value
    return byRule === null ? rows() : rows().map((row) => ({ ...row, advice: byRule.get(row.id) ?? {} }))
  })
  const state = computed((): AdviceOptions['state'] => {
    if (!isNeeded.value) return 'not requested'
    if (counts.value !== null) return 'loaded'
    return error.value === null ? 'loading' : 'failed'
  })
  const choices = computed(() => ({
    options: optionsIn([...(counts.value ?? []).values()], kind.value),
    state: state.value,
  }))
  return { rows: rowsWithCounts, choices, isRequested }
}

/** Options for the kinds of suggestions in the component, and for the chosen kind. */
function optionsIn(counts: readonly Readonly<Record<string, number>>[], chosen: string): AdviceOptions['options'] {
  const codes = new Set([chosen, ...counts.flatMap((ruleCounts) => Object.keys(ruleCounts))])
  const kinds = Object.entries(GUIDE).filter(([code]) => codes.has(code))
  return [{ key: ANY_ADVICE, label: 'Has suggestions' }, ...kinds.map(([code, label]) => ({ key: code, label }))]
}
