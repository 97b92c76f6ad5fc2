import { useQueryClient, type QueryClient } from '@tanstack/vue-query'
import { computed, ref, type ComputedRef, type Ref } from 'vue'
import { answerOf, api } from '../client/api.ts'
import { useEvents, type ComponentEvent } from '../client/events.ts'
import type { PickedRule } from './list/use-list.ts'

/** Queries that the editor refreshes rule by rule. */
const BY_RULE: readonly unknown[] = ['rows', 'rule', 'form']

/** Keeps the list and the open rule as others leave them; who did what lately. */
export function useHappenings(component: Readonly<Ref<number>>): ComputedRef<readonly ComponentEvent[]> {
  const client = useQueryClient()
  const latest = ref<readonly ComponentEvent[]>([])
  useEvents(component, (happened) => {
    latest.value = [...latest.value, ...happened].slice(-MOST)
    const rules = new Set(happened.flatMap((one) => ruleOf(one) ?? []))
    if (rules.size === 0) return happened
    // How many comments wait is said of the component, too.
    if (happened.some(({ kind }) => kind.startsWith('comment.')))
      void client.invalidateQueries({ queryKey: ['component', component.value], exact: true })
    void refresh(client, component.value, [...rules])
    return happened.filter((one) => ruleOf(one) === null || one.kind === 'rule.created')
  })
  return computed(() => latest.value)
}

const MOST = 20

function ruleOf({ data }: ComponentEvent): number | null {
  const { rule_id: rule } = data
  return typeof rule === 'number' ? rule : null
}

async function refresh(client: QueryClient, id: number, rules: readonly number[]): Promise<void> {
  void client.invalidateQueries({
    queryKey: ['component', id],
    predicate: ({ queryKey }) => !BY_RULE.includes(queryKey[2]) && queryKey.length > 2,
  })
  for (const rule of rules) void client.invalidateQueries({ queryKey: ['component', id, 'rule', rule] })
  const params = { path: { id }, query: { ids: rules.join(',') } }
  const asked = api.GET('/components/{id}/rules_picker', { params })
  const answer = await answerOf(asked).catch(() => null)
  if (answer === null) {
    // The whole list is asked for until it comes.
    await client.invalidateQueries({ queryKey: ['component', id, 'rows'] })
    return
  }
  const now = new Map(answer.rules.map((row) => [row.id, row]))
  client.setQueryData<readonly PickedRule[]>(['component', id, 'rows'], (rows) =>
    rows?.flatMap((row) => (rules.includes(row.id) ? (now.get(row.id) ?? []) : row)),
  )
}
