import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { isStorable } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { citingBenchmarks, findCitingRules } from './citing-rules.ts'

const LONGEST = 200

/** Lists the rules of each product's newest release for one requirement, and the SRG that has it. */
export function requirementEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/requirements/{requirement}/rules',
    operation: 'listRequirementRules',
    tag: 'Catalogue',
    summary: 'The rules of all products that meet a requirement, and the requirement itself',
    access: everyone,
    open: true,
    revalidates: true,
    input: z.object({
      params: z.object({
        requirement: z.string().max(LONGEST).refine(isStorable, 'has characters that ids cannot have').meta({
          description: 'The id that an SRG gives it',
          example: 'SRG-OS-000480-GPOS-00227',
        }),
      }),
    }),
    answer: z.object({ requirement: z.string(), benchmarks: citingBenchmarks }),
    handle: async ({ input: { params } }) => {
      const { requirement } = params
      // Rules of STIGs name the requirement in the title of their group; in an SRG it is the version of the rule.
      const benchmarks = await findCitingRules(database.read, (is) =>
        is.or([is('group_title', '=', requirement), is('version', '=', requirement)]),
      )
      return { requirement, benchmarks }
    },
  })
}
