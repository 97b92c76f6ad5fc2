import { useMutation, useQueryClient, type UseMutationReturnType } from '@tanstack/vue-query'
import type { components } from '#api-types'
import { GUIDE, type GuideCode } from '../../../wording/guide.ts'
import { answerOf, api } from '../client/api.ts'
import { adviceKey } from '../editor/advice/use-advice.ts'
import { allAdviceKey } from './queries.ts'

type RuleAdvice = components['schemas']['GetRuleAdviceAnswer']

interface AdviceSwitch {
  readonly rule: number
  readonly code: string
  /** Null to turn it on again. */
  readonly reason: string | null
}

/** Turns one kind of advice off for a rule, with a reason, or on again. */
export function useTurning(component: () => number): UseMutationReturnType<RuleAdvice, Error, AdviceSwitch, unknown> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ rule: id, code: name, reason }: AdviceSwitch) => {
      const code = codeOf(name)
      if (code === undefined) throw new Error(`There is no advice ${name}.`)
      const params = { path: { id, code } }
      return answerOf(
        reason === null
          ? api.DELETE('/rules/{id}/advice/{code}', { params })
          : api.PUT('/rules/{id}/advice/{code}', { params, body: { reason } }),
      )
    },
    onSuccess: (answer, { rule }) => {
      client.setQueryData(adviceKey(component(), rule), answer)
      return client.invalidateQueries({ queryKey: allAdviceKey(component()) })
    },
  })
}

function codeOf(name: string): GuideCode | undefined {
  return Object.keys(GUIDE).find((code): code is GuideCode => code in GUIDE && code === name)
}
