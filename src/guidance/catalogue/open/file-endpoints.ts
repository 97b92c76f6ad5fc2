import { z } from 'zod'
import { DOCUMENT, type Document } from '../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { notFound } from '../../../http/input.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { findBenchmark, findFile } from '../benchmarks/reader.ts'
import type { Release } from '../benchmarks/releases.ts'
import { rulesTable } from './documents.ts'
import { findRelease } from './find.ts'
import { benchmarkId, OPEN, releaseParams } from './input.ts'

const input = z.object({
  params: releaseParams.extend({ file: benchmarkId.meta({ description: 'The benchmark id again' }) }),
})

/** A release as files. */
export function fileEndpoints({ database: { read } }: Parts): readonly Endpoint[] {
  const xccdf = endpoint({
    ...OPEN,
    path: '/api/catalogue/benchmarks/{benchmark_id}/{version}/{file}.xml',
    operation: 'getCatalogueFile',
    summary: 'The XCCDF file of a release, as it was published',
    input,
    answer: DOCUMENT,
    mediaTypes: ['application/xml'],
    handle: async ({ input: { params } }) => {
      const release = await findFileRelease(read, params)
      return { ...named(release, 'xml', 'application/xml'), body: await findFile(read, release.id) }
    },
  })
  const csv = endpoint({
    ...OPEN,
    path: '/api/catalogue/benchmarks/{benchmark_id}/{version}/{file}.csv',
    operation: 'getCatalogueTable',
    summary: 'The rules of a release as a table',
    input,
    answer: DOCUMENT,
    mediaTypes: ['text/csv'],
    handle: async ({ input: { params } }) => {
      const release = await findFileRelease(read, params)
      const body = rulesTable(await findBenchmark(read, release.id))
      return { ...named(release, 'csv', 'text/csv; charset=utf-8; header=present'), body }
    },
  })
  return [xccdf, csv]
}

interface FileParams {
  readonly benchmark_id: string
  readonly version: string
  readonly file: string
}

async function findFileRelease(reader: Reader, { benchmark_id, version, file }: FileParams): Promise<Release> {
  const { release } = await findRelease(reader, benchmark_id, version)
  if (file !== release.benchmarkId) throw notFound()
  return release
}

function named(release: Release, ending: string, mediaType: string): Pick<Document, 'mediaType' | 'fileName'> {
  const stem = `${release.benchmarkId}-${release.version}`.replaceAll(/[^\p{L}\p{Nd}._-]+/gu, '-')
  return { mediaType, fileName: `${stem}.${ending}` }
}
