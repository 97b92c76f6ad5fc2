import { z } from 'zod'
import type { OntologyLookup } from '../../../contracts/lookup.ts'
import type { OntologyRelease } from '../../../contracts/sources.ts'
import { everyone } from '../../../http/access.ts'
import { DOCUMENT, type Document } from '../../../http/answer/answers.ts'
import { problemOf } from '../../../http/answer/problem.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { nextTurn } from '../../../platform/concurrency/turns.ts'
import { Refusal } from '../../../platform/errors.ts'
import { irisOf } from '../../catalogue/linked-data/graph/iris.ts'
import type { Database } from '../../database/database.ts'
import { batchAnswer, type BatchItem } from './answer.ts'
import { resolve, type BatchParts, type BatchResolution } from './resolve.ts'
import type { SimilarNamesParts } from './similar-names.ts'

const MAX_ITEMS = 1000
/** Limit of all whole records of one answer, in bytes; later records are refused individually. */
const MAX_BYTES = 16 * 1024 * 1024
/** Items that are written at once. */
const BATCH_SIZE = 50

interface Parts {
  readonly database: Pick<Database, 'read'>
  readonly baseUrl: string
  readonly lookup: OntologyLookup | null
  readonly search: SimilarNamesParts['search']
}

const COMMON_PARTS = {
  tag: 'Search',
  access: everyone,
  answer: DOCUMENT,
  mediaTypes: [],
  page: batchAnswer,
  refusals: ['answer_abandoned', 'overloaded', 'release_unusable'],
  open: true,
} as const

const view = z
  .enum(['summary', 'whole'])
  .default('summary')
  .meta({ description: 'Whether to include each record as its own path answers it' })

/** `GET` and `POST /api/batch`: up to 1,000 identifiers of any kind, each with its record or its problem. */
export function batchEndpoints(options: Parts): readonly Endpoint[] {
  const { database, baseUrl, lookup, search } = options
  const parts = { reader: database.read, iris: irisOf(baseUrl), ontology: lookup, search }
  return [
    endpoint({
      ...COMMON_PARTS,
      method: 'get',
      path: '/api/batch',
      operation: 'lookUpMany',
      summary: 'Look up several identifiers',
      lists: ['ids'],
      input: z.object({
        query: z
          .object({
            ids: z.string().default('').meta({ description: 'With commas; at most 1,000' }),
            view,
          })
          .meta({ required: ['ids'] }),
      }),
      handle: ({ input: { query } }) => {
        return answer(parts, { ids: query.ids.split(',').filter((id) => id.trim() !== ''), view: query.view })
      },
    }),
    endpoint({
      ...COMMON_PARTS,
      method: 'post',
      path: '/api/batch',
      operation: 'lookUpBatch',
      summary: 'Look up to 1,000 identifiers: records of the ontology, CCIs and rules',
      keepsNoText: true,
      input: z.object({ body: z.object({ ids: z.array(z.string()).min(1).max(MAX_ITEMS), view }) }),
      handle: ({ input: { body } }) => answer(parts, body),
    }),
  ]
}

interface Batch {
  readonly ids: readonly string[]
  readonly view: 'summary' | 'whole'
}

async function answer(parts: BatchParts, { ids, view }: Batch): Promise<Document> {
  if (ids.length === 0) throw new Refusal('parameter_invalid', 'ids: name at least one.', { parameter: 'ids' })
  if (ids.length > MAX_ITEMS)
    throw new Refusal('parameter_invalid', `ids: at most ${MAX_ITEMS}, not ${ids.length}.`, {
      parameter: 'ids',
    })
  const resolved = await resolve(parts, ids)
  const body = view === 'whole' ? wholeItems(parts, resolved) : summaries(resolved)
  return { mediaType: 'application/json; charset=utf-8', fileName: null, body }
}

function openingOf({ ontology, items }: BatchResolution): string {
  const foundCount = items.filter(({ record }) => record !== null).length
  const head = JSON.stringify({ ontology, asked: items.length, found: foundCount })
  return `${head.slice(0, -1)},"items":[`
}

async function* summaries(resolved: BatchResolution): AsyncGenerator<string> {
  yield openingOf(resolved)
  for (let start = 0; start < resolved.items.length; start += BATCH_SIZE) {
    const text = JSON.stringify(resolved.items.slice(start, start + BATCH_SIZE))
    yield `${start === 0 ? '' : ','}${text.slice(1, -1)}`
    await nextTurn()
  }
  yield ']}'
}

/** Reads each record after the previous one has been sent, so that only one is in memory. */
async function* wholeItems({ ontology }: BatchParts, resolved: BatchResolution): AsyncGenerator<string | Uint8Array> {
  yield openingOf(resolved)
  const readWhole = wholeReader(ontology, resolved.ontology)
  let remainingBytes = MAX_BYTES
  for (const [index, item] of resolved.items.entries()) {
    const { record, problem } = await wholeOf(readWhole, item, remainingBytes)
    remainingBytes -= record?.length ?? 0
    const wholeIn = record === null ? 'path' : 'item'
    const found = { whole_in: item.record === null ? null : wholeIn }
    const text = JSON.stringify({ ...item, ...found, problem: problem ?? item.problem })
    yield `${index === 0 ? '' : ','}${text.slice(0, -1)},"whole":`
    yield record ?? 'null'
    yield '}'
    if (index % BATCH_SIZE === 0) await nextTurn()
  }
  yield ']}'
}

/** Reads the record at a path. */
type ReadRecord = (path: string) => Promise<Buffer>

/** Reads from the release in which records were looked up, also if another one is active now. */
function wholeReader(ontology: OntologyLookup | null, release: OntologyRelease | null): ReadRecord | null {
  if (ontology === null || release === null) return null
  return (path) => ontology.readDocument(path, release.version)
}

/** Null for rules: they may need an account, so only their own paths have the whole record. */
async function wholeOf(
  readWhole: ReadRecord | null,
  { record }: BatchItem,
  remainingBytes: number,
): Promise<{ readonly record: Buffer | null; readonly problem: BatchItem['problem'] }> {
  const isOfOntology = record?.path.startsWith('/api/') === true && record.name !== null
  if (!isOfOntology || readWhole === null) return { record: null, problem: null }
  if (remainingBytes <= 0) return { record: null, problem: problemOf(answerTooLarge(record.path)) }
  try {
    const whole = await readWhole(record.path)
    if (whole.length > remainingBytes) return { record: null, problem: problemOf(answerTooLarge(record.path)) }
    return { record: whole, problem: null }
  } catch (error) {
    return { record: null, problem: problemOf(error) }
  }
}

function answerTooLarge(path: string): Refusal {
  const megabytes = MAX_BYTES / 1024 / 1024
  return new Refusal(
    'answer_too_large',
    `The whole records of one answer may have ${megabytes} MB together. Ask for ${path} by itself.`,
  )
}
