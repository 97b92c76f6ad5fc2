import { computed, ref, type ComputedRef, type Ref } from 'vue'
import { GUIDE } from '../../../../wording/guide.ts'
import { useAdviceCounts } from '../../advice/queries.ts'
import { useAddressed } from '../../catalogue/address.ts'
import { ANY_ADVICE } from './rows.ts'
import type { PickedRule } from './use-list.ts'

/** The kinds of advice that filter the list, and the state of the request for them. */
export interface AdvisedChoices {
  readonly options: readonly { readonly key: string; readonly label: string }[]
  readonly state: 'not asked' | 'asked' | 'there' | 'refused'
}

type AdvisedRow = PickedRule & { readonly advice?: Readonly<Record<string, number>> | undefined }

interface AdvisedList {
  readonly rows: ComputedRef<readonly AdvisedRow[]>
  readonly choices: ComputedRef<AdvisedChoices>
  /** Somebody looks at the filters. */
  readonly isRequested: Ref<boolean>
}

/** The rows with their number of findings, which are loaded once somebody filters by them. */
export function useAdvised(
  component: () => number,
  rows: () => readonly PickedRule[],
  isMember: () => boolean,
): AdvisedList {
  const kind = useAddressed('advice')
  const isRequested = ref(false)
  const isEnabled = computed(() => isMember() && (isRequested.value || kind.value !== ''))
  const { data, error } = useAdviceCounts(component, () => isEnabled.value)
  const counts = computed(() =>
    data.value === undefined ? null : new Map(data.value.rules.map((one) => [one.id, one.counts])),
  )
  const advised = computed((): readonly AdvisedRow[] => {
    const known = counts.value
    return known === null ? rows() : rows().map((row) => ({ ...row, advice: known.get(row.id) ?? {} }))
  })
  const state = computed((): AdvisedChoices['state'] => {
    if (!isEnabled.value) return 'not asked'
    if (counts.value !== null) return 'there'
    return error.value === null ? 'asked' : 'refused'
  })
  const choices = computed(() => ({
    options: optionsIn([...(counts.value ?? []).values()], kind.value),
    state: state.value,
  }))
  return { rows: advised, choices, isRequested }
}

/** The kinds that there are, and the chosen one. */
function optionsIn(counts: readonly Readonly<Record<string, number>>[], chosen: string): AdvisedChoices['options'] {
  const found = new Set([chosen, ...counts.flatMap((one) => Object.keys(one))])
  const kinds = Object.entries(GUIDE).filter(([code]) => found.has(code))
  return [{ key: ANY_ADVICE, label: 'Has suggestions' }, ...kinds.map(([code, says]) => ({ key: code, label: says }))]
}
