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
import type { NearestParts } from './nearest.ts'
import { resolve, type BatchParts, type BatchResolution } from './resolve.ts'

const MOST = 1000
/** The whole records of one answer have at most so many bytes; later ones are refused one by one. */
const MOST_BYTES = 16 * 1024 * 1024
/** Items that are written at once. */
const PORTION = 50

interface Parts {
  readonly database: Pick<Database, 'read'>
  readonly baseUrl: string
  readonly lookup: OntologyLookup | null
  readonly search: NearestParts['search']
}

const COMMON = {
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
export function batchEndpoints(given: Parts): readonly Endpoint[] {
  const { database, baseUrl, lookup, search } = given
  const parts = { reader: database.read, iris: irisOf(baseUrl), ontology: lookup, search }
  return [
    endpoint({
      ...COMMON,
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
        const ids = query.ids.split(',').filter((id) => id.trim() !== '')
        return answer(parts, { ids, view: query.view })
      },
    }),
    endpoint({
      ...COMMON,
      method: 'post',
      path: '/api/batch',
      operation: 'lookUpBatch',
      summary: 'Look up to 1,000 identifiers: records of the ontology, CCIs and rules',
      keepsNoText: true,
      input: z.object({ body: z.object({ ids: z.array(z.string()).min(1).max(MOST), view }) }),
      handle: ({ input: { body } }) => answer(parts, body),
    }),
  ]
}

interface Batch {
  readonly ids: readonly string[]
  readonly view: 'summary' | 'whole'
}

async function answer(parts: BatchParts, { ids, view: shown }: Batch): Promise<Document> {
  if (ids.length === 0) throw new Refusal('parameter_invalid', 'ids: name at least one.', { parameter: 'ids' })
  if (ids.length > MOST)
    throw new Refusal('parameter_invalid', `ids: at most ${MOST}, not ${ids.length}.`, {
      parameter: 'ids',
    })
  const resolved = await resolve(parts, ids)
  const body = shown === 'whole' ? wholeItems(parts, resolved) : summaries(resolved)
  return { mediaType: 'application/json; charset=utf-8', fileName: null, body }
}

function begin({ ontology, items }: BatchResolution): string {
  const found = items.filter(({ record }) => record !== null).length
  const head = JSON.stringify({ ontology, asked: items.length, found })
  return `${head.slice(0, -1)},"items":[`
}

async function* summaries(resolved: BatchResolution): AsyncGenerator<string> {
  yield begin(resolved)
  for (let at = 0; at < resolved.items.length; at += PORTION) {
    const text = JSON.stringify(resolved.items.slice(at, at + PORTION))
    yield `${at === 0 ? '' : ','}${text.slice(1, -1)}`
    await nextTurn()
  }
  yield ']}'
}

/** Each record is fetched when those before it are on their way, so that none but one stands in memory. */
async function* wholeItems({ ontology }: BatchParts, resolved: BatchResolution): AsyncGenerator<string | Uint8Array> {
  yield begin(resolved)
  const readWhole = wholeReader(ontology, resolved.ontology)
  let left = MOST_BYTES
  for (const [at, item] of resolved.items.entries()) {
    const { record, problem } = await wholeOf(readWhole, item, left)
    left -= record?.length ?? 0
    const place = record === null ? 'path' : 'item'
    const found = { whole_in: item.record === null ? null : place }
    const text = JSON.stringify({ ...item, ...found, problem: problem ?? item.problem })
    yield `${at === 0 ? '' : ','}${text.slice(0, -1)},"whole":`
    yield record ?? 'null'
    yield '}'
    if (at % PORTION === 0) await nextTurn()
  }
  yield ']}'
}

interface WholeRecord {
  readonly record: Buffer | null
  readonly problem: BatchItem['problem']
}

/** Reads the record at a path. */
type ReadRecord = (path: string) => Promise<Buffer>

/** Reads from the release in which records were looked up, also when another one is active by now. */
function wholeReader(ontology: OntologyLookup | null, release: OntologyRelease | null): ReadRecord | null {
  if (ontology === null || release === null) return null
  return (path) => ontology.whole(path, release.version)
}

/** Whole rules need an account; they are at their own paths. */
async function wholeOf(readWhole: ReadRecord | null, { record }: BatchItem, left: number): Promise<WholeRecord> {
  const isOfOntology = record?.path.startsWith('/api/') === true && record.name !== null
  if (!isOfOntology || readWhole === null) return { record: null, problem: null }
  if (left <= 0) return { record: null, problem: problemOf(tooMuch(record.path)) }
  try {
    const whole = await readWhole(record.path)
    if (whole.length > left) return { record: null, problem: problemOf(tooMuch(record.path)) }
    return { record: whole, problem: null }
  } catch (error) {
    return { record: null, problem: problemOf(error) }
  }
}

function tooMuch(path: string): Refusal {
  const megabytes = MOST_BYTES / 1024 / 1024
  return new Refusal(
    'answer_too_large',
    `The whole records of one answer may have ${megabytes} MB together. Ask for ${path} by itself.`,
  )
}
