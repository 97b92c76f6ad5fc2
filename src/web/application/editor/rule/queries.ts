import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
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

export function useForm(component: Readonly<Ref<number>>): UseQueryReturnType<RuleForm, Error> {
  return useQuery({
    queryKey: computed(() => ['component', component.value, 'form']),
    queryFn: ({ signal }): Promise<RuleForm> => {
      const params = { path: { id: component.value } }
      return answerOf(api.GET('/api/components/{id}/form', { params, signal }))
    },
  })
}
