import { z } from 'zod'
import type {
  GuidanceMatch,
  GuidanceSearchRequest,
  NumbersRequest,
  RecordNumbers,
  RecordText,
} from '../../contracts/guidance-records.ts'
import type { SearchAnswer, Suggestion } from '../../contracts/search-answer.ts'
import type { RecordKey } from '../../contracts/search-feed.ts'
import type { SearchRequest } from '../../contracts/search.ts'
import type { OntologyContent } from '../../contracts/sources.ts'
import { objectWith, listOf, EMPTY_PAYLOAD, type ExchangesOf } from '../../platform/threads/protocol.ts'
import type { MissingCountermeasures } from '../answers/unified.ts'

/** Numbers of the components that somebody may read. */
const readable = z.union([z.literal('all'), z.array(z.int()).readonly()])

const texts = z.custom<ReadonlyMap<string, readonly RecordText[]>>((value) => value instanceof Map)

const names = z.array(z.array(z.string()).readonly()).readonly()

/** Until when a question may wait for what was committed before it, in milliseconds since 1970. */
const waitUntil = z.number()

/**
 * Questions to the thread of the search. An answer has all that was committed before the question. If that is not read
 * in time, `unified` says so in its answer, hints (`suggest`, `similarity`, `similarNames`) are made from what is indexed,
 * and `match` and `numbers` are refused with `search_not_ready`. So is everything if it is not even known how much is
 * missing.
 */
export const SEARCH = {
  opened: {
    question: EMPTY_PAYLOAD,
    answer: z.object({
      /** The digest of the release that is indexed; null: none is. */
      release: z.nullable(z.string()),
      /** Damage of the index file, because of which all was read again; null: none. */
      damage: z.nullable(z.string()),
    }),
  },
  /** The release that is served from now on; null: none. */
  ontology: {
    question: z.nullable(objectWith<OntologyContent>('documents', 'links')),
    answer: EMPTY_PAYLOAD,
  },
  unified: {
    question: z.object({
      readable,
      waitUntil,
      request: objectWith<SearchRequest>('text', 'page'),
      defenses: z.nullable(z.map(z.string(), z.map(z.string(), z.number()))),
    }),
    answer: z.union([
      objectWith<MissingCountermeasures>('defensesOf'),
      objectWith<SearchAnswer>('results', 'facets', 'pagination'),
    ]),
  },
  suggest: {
    question: z.object({ readable, waitUntil, text: z.string(), limit: z.int() }),
    answer: z.object({ named: listOf<Suggestion>('text', 'kind'), others: listOf<Suggestion>('text', 'kind') }),
  },
  match: {
    question: z.object({
      readable,
      waitUntil,
      question: objectWith<GuidanceSearchRequest>('required', 'searchedField'),
    }),
    answer: listOf<GuidanceMatch>('kind', 'recordId'),
  },
  numbers: {
    question: z.object({ readable, waitUntil, request: objectWith<NumbersRequest>('searches', 'kinds') }),
    answer: listOf<RecordNumbers>('get'),
  },
  texts: { question: listOf<RecordKey>('kind', 'id'), answer: texts },
  similarity: {
    question: z.object({ waitUntil, text: z.string(), iris: z.array(z.string()).readonly() }),
    answer: z.map(z.string(), z.number()),
  },
  similarNames: {
    question: z.object({ waitUntil, names: z.array(z.string()).readonly() }),
    answer: names,
  },
  /** Writes what the next start begins with. */
  save: { question: EMPTY_PAYLOAD, answer: EMPTY_PAYLOAD },
  close: { question: EMPTY_PAYLOAD, answer: EMPTY_PAYLOAD },
}

export type SearchExchanges = ExchangesOf<typeof SEARCH>

/** The thread is started with this data, which can be cloned. */
export const searchData = z.object({
  feed: z.object({ module: z.string(), data: z.unknown() }),
  /** Null: nothing is kept for the next start. */
  dumpFile: z.string().nullable(),
  /** Shared memory in which the thread notes when it last had all that was committed, in milliseconds since 1970. */
  upToDateAt: z.custom<BigInt64Array<SharedArrayBuffer>>((value) => value instanceof BigInt64Array),
  /** By CCI the NIST control that it belongs to. */
  controls: z.map(z.string(), z.string()),
  controlNames: z.map(z.string(), z.string()),
  abbreviations: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
})

export type SearchData = z.infer<typeof searchData>
