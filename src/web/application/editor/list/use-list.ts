import { keepPreviousData, useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type ComputedRef, type Ref } from 'vue'
import type { components } from '#api-types'
import { FILTER, useAddressed, useTyped } from '../../catalogue/address.ts'
import { answerOf, api } from '../../client/api.ts'
import { useOpenItem, type OpenItem } from '../../parts/list/open-item.ts'
import { filtered, nested, rowNamed, sorted, type Filter, type Row } from './rows.ts'

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
const SHORTEST = 3

/** The rules in whose texts, ids or CCIs the service finds the words. */
function useFound(component: () => number, text: () => string): ComputedRef<ReadonlySet<number>> {
  const words = computed(() => (text().trim().length < SHORTEST ? '' : text().trim()))
  const { data } = useQuery({
    queryKey: computed(() => ['component', component(), 'found', words.value]),
    queryFn: async ({ signal }) => {
      const params = { path: { id: component() }, query: { text: words.value } }
      const { rules } = await answerOf(api.GET('/components/{id}/rules_picker', { params, signal }))
      return new Set(rules.map(({ id }) => id))
    },
    enabled: computed(() => words.value !== ''),
    placeholderData: keepPreviousData,
    // The list is filtered by what it has itself all the same.
    retry: false,
  })
  return computed(() => (words.value === '' ? NONE : (data.value ?? NONE)))
}

const NONE: ReadonlySet<number> = new Set()

/** The list as the address has it filtered and sorted, and the rule that is open. */
export function useList(component: () => number, rows: Readonly<Ref<readonly Row[]>>): List {
  const text = useTyped(FILTER)
  const addressed = useAddressed(FILTER)
  const found = useFound(component, () => addressed.value)
  const filter = useFilter(text)
  const sort = useAddressed('sort')
  const listed = computed(() => {
    const all = filtered(rows.value, filter.value, found.value)
    return sort.value === '' ? nested(all) : sorted(all, sort.value)
  })
  const opened = useOpenItem(listed, {
    find: (name) => rowNamed(rows.value, name),
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
