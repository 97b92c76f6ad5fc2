import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { ruleRole } from '../access/component-access.ts'
import { findRuleCcis, ruleCcis } from '../rules/ccis.ts'

/** The CCIs of a rule, and their faults. */
export function ruleCcisEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/rules/{id}/ccis',
    operation: 'getRuleCcis',
    tag: 'Rules',
    summary: 'The CCIs of a rule with their definitions and controls, and what is wrong with them',
    access: ruleRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: ruleCcis,
    handle: ({ grant: { ruleId } }) => findRuleCcis(database.read, ruleId),
  })
}
