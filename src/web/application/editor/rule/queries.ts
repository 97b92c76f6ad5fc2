import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import { answerOf, api } from '../../client/api.ts'
import type { RuleForm } from './values.ts'

export type Rule = Awaited<ReturnType<typeof askRule>>

function askRule(id: number, signal: AbortSignal) {
  const params = { path: { id }, query: { histories: 'false' } } as const
  return answerOf(api.GET('/rules/{id}', { params, signal }))
}

interface RuleQuestion {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (asked: { readonly signal: AbortSignal }) => Promise<Rule>
}

/** One rule without its history. */
export function ruleQuery(component: number, id: number): RuleQuestion {
  return {
    queryKey: ['component', component, 'rule', id],
    queryFn: ({ signal }) => askRule(id, signal),
  }
}

/** How the rules of a component are written. */
export function useForm(component: Readonly<Ref<number>>): UseQueryReturnType<RuleForm, Error> {
  return useQuery({
    queryKey: computed(() => ['component', component.value, 'form']),
    queryFn: ({ signal }): Promise<RuleForm> => {
      const params = { path: { id: component.value } }
      return answerOf(api.GET('/api/components/{id}/form', { params, signal }))
    },
  })
}
