import { keepPreviousData, useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type ComputedRef, type Ref } from 'vue'
import type { components } from '#api-types'
import { FILTER, useAddressed, useTyped } from '../../catalogue/address.ts'
import { answerOf, api } from '../../client/api.ts'
import { useOpenItem, type OpenItem } from '../../parts/list/open-item.ts'
import { filterRows, nestSatisfied, findRow, sortRows, type Filter, type Row } from './rows.ts'

export type PickedRule = components['schemas']['PickRulesAnswer']['rules'][number]

/** All rules of a component, without their texts. */
export function useRows(component: Readonly<Ref<number>>): UseQueryReturnType<readonly PickedRule[], Error> {
  return useQuery({
    queryKey: computed(() => ['component', component.value, 'rows']),
    queryFn: async ({ signal }): Promise<readonly PickedRule[]> => {
      const params = { path: { id: component.value } }
      return (await answerOf(api.GET('/components/{id}/rules_picker', { params, signal }))).rules
    },
  })
}

export interface List extends OpenItem<Row> {
  /** The search text. */
  readonly text: Ref<string>
  readonly filter: ComputedRef<Filter>
  readonly sort: ComputedRef<string>
  /** The rules that pass the filter, in order. */
  readonly listed: ComputedRef<readonly Row[]>
}

/** Shorter words are in the texts of nearly every rule. */
const MIN_SEARCH_LENGTH = 3

/** The rules in whose texts, ids or CCIs the service finds the words. */
function useTextMatches(component: () => number, text: () => string): ComputedRef<ReadonlySet<number>> {
  const searchText = computed(() => (text().trim().length < MIN_SEARCH_LENGTH ? '' : text().trim()))
  const { data } = useQuery({
    queryKey: computed(() => ['component', component(), 'found', searchText.value]),
    queryFn: async ({ signal }) => {
      const params = { path: { id: component() }, query: { text: searchText.value } }
      const { rules } = await answerOf(api.GET('/components/{id}/rules_picker', { params, signal }))
      return new Set(rules.map(({ id }) => id))
    },
    enabled: computed(() => searchText.value !== ''),
    placeholderData: keepPreviousData,
    // Without this answer, the list is filtered by ids and titles.
    retry: false,
  })
  return computed(() => (searchText.value === '' ? NO_RULES : (data.value ?? NO_RULES)))
}

const NO_RULES: ReadonlySet<number> = new Set()

/** The list as the address has it filtered and sorted, and the rule that is open. */
export function useList(component: () => number, rows: Readonly<Ref<readonly Row[]>>): List {
  const text = useTyped(FILTER)
  const addressed = useAddressed(FILTER)
  const textMatches = useTextMatches(component, () => addressed.value)
  const filter = useFilter(text)
  const sort = useAddressed('sort')
  const listed = computed(() => {
    const filteredRows = filterRows(rows.value, filter.value, textMatches.value)
    return sort.value === '' ? nestSatisfied(filteredRows) : sortRows(filteredRows, sort.value)
  })
  const opened = useOpenItem(listed, {
    find: (name) => findRow(rows.value, name),
    nameOf: ({ displayed_name }) => displayed_name,
  })
  return { text, filter, sort, listed, ...opened }
}

function useFilter(text: Readonly<Ref<string>>): ComputedRef<Filter> {
  const status = useAddressed('status')
  const severity = useAddressed('severity')
  const lock = useAddressed('lock')
  const review = useAddressed('review')
  const comments = useAddressed('comments')
  const advice = useAddressed('advice')
  return computed(() => ({
    q: text.value,
    status: status.value,
    severity: severity.value,
    lock: lock.value,
    review: review.value,
    comments: comments.value,
    advice: advice.value,
  }))
}
