import { z } from 'zod'
import { DOCUMENT } from '../../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { Parts } from '../../../parts/parts.ts'
import { findBenchmark } from '../../benchmarks/reader.ts'
import { findRelease } from '../find.ts'
import { benchmarkId, COMMON_PARTS, version } from '../input.ts'
import { changesSchema } from '../schemas.ts'
import { changesBetween, changesTable, type Changes } from './changes.ts'

const input = z.object({ params: z.object({ benchmark_id: benchmarkId, from: version, to: version }) })

/** The changes between two releases of a product, as JSON and as a table. */
export function changeEndpoints({ database: { read } }: Parts): readonly Endpoint[] {
  const json = endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/benchmarks/{benchmark_id}/{from}/changes/{to}.json',
    operation: 'getCatalogueChanges',
    summary: 'The changes between two releases of an SRG or STIG, rule by rule',
    input,
    answer: changesSchema,
    handle: async ({ input: { params } }) => findChanges(read, params),
  })
  const table = endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/benchmarks/{benchmark_id}/{from}/changes/{to}.csv',
    operation: 'getCatalogueChangesAsTable',
    summary: 'The changes between two releases of an SRG or STIG, one row for each field',
    input,
    answer: DOCUMENT,
    mediaTypes: ['text/csv'],
    handle: async ({ input: { params } }) => changesTable(await findChanges(read, params)),
  })
  return [json, table]
}

async function findChanges(
  reader: Reader,
  pair: { readonly benchmark_id: string; readonly from: string; readonly to: string },
): Promise<Changes> {
  const { release: from } = await findRelease(reader, pair.benchmark_id, pair.from)
  const { release: to } = await findRelease(reader, pair.benchmark_id, pair.to)
  const older = await findBenchmark(reader, from.id)
  const newer = await findBenchmark(reader, to.id)
  return changesBetween({ release: from, rules: older.rules }, { release: to, rules: newer.rules })
}
