import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { id, idParams, requiredText } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole, ruleRole } from '../access/component-access.ts'
import { AdviceCache } from './advice-cache.ts'
import {
  adviceCounts,
  componentAdvice,
  findAdviceCounts,
  findComponentAdvice,
  findRuleAdvice,
  ruleAdvice,
} from './answers.ts'
import { adviceCode, REASON_LIMIT, switchAdvice } from './disabled-advice.ts'

const TAG = 'Advice'

type AdviceParts = Parts & { readonly cache: AdviceCache }

/** Advice on the words of rules. It never prevents saving, and authors can turn it off for a rule, with a reason. */
export function adviceEndpoints(parts: Parts): readonly Endpoint[] {
  const withCache = { ...parts, cache: new AdviceCache() }
  return [
    ofRule(withCache),
    ofComponent(withCache),
    countsOfComponent(withCache),
    turnOff(withCache),
    turnOn(withCache),
  ]
}

function ofRule({ database, cache }: AdviceParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/rules/{id}/advice',
    operation: 'getRuleAdvice',
    tag: TAG,
    summary: "Findings in the texts of a rule, by DISA's process guide",
    access: ruleRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: ruleAdvice,
    handle: ({ grant }) => findRuleAdvice(database.read, cache, grant),
  })
}

function ofComponent({ database, cache }: AdviceParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/advice.json',
    operation: 'getComponentAdvice',
    tag: TAG,
    summary: "Findings in the texts of all rules of a component, by DISA's process guide",
    access: componentRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: componentAdvice,
    handle: ({ grant }) => findComponentAdvice(database.read, cache, grant),
  })
}

function countsOfComponent({ database, cache }: AdviceParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/advice_counts.json',
    operation: 'getComponentAdviceCounts',
    tag: TAG,
    summary: 'Number of findings in each rule of a component, by code',
    access: componentRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: adviceCounts,
    handle: ({ grant }) => findAdviceCounts(database.read, cache, grant),
  })
}

const adviceParams = z.object({ id, code: adviceCode })
const NOT_SWITCHED = 'Could not turn the advice on or off.'

function turnOff({ database, cache }: AdviceParts): Endpoint {
  return endpoint({
    method: 'put',
    path: '/rules/{id}/advice/{code}',
    operation: 'turnAdviceOff',
    tag: TAG,
    summary: 'Turn one kind of advice off for a rule, with a reason that other authors see',
    access: ruleRole(database, 'author', { unreleased: true }),
    failure: NOT_SWITCHED,
    input: z.object({
      params: adviceParams,
      body: z.object({ reason: requiredText('Reason', { max: REASON_LIMIT }) }),
    }),
    answer: ruleAdvice,
    handle: async ({ grant, input: { params, body } }) => {
      const { caller, ruleId } = grant
      const { code } = params
      await database.transact((writer) => switchAdvice(writer, { caller, ruleId, code, reason: body.reason }))
      return findRuleAdvice(database.read, cache, grant)
    },
  })
}

function turnOn({ database, cache }: AdviceParts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/rules/{id}/advice/{code}',
    operation: 'turnAdviceOn',
    tag: TAG,
    summary: 'Turn one kind of advice on again for a rule',
    access: ruleRole(database, 'author', { unreleased: true }),
    failure: NOT_SWITCHED,
    input: z.object({ params: adviceParams }),
    answer: ruleAdvice,
    handle: async ({ grant, input: { params } }) => {
      const { caller, ruleId } = grant
      const { code } = params
      await database.transact((writer) => switchAdvice(writer, { caller, ruleId, code, reason: null }))
      return findRuleAdvice(database.read, cache, grant)
    },
  })
}
