import { useQuery, useQueryClient, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import { answerOf, api } from '../../client/api.ts'
import type { RuleForm } from './values.ts'

export type Rule = Awaited<ReturnType<typeof fetchRule>>

function fetchRule(id: number, signal: AbortSignal) {
  const params = { path: { id }, query: { histories: 'false' } } as const
  return answerOf(api.GET('/rules/{id}', { params, signal }))
}

interface RuleQueryOptions {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Rule>
}

/** One rule without its history. */
export function ruleQuery(component: number, id: number): RuleQueryOptions {
  return {
    queryKey: ['component', component, 'rule', id],
    queryFn: ({ signal }) => fetchRule(id, signal),
  }
}

/**
 * Loads the rule in the address of the page and stores it as the answer to `ruleQuery`, before the list with its number
 * is loaded. If the rule is not found, the list reports it.
 */
export function useNamedRule(
  component: Readonly<Ref<number>>,
  { name, mayOpen }: { readonly name: string; readonly mayOpen: Readonly<Ref<boolean>> },
): UseQueryReturnType<number, Error> {
  const queries = useQueryClient()
  return useQuery({
    queryKey: computed(() => ['named-rule', component.value, name]),
    queryFn: async ({ signal }) => {
      const params = { path: { id: component.value, name }, query: { histories: 'false' } } as const
      const rule: Rule = await answerOf(api.GET('/components/{id}/rules/named/{name}', { params, signal }))
      queries.setQueryData(ruleQuery(component.value, rule.id).queryKey, rule)
      return rule.id
    },
    enabled: computed(() => name !== '' && mayOpen.value),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useForm(component: Readonly<Ref<number>>): UseQueryReturnType<RuleForm, Error> {
  return useQuery({
    queryKey: computed(() => ['component', component.value, 'form']),
    queryFn: ({ signal }): Promise<RuleForm> => {
      const params = { path: { id: component.value } }
      return answerOf(api.GET('/api/components/{id}/form', { params, signal }))
    },
  })
}
