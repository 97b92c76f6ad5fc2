import { z } from 'zod'
import { siteAdmin } from '../../../http/access.ts'
import { EVENTS, type ServerEvent } from '../../../http/answer/answers.ts'
import { actorOf, type Caller } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import type { RawRequest } from '../../../http/request.ts'
import { toast, toastSchema, type Toast } from '../../../http/toast.ts'
import type { Upload } from '../../../http/upload.ts'
import { isRefusalCode, Refusal } from '../../../platform/errors.ts'
import { firstLines } from '../../parts/name-some.ts'
import type { Parts } from '../../parts/parts.ts'
import { CATALOGUES, catalogueOf, type Catalogue } from '../benchmarks/catalogues.ts'
import { isVersion } from '../xccdf/version.ts'
import type { ImportOptions } from './import-file.ts'
import { isOver, type Importer } from './importer.ts'
import { findJob, jobSchema, type ImportJob } from './jobs.ts'
import type { StoredReferenceMember } from './outcome.ts'

const TAG = 'Catalogue'
/** How long an upload waits for the result by default, in seconds. */
const WAIT_S = 20
const MAX_WAIT_S = 60
/** Interval of checking an import that may run in another process. */
const CHECK_INTERVAL_MS = 1000

interface ImportParts extends Parts {
  readonly importer: Importer
}

/** Uploads into the catalogue, and their progress. */
export function importEndpoints(parts: ImportParts): readonly Endpoint[] {
  return [
    ...CATALOGUES.map((catalogue) => uploadBenchmarks(parts, catalogue)),
    uploadReferenceData(parts),
    getImport(parts),
    followImport(parts),
  ]
}

const form = z.object({
  document_type: z.enum(['srg', 'stig']).optional().meta({
    description: 'Kind of benchmarks that are not recognised as SRG or STIG',
  }),
  version: z
    .string()
    .refine(isVersion, 'must be of the form V1R2')
    .optional()
    .meta({ description: 'Version such as V1R2, if the file does not state one', example: 'V1R2' }),
  replace: z.enum(['true', 'false']).optional().meta({
    description: 'true: replace a stored benchmark that has other content',
  }),
})

const OF_FILES = [
  'bad_zip',
  'no_benchmark_in_zip',
  'bad_encoding',
  'xml_not_well_formed',
  'xml_too_deep',
  'dtd_not_allowed',
  'nothing_imported',
] as const

const OF_BENCHMARKS = [
  'not_a_benchmark',
  'unknown_benchmark_kind',
  'missing_field',
  'field_too_long',
  'invalid_id',
  'duplicate_rule_id',
  'version_unknown',
  'version_taken',
] as const

const OF_REFERENCE_DATA = ['not_reference_data', 'source_damaged', 'duplicate_item_id', ...OF_BENCHMARKS] as const

const UPLOAD = {
  method: 'post',
  tag: TAG,
  upload: true,
  limited: 'imports',
  later: true,
  access: siteAdmin,
  failure: 'Upload rejected.',
  answer: jobSchema.extend({ toast: toastSchema }),
} as const

function uploadBenchmarks({ importer }: ImportParts, { path, name, label }: Catalogue): Endpoint {
  return endpoint({
    ...UPLOAD,
    path: `/${path}`,
    operation: `import${name}`,
    summary: `Import an ${label}: an XCCDF file, a data stream, or a zip of them; or reference data`,
    refusals: [...OF_FILES, ...OF_BENCHMARKS, ...OF_REFERENCE_DATA],
    admit: ({ caller }) => importer.admit(caller.id),
    input: z.object({ body: form }),
    handle: ({ input: { body }, ...context }) => {
      const { document_type: documentType, version, replace } = body
      return submit(importer, context, { documentType, version, replace: replace === 'true' })
    },
  })
}

function uploadReferenceData({ importer }: ImportParts): Endpoint {
  return endpoint({
    ...UPLOAD,
    path: '/api/reference-data',
    operation: 'importReferenceData',
    summary:
      'Import the CCI list, the controls of NIST SP 800-53, a domain of ATT&CK, or CWE, also as gzip or in a zip',
    refusals: [...OF_FILES, ...OF_REFERENCE_DATA],
    admit: ({ caller }) => importer.admit(caller.id),
    input: z.object({ body: z.object({}) }),
    handle: (context) =>
      submit(importer, context, {
        documentType: undefined,
        version: undefined,
        replace: false,
        only: 'reference_data',
      }),
  })
}

interface UploadRequest extends Pick<RawRequest, 'header' | 'setStatus' | 'setHeader'> {
  readonly upload: Upload | null
  readonly grant: { readonly caller: Caller }
}

