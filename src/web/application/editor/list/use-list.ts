import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type ComputedRef, type Ref } from 'vue'
import { useRoute, useRouter, type LocationQueryRaw, type RouteLocationRaw } from 'vue-router'
import { useAddressed, useTyped } from '../../catalogue/address.ts'
import { answerOf, api } from '../../client/api.ts'
import { filtered, rowNamed, sorted, type Filter, type Row } from './rows.ts'
import type { components } from '#api-types'

export type ListedRule = components['schemas']['PickRulesAnswer']['rules'][number]

/** All rules of a component, without their texts. */
export function useRows(
  component: Readonly<Ref<number>>,
): UseQueryReturnType<readonly ListedRule[], Error> {
  return useQuery({
    queryKey: computed(() => ['component', component.value, 'rows']),
    queryFn: async ({ signal }): Promise<readonly ListedRule[]> => {
      const params = { path: { id: component.value } }
      return (await answerOf(api.GET('/components/{id}/rules_picker', { params, signal }))).rules
    },
  })
}

export interface List {
  /** What is typed to look for. */
  readonly text: Ref<string>
  readonly filter: ComputedRef<Filter>
  readonly sort: ComputedRef<string>
  /** Those that the filter lets through, in order. */
  readonly listed: ComputedRef<readonly Row[]>
  /** What the address names as open; empty where it names nothing. */
  readonly name: ComputedRef<string>
  readonly open: ComputedRef<Row | null>
  /** Its place in the list; -1 where it is not in it. */
  readonly at: ComputedRef<number>
  readonly linkTo: (row: Row | null) => RouteLocationRaw
  /** Opens the one so many places further down. */
  readonly step: (by: number) => Promise<void>
}

/** The list as the address has it filtered and sorted, and the rule that is open. */
export function useList(rows: Readonly<Ref<readonly Row[]>>): List {
  const route = useRoute()
  const router = useRouter()
  const text = useTyped('q')
  const filter = useFilter(text)
  const sort = useAddressed('sort')
  const listed = computed(() => sorted(filtered(rows.value, filter.value), sort.value))
  const name = useAddressed('rule')
  const open = computed(() => rowNamed(rows.value, name.value))
  const at = computed(() => (open.value === null ? -1 : listed.value.indexOf(open.value)))
  const queryOf = (row: Row | null): LocationQueryRaw => ({
    ...route.query,
    rule: row?.displayed_name,
  })
  const step = async (by: number): Promise<void> => {
    const next = listed.value[open.value === null ? 0 : at.value + by]
    if (next !== undefined)
      await router.push({ query: queryOf(next), replace: open.value !== null })
  }
  const linkTo = (row: Row | null): RouteLocationRaw => ({ query: queryOf(row) })
  return { text, filter, sort, listed, name, open, at, linkTo, step }
}

function useFilter(text: Readonly<Ref<string>>): ComputedRef<Filter> {
  const status = useAddressed('status')
  const severity = useAddressed('severity')
  const lock = useAddressed('lock')
  const review = useAddressed('review')
  const comments = useAddressed('comments')
  return computed(() => ({
    q: text.value,
    status: status.value,
    severity: severity.value,
    lock: lock.value,
    review: review.value,
    comments: comments.value,
  }))
}
