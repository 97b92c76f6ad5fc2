import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { isStorable } from '../../../../http/input.ts'
import { COMMON_PARTS } from '../../open/input.ts'
import { requireAttackGuidance, type AttackSources } from './attack-guidance.ts'
import { attackGuidanceSchema } from './schemas.ts'

/** The rules that apply to an attack, found by the techniques that counter it. */
export function attackGuidanceEndpoint(sources: AttackSources): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/attack/{id}/guidance.json',
    operation: 'getAttackGuidance',
    summary: 'The techniques that counter an attack, their CCIs, and the rules of each product that cite these',
    input: z.object({ params: z.object({ id: z.string().max(100).refine(isStorable).meta({ example: 'T1110' }) }) }),
    answer: attackGuidanceSchema,
    refusals: ['no_release', 'subject_not_found'],
    handle: ({ input: { params } }) => requireAttackGuidance(sources, params.id),
  })
}
