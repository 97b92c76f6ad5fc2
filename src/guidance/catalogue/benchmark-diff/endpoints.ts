import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { DOCUMENT } from '../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { id, idParams, notFound } from '../../../http/input.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { CATALOGUES, type Catalogue } from '../benchmarks/catalogues.ts'
import { findBenchmark, type StoredBenchmark } from '../benchmarks/reader.ts'
import { lineKey, listReleases } from '../benchmarks/releases.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import { compareRules } from './compare.ts'
import { changeCounts, comparedRule, countsOf, nameRule } from './rule-name.ts'
import { comparisonTable } from './table.ts'

const TAG = 'Catalogue'

/** Compares two releases, rule by rule and field by field. */
export function benchmarkDiffEndpoints(parts: Parts): readonly Endpoint[] {
  return CATALOGUES.flatMap((catalogue) => [getDiff(parts, catalogue), getDiffTable(parts, catalogue)])
}

const input = z.object({
  params: idParams,
  query: z.object({
    from: id.optional().meta({ description: 'The older release; default: the one before this release' }),
  }),
})

const side = z.object({ id: z.int(), benchmark_id: z.string(), version: z.string() })

const diff = z.object({ from: side, to: side, counts: changeCounts, rules: z.array(comparedRule) })

function getDiff({ database }: Parts, catalogue: Catalogue): Endpoint {
  const { path, name, label } = catalogue
  return endpoint({
    method: 'get',
    path: `/api/${path}/{id}/diff`,
    operation: `compare${name}`,
    tag: TAG,
    summary: `What changed in an ${label} since an earlier release`,
    access: everyone,
    open: true,
    revalidates: true,
    input,
    answer: diff,
    handle: async ({ input: { params, query } }) => {
      const pair = await findPair(database.read, catalogue, { to: params.id, from: query.from })
      const rules = await changesOf(pair)
      return { from: shapeSide(pair.from), to: shapeSide(pair.to), counts: countsOf(rules), rules }
    },
  })
}

function getDiffTable({ database }: Parts, catalogue: Catalogue): Endpoint {
  const { path, name, label } = catalogue
  const address = { path: `/api/${path}/{id}/diff.csv`, operation: `compare${name}AsTable` }
  return endpoint({
    method: 'get',
    ...address,
    tag: TAG,
    summary: `What changed in an ${label}, one row for each field`,
    access: everyone,
    open: true,
    revalidates: true,
    input,
    answer: DOCUMENT,
    mediaTypes: ['text/csv'],
    handle: async ({ input: { params, query } }) => {
      const pair = await findPair(database.read, catalogue, { to: params.id, from: query.from })
      const fileName = `${pair.to.benchmarkId}-${pair.from.version}-${pair.to.version}.csv`
      return comparisonTable(fileName, await changesOf(pair), 'STIG ID')
    },
  })
}

type BenchmarkPair = Readonly<Record<'from' | 'to', StoredBenchmark>>
type RuleDiff = z.infer<typeof diff>['rules'][number]

async function changesOf({ from, to }: BenchmarkPair): Promise<RuleDiff[]> {
  const changes = await compareRules(from.rules, to.rules)
  const ids = new Map<Rule, number>([...from.rules, ...to.rules].map((rule) => [rule, rule.id]))
  return changes.map(({ status, matchedBy, before, after, changes: fields }) => ({
    status,
    matched_by: matchedBy,
    before: nameRule(before, ids),
    after: nameRule(after, ids),
    changes: fields.map((field) => ({ ...field })),
  }))
}

interface ComparedIds {
  readonly to: number
  readonly from: number | undefined
}

async function findPair(reader: Reader, { kind }: Catalogue, { to, from }: ComparedIds): Promise<BenchmarkPair> {
  const newer = await findBenchmark(reader, to, kind)
  return {
    from: await findBenchmark(reader, from ?? (await findPrevious(reader, to)), kind),
    to: newer,
  }
}

/** The previous release of the same product. */
async function findPrevious(reader: Reader, benchmarkId: number): Promise<number> {
  const releases = await listReleases(reader)
  const index = releases.findIndex((release) => release.id === benchmarkId)
  const [previous, current] = [releases[index - 1], releases[index]]
  if (current === undefined) throw notFound()
  if (previous !== undefined && lineKey(previous) === lineKey(current)) return previous.id
  const detail = `from: no earlier release of ${current.line} has been imported; name another benchmark.`
  throw new Refusal('parameter_missing', detail, { parameter: 'from' })
}

function shapeSide({ id: number, benchmarkId, version }: StoredBenchmark): z.infer<typeof side> {
  return { id: number, benchmark_id: benchmarkId, version }
}
