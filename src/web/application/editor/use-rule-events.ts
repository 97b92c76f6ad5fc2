import { useQueryClient, type QueryClient } from '@tanstack/vue-query'
import { computed, ref, type ComputedRef, type Ref } from 'vue'
import { answerOf, api } from '../client/api.ts'
import { useEvents, type ComponentEvent } from '../client/events.ts'
import type { PickedRule } from './list/use-list.ts'

/** Queries that the editor refreshes rule by rule. */
const UPDATED_BY_RULE: readonly unknown[] = ['rows', 'rule', 'form']

/** Updates the list and the open rule after changes by others; returns the latest events. */
export function useRuleEvents(component: Readonly<Ref<number>>): ComputedRef<readonly ComponentEvent[]> {
  const client = useQueryClient()
  const latest = ref<readonly ComponentEvent[]>([])
  useEvents(component, (events) => {
    latest.value = [...latest.value, ...events].slice(-MAX_EVENTS)
    const rules = new Set(events.flatMap((event) => ruleIdOf(event) ?? []))
    if (rules.size === 0) return events
    // The component has the number of open comments, too.
    if (events.some(({ kind }) => kind.startsWith('comment.')))
      void client.invalidateQueries({ queryKey: ['component', component.value], exact: true })
    void refresh(client, component.value, [...rules])
    return events.filter((event) => ruleIdOf(event) === null || event.kind === 'rule.created')
  })
  return computed(() => latest.value)
}

const MAX_EVENTS = 20

function ruleIdOf({ data }: ComponentEvent): number | null {
  const { rule_id: rule } = data
  return typeof rule === 'number' ? rule : null
}

async function refresh(client: QueryClient, id: number, rules: readonly number[]): Promise<void> {
  void client.invalidateQueries({
    queryKey: ['component', id],
    predicate: ({ queryKey }) => !UPDATED_BY_RULE.includes(queryKey[2]) && queryKey.length > 2,
  })
  for (const rule of rules) void client.invalidateQueries({ queryKey: ['component', id, 'rule', rule] })
  const params = { path: { id }, query: { ids: rules.join(',') } }
  const request = api.GET('/components/{id}/rules_picker', { params })
  const answer = await answerOf(request).catch(() => null)
  if (answer === null) {
    // Reloads the whole list, with retries.
    await client.invalidateQueries({ queryKey: ['component', id, 'rows'] })
    return
  }
  const rowsById = new Map(answer.rules.map((row) => [row.id, row]))
  client.setQueryData<readonly PickedRule[]>(['component', id, 'rows'], (rows) =>
    rows?.flatMap((row) => (rules.includes(row.id) ? (rowsById.get(row.id) ?? []) : row)),
  )
}