/** Submits an upload and waits for the result, as long as the request says. */
async function submit(
  importer: Importer,
  { grant: { caller }, ...context }: UploadRequest,
  options: ImportOptions,
): Promise<ImportJob & { readonly toast: Toast }> {
  if (context.upload === null) throw new Error('There is no file')
  const id = await importer.submit({ upload: context.upload, options, actor: actorOf(caller) })
  const job = await importer.waitFor(id, waitOf(context.header('Prefer')) * 1000)
  if (!isOver(job)) {
    context.setStatus(202)
    context.setHeader('Location', `/api/imports/${id}`)
  }
  return { ...job, toast: summarise(refuseFailed(job)) }
}

/** The wait in seconds that a `Prefer` header asks for (RFC 7240 §4.1, §4.3). */
function waitOf(preference = ''): number {
  if (/\brespond-async\b/i.test(preference) && !/\bwait=/i.test(preference)) return 0
  const seconds = /\bwait="?(\d+)/i.exec(preference)?.[1]
  return Math.min(MAX_WAIT_S, seconds === undefined ? WAIT_S : Number(seconds))
}

/** Refuses the request if nothing of the file was imported, or if the whole file was refused. */
function refuseFailed(job: ImportJob): ImportJob {
  const { problem, imported, already_imported, refused, reference_data } = job
  if (problem !== null) {
    const { type, title, status, detail, code, ...members } = problem
    if (!isRefusalCode(code)) throw new Error(`Import ${job.id} failed: ${type} ${title} ${status}`)
    throw refuse(code, detail, members)
  }
  if (!isOver(job) || imported.length + already_imported.length + reference_data.length > 0) return job
  throw refuse('nothing_imported', detailOf(refused), { refused })
}

function refuse(code: Refusal['code'], detail: string, members: Readonly<Record<string, unknown>>): Refusal {
  const danger = { title: 'Upload rejected.', message: detail, variant: 'danger' } as const
  return new Refusal(code, detail, { ...members, toast: danger })
}

function detailOf(refused: ImportJob['refused']): string {
  const lines = refused.map(({ member, detail }) => `${member ?? ''}: ${detail}`)
  return firstLines(lines, 3).join(' ')
}

function summarise(job: ImportJob): Toast {
  const { imported, already_imported, refused, skipped } = job
  if (!isOver(job)) return toast('Import started.', `Follow /api/imports/${job.id}.`).toast
  const [reference] = job.reference_data
  if (reference !== undefined) return summariseReference(reference)
  const [onlyBenchmark] = imported
  const title =
    onlyBenchmark !== undefined && imported.length === 1
      ? `${catalogueOf(onlyBenchmark.kind).label} ${onlyBenchmark.kind === 'srg' ? 'created' : 'added'}.`
      : `${imported.length} benchmarks imported.`
  const membersByOutcome = Object.entries({ 'already imported': already_imported, refused, skipped })
  const summary = membersByOutcome
    .flatMap(([outcome, { length }]) => (length === 0 ? [] : [`${length} ${outcome}`]))
    .join(', ')
  const message = summary === '' ? 'The catalogue has all benchmarks of the file.' : summary
  const variant = refused.length > 0 ? 'warning' : 'success'
  if (imported.length === 0) return { title: 'Already imported.', message, variant }
  return { title, message, variant }
}

function summariseReference({ name, item_count, outcome }: StoredReferenceMember): Toast {
  const title = outcome === 'imported' ? `${name} imported.` : 'Already imported.'
  return { title, message: `${name} has ${item_count.toLocaleString('en-US')} items.`, variant: 'success' }
}

function getImport({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/imports/{id}',
    operation: 'getImport',
    tag: TAG,
    summary: 'Progress of an import, and the result of each file',
    access: siteAdmin,
    input: z.object({ params: idParams }),
    answer: jobSchema,
    handle: ({ input: { params } }) => findJob(database.read, params.id),
  })
}

function followImport(parts: ImportParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/imports/{id}/events',
    operation: 'followImport',
    tag: TAG,
    summary: 'Progress of an import as server-sent events: "progress", at last "done"',
    access: siteAdmin,
    input: z.object({ params: idParams }),
    answer: EVENTS,
    handle: async ({ input: { params } }) => {
      const job = await findJob(parts.database.read, params.id)
      return { events: eventsOf(parts, job) }
    },
  })
}

/** Leaves out the list of members: sent with every step, the total would grow with the square of their number. */
function progressOf({ id, file_name, state, done, total, updated_at }: ImportJob): Partial<ImportJob> {
  return { id, file_name, state, done, total, updated_at }
}

async function* eventsOf({ database, importer }: ImportParts, first: ImportJob): AsyncGenerator<ServerEvent> {
  let job = first
  while (!isOver(job)) {
    yield { event: 'progress', data: progressOf(job) }
    await importer.news(job.id, AbortSignal.timeout(CHECK_INTERVAL_MS))
    job = await findJob(database.read, job.id)
  }
  yield { event: 'done', data: job }
}
