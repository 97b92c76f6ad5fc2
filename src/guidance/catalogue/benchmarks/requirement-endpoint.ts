import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { isStorable } from '../../../http/input.ts'
import { append } from '../../../platform/append.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { latestOf, listReleases } from './releases.ts'

/** Some products have hundreds of rules for one requirement. */
const SHOWN = 20
const LONGEST = 200

const answer = z.object({
  requirement: z.string(),
  benchmarks: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(['srg', 'stig']),
      benchmark_id: z.string(),
      title: z.string(),
      version: z.string(),
      rule_count: z.int(),
      rules: z
        .array(
          z.object({
            id: z.int(),
            rule_id: z.string(),
            version: z.string().nullable(),
            title: z.string(),
            severity: z.string(),
          }),
        )
        .meta({ description: `The first ${SHOWN}, in the order of the document` }),
    }),
  ),
})

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
    answer,
    handle: async ({ input: { params } }) => ({
      requirement: params.requirement,
      benchmarks: await findBenchmarks(database.read, params.requirement),
    }),
  })
}

async function findBenchmarks(reader: Reader, requirement: string): Promise<z.infer<typeof answer>['benchmarks']> {
  const rows = new Map<number, RuleRow[]>()
  for (const row of await findRules(reader, requirement)) append(rows, row.benchmark_id, row)
  return latestOf(await listReleases(reader)).flatMap((release) => {
    const own = rows.get(release.id)
    if (own === undefined) return []
    const { id, kind, benchmarkId: benchmark_id, title, version } = release
    return {
      id,
      kind,
      benchmark_id,
      title,
      version,
      rule_count: own[0]?.total ?? 0,
      rules: own.map(({ total: _total, benchmark_id: _id, ...rule }) => rule),
    }
  })
}

interface RuleRow {
  readonly id: number
  readonly benchmark_id: number
  readonly rule_id: string
  readonly version: string | null
  readonly title: string
  readonly severity: string
  /** How many the benchmark has. */
  readonly total: number
}

/** Rules of STIGs name the requirement in the title of their group; in an SRG it is the version of the rule. */
function findRules(reader: Reader, requirement: string): Promise<readonly RuleRow[]> {
  const found = reader
    .selectFrom('benchmark_rules')
    .select(['id', 'benchmark_id', 'rule_id', 'version', 'title', 'severity', 'position'])
    .select(({ fn }) => [
      fn
        .agg<number>('row_number')
        .over((rule) => rule.partitionBy('benchmark_id').orderBy('position'))
        .as('place'),
      fn
        .countAll<number>()
        .over((rule) => rule.partitionBy('benchmark_id'))
        .as('total'),
    ])
    .where((is) => is.or([is('group_title', '=', requirement), is('version', '=', requirement)]))
    .as('found')
  return reader
    .selectFrom(found)
    .select(['id', 'benchmark_id', 'rule_id', 'version', 'title', 'severity', 'total'])
    .where('place', '<=', SHOWN)
    .orderBy('benchmark_id')
    .orderBy('position')
    .execute()
}
