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

/** Numbers of the components that the caller may read. */
const readable = z.union([z.literal('all'), z.array(z.int()).readonly()])

const texts = z.custom<ReadonlyMap<string, readonly RecordText[]>>((value) => value instanceof Map)

const names = z.array(z.array(z.string()).readonly()).readonly()

/** The time until which a request may wait for earlier commits, in milliseconds since 1970. */
const waitUntil = z.number()

/**
 * Requests to the search thread. An answer includes everything committed before the request. If that is not indexed in
 * time, `unified` reports it in the answer, hints (`suggest`, `similarity`, `similarNames`) use the indexed records,
 * and `match` and `numbers` are refused with `search_not_ready`. If the number of missing changes is unknown, all
 * requests are refused.
 */
export const SEARCH = {
  opened: {
    question: EMPTY_PAYLOAD,
    answer: z.object({
      /** The digest of the release that is indexed; null: none is. */
      release: z.nullable(z.string()),
      /** The damage of the index file, after which all records were read again; null for none. */
      damage: z.nullable(z.string()),
    }),
  },
  /** The newly served release; null for none. */
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
  /** Saves the state for the next start. */
  save: { question: EMPTY_PAYLOAD, answer: EMPTY_PAYLOAD },
  close: { question: EMPTY_PAYLOAD, answer: EMPTY_PAYLOAD },
}

export type SearchExchanges = ExchangesOf<typeof SEARCH>

/** The thread is started with this data, which can be cloned. */
export const searchData = z.object({
  feed: z.object({ module: z.string(), data: z.unknown() }),
  /** Null: no state is saved for the next start. */
  dumpFile: z.string().nullable(),
  /** Shared memory for the last time at which all commits were indexed, in milliseconds since 1970. */
  upToDateAt: z.custom<BigInt64Array<SharedArrayBuffer>>((value) => value instanceof BigInt64Array),
  /** The NIST control of each CCI. */
  controls: z.map(z.string(), z.string()),
  controlNames: z.map(z.string(), z.string()),
  abbreviations: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
})

export type SearchData = z.infer<typeof searchData>
