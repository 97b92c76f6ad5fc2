import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { isStorable } from '../../../http/input.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { citingBenchmarks, findCitingRules } from './citing-rules.ts'
import { latestOf, listReleases } from './releases.ts'

const MAX_ID_LENGTH = 200

const COMMON_PARTS = {
  method: 'get',
  access: everyone,
  open: true,
  revalidates: true,
  input: z.object({
    params: z.object({
      requirement: z.string().max(MAX_ID_LENGTH).refine(isStorable, 'has characters that ids cannot have').meta({
        description: 'The id that an SRG gives it',
        example: 'SRG-OS-000480-GPOS-00227',
      }),
    }),
  }),
  answer: z.object({ requirement: z.string(), benchmarks: citingBenchmarks }),
} as const

/** The rules for a requirement in the newest release of each product, and its SRG, at two addresses. */
export function requirementEndpoints({ database }: Parts): readonly Endpoint[] {
  return [listRules(database.read), getRequirement(database.read)]
}

function listRules(reader: Reader): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/requirements/{requirement}/rules',
    operation: 'listRequirementRules',
    tag: 'Catalogue',
    summary: 'The rules of all products that meet a requirement, and the requirement itself; none for an unknown one',
    handle: async ({ input: { params } }) => findRequirement(reader, params.requirement),
  })
}

function getRequirement(reader: Reader): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/requirements/{requirement}.json',
    operation: 'getCatalogueRequirement',
    tag: 'Open catalogue',
    summary: 'The rules of all products that meet a requirement, and the requirement itself',
    refusals: ['not_found'],
    handle: async ({ input: { params } }) => {
      const answer = await findRequirement(reader, params.requirement)
      if (answer.benchmarks.length > 0) return answer
      throw new Refusal('not_found', `No benchmark in the catalogue has the requirement ${params.requirement}.`)
    },
  })
}

/** Finds the rules for a requirement in the newest release of each product. */
export async function findRequirement(
  reader: Reader,
  requirement: string,
): Promise<z.infer<typeof COMMON_PARTS.answer>> {
  // Rules of STIGs name the requirement in the title of their group; in an SRG it is the version of the rule.
  const benchmarks = await findCitingRules(reader, (is) =>
    is.or([is('group_title', '=', requirement), is('version', '=', requirement)]),
  )
  return { requirement, benchmarks: [...benchmarks] }
}

/** Returns those of the requirements that have rules in the newest releases. */
export async function findKnownRequirements(reader: Reader, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const newest = latestOf(await listReleases(reader)).map(({ id }) => id)
  const rows = await reader
    .selectFrom('benchmark_rules')
    .select(['group_title', 'version'])
    .where('benchmark_id', 'in', newest)
    .where((is) => is.or([is('group_title', 'in', ids), is('version', 'in', ids)]))
    .execute()
  const named = new Set(rows.flatMap(({ group_title, version }) => [group_title, version]))
  return ids.filter((id) => named.has(id))
}
