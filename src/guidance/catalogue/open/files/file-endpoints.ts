import { z } from 'zod'
import { DOCUMENT, type Document } from '../../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { notFound } from '../../../../http/input.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { Parts } from '../../../parts/parts.ts'
import { findBenchmark, findFile } from '../../benchmarks/reader.ts'
import type { Release } from '../../benchmarks/releases.ts'
import { findRelease } from '../find.ts'
import { benchmarkId, COMMON_PARTS, releaseParams } from '../input.ts'
import { FILE_FORMS } from './release-files.ts'

const input = z.object({
  params: releaseParams.extend({ file: benchmarkId.meta({ description: 'The benchmark id again' }) }),
})

const FORMS = [
  { ending: 'csv', operation: 'getCatalogueTable', summary: 'The rules of a release as a table' },
  {
    ending: 'ckl',
    operation: 'getCatalogueChecklist',
    summary: 'A release as a checklist for STIG Viewer 2, in which nothing has been reviewed',
  },
  {
    ending: 'cklb',
    operation: 'getCatalogueChecklistAsJson',
    summary: 'A release as a checklist for STIG Viewer 3, in which nothing has been reviewed',
  },
] as const

/** A release as files. */
export function fileEndpoints({ database: { read } }: Parts): readonly Endpoint[] {
  const xccdf = endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/benchmarks/{benchmark_id}/{version}/{file}.xml',
    operation: 'getCatalogueFile',
    summary: 'The XCCDF file of a release, as it was published',
    input,
    answer: DOCUMENT,
    mediaTypes: ['application/xml'],
    handle: async ({ input: { params } }) => {
      const release = await findFileRelease(read, params)
      const fileName = fileNameOf(release, 'xml')
      return { mediaType: 'application/xml', fileName, body: await findFile(read, release.id) }
    },
  })
  return [xccdf, ...FORMS.map((form) => writtenFile(read, form))]
}

function writtenFile(reader: Reader, { ending, operation, summary }: (typeof FORMS)[number]): Endpoint {
  const { mediaType, write } = FILE_FORMS[ending]
  return endpoint({
    ...COMMON_PARTS,
    path: `/api/catalogue/benchmarks/{benchmark_id}/{version}/{file}.${ending}`,
    operation,
    summary,
    input,
    answer: DOCUMENT,
    mediaTypes: [mediaType.replace(/;.*/, '')],
    handle: async ({ input: { params } }): Promise<Document> => {
      const release = await findFileRelease(reader, params)
      const body = write(await findBenchmark(reader, release.id))
      return { mediaType, fileName: fileNameOf(release, ending), body }
    },
  })
}

async function findFileRelease(
  reader: Reader,
  { benchmark_id, version, file }: { readonly benchmark_id: string; readonly version: string; readonly file: string },
): Promise<Release> {
  const { release } = await findRelease(reader, benchmark_id, version)
  if (file !== release.benchmarkId) throw notFound()
  return release
}

/** Returns the file name of a release in a format. */
export function fileNameOf(release: Release, ending: string): string {
  const stem = `${release.benchmarkId}-${release.version}`.replaceAll(/[^\p{L}\p{Nd}._-]+/gu, '-')
  return `${stem}.${ending}`
}
