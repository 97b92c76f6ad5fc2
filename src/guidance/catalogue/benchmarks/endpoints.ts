import { z } from 'zod'
import { signedIn, siteAdmin } from '../../../http/access.ts'
import { DOCUMENT } from '../../../http/answer/answers.ts'
import { actorOf } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { id, idParams, notFound } from '../../../http/input.ts'
import { confirmation, toast } from '../../../http/toast.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { CATALOGUES, SRGS, STIGS, type Catalogue } from './catalogues.ts'
import { rulesToCsv } from './csv.ts'
import { findBenchmark, findBenchmarkHead, findFile, findWarnings } from './reader.ts'
import { listReleases } from './releases.ts'
import { srgDetail, stigDetail } from './schemas.ts'
import { shapeReleases, srgDetailOf, stigDetailOf, type BenchmarkDetail } from './shape.ts'
import { deleteBenchmark } from './writer.ts'

const TAG = 'Catalogue'

/** One release of a benchmark: reading it, downloading its file, deleting it. */
export function benchmarkEndpoints(parts: Parts): readonly Endpoint[] {
  const shared = CATALOGUES.flatMap((catalogue) => [remove(parts, catalogue), exportFile(parts, catalogue)])
  return [getSrg(parts), getStig(parts), ...shared]
}

function getSrg({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/srgs/{id}',
    operation: 'getSrg',
    tag: TAG,
    // Browsers get the page.
    mediaTypes: ['text/html'],
    summary: 'An SRG with its requirements',
    access: signedIn,
    input: z.object({ params: idParams }),
    answer: srgDetail,
    handle: async ({ input: { params } }) => srgDetailOf(await findDetail(database.read, SRGS, params.id)),
  })
}

function getStig({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/stigs/{id}',
    operation: 'getStig',
    tag: TAG,
    // Browsers get the page.
    mediaTypes: ['text/html'],
    summary: 'A STIG with its rules',
    access: signedIn,
    input: z.object({ params: idParams }),
    answer: stigDetail,
    handle: async ({ input: { params } }) => stigDetailOf(await findDetail(database.read, STIGS, params.id)),
  })
}

async function findDetail(reader: Reader, { kind }: Catalogue, benchmarkId: number): Promise<BenchmarkDetail> {
  const benchmark = await findBenchmark(reader, benchmarkId, kind)
  const listed = shapeReleases(await listReleases(reader))
  const listedRelease = listed.find(({ release }) => release.id === benchmarkId)
  // It was deleted between the two queries.
  if (listedRelease === undefined) throw notFound()
  return { benchmark, ...listedRelease, warnings: await findWarnings(reader, benchmarkId) }
}

function remove({ database }: Parts, { kind, path, name, label }: Catalogue): Endpoint {
  return endpoint({
    method: 'delete',
    path: `/${path}/{id}`,
    operation: `delete${name}`,
    tag: TAG,
    summary: `Remove a release of a ${label}`,
    refusals: ['validation_failed'],
    access: siteAdmin,
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params } }) => {
      const actor = actorOf(caller)
      await database.transact((writer) => deleteBenchmark(writer, { id: params.id, kind, actor }))
      return toast(`${label} removed.`, 'It is no longer in the catalogue.')
    },
  })
}

/** The length of a file name, which is sent in a header. */
const MAX_STEM = 100

const FORMATS = ['xccdf', 'csv'] as const

function exportFile({ database: { read } }: Parts, catalogue: Catalogue): Endpoint {
  const { kind, path, name, label } = catalogue
  return endpoint({
    method: 'get',
    path: `/${path}/{id}/export/{type}`,
    operation: `export${name}`,
    tag: TAG,
    summary: `A ${label} as the file that was imported (xccdf), or as a table (csv)`,
    access: signedIn,
    input: z.object({
      params: z.object({ id, type: z.string().meta({ enum: FORMATS }) }),
      query: z.object({
        columns: z.string().optional().meta({ description: 'Of the table, comma-separated' }),
      }),
    }),
    answer: DOCUMENT,
    mediaTypes: ['application/xml', 'text/csv'],
    handle: async ({ input: { params, query } }) => {
      const type = FORMATS.find((format) => format === params.type)
      if (type === undefined)
        throw new Refusal('parameter_invalid', `type: one of ${FORMATS.join(', ')}.`, {
          parameter: 'type',
        })
      const { title: fullTitle, version } = await findBenchmarkHead(read, params.id, kind)
      const title = fullTitle.replaceAll(/[^\p{L}\p{Nd}.]+/gu, '-').slice(0, MAX_STEM)
      const stem = `${title}-${version}`
      if (type === 'csv')
        return {
          mediaType: 'text/csv; charset=utf-8; header=present',
          fileName: `${stem}.csv`,
          body: rulesToCsv(await findBenchmark(read, params.id, kind), catalogue, query.columns),
        }
      const body = await findFile(read, params.id)
      return { mediaType: 'application/xml', fileName: `${stem}-xccdf.xml`, body }
    },
  })
}
