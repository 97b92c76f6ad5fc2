import { z } from 'zod'
import type { RecordKey } from '../../contracts/search-feed.ts'
import type { SearchAnswer, SearchRequest, Suggestion } from '../../contracts/search.ts'
import type {
  GuidanceMatch,
  GuidanceQuestion,
  OntologyContent,
  RecordText,
} from '../../contracts/sources.ts'
import { having, listOf, NOTHING, type ExchangesOf } from '../../platform/threads/protocol.ts'
import type { Needs } from '../answers/unified.ts'

/** Numbers of the components that somebody may read. */
const readable = z.union([z.literal('all'), z.array(z.int()).readonly()])

const texts = z.custom<ReadonlyMap<string, readonly RecordText[]>>((value) => value instanceof Map)

const names = z.array(z.array(z.string()).readonly()).readonly()

/** What the thread of the search is asked. Whatever is asked sees all that was committed before. */
export const SEARCH = {
  /** The digest of the release that is indexed; null: none is. */
  release: { question: NOTHING, answer: z.nullable(z.string()) },
  /** The release that is served from now on; null: none. */
  ontology: {
    question: z.nullable(having<OntologyContent>('documents', 'links')),
    answer: NOTHING,
  },
  unified: {
    question: z.object({
      ...{ readable, request: having<SearchRequest>('text', 'page') },
      defenses: z.nullable(z.map(z.string(), z.array(z.string()).readonly())),
    }),
    answer: z.union([
      having<Needs>('defensesOf'),
      having<SearchAnswer>('results', 'facets', 'pagination'),
    ]),
  },
  suggest: {
    question: z.object({ readable, text: z.string(), limit: z.int() }),
    answer: listOf<Suggestion>('text', 'kind'),
  },
  match: {
    question: z.object({ readable, question: having<GuidanceQuestion>('wanted', 'where') }),
    answer: listOf<GuidanceMatch>('kind', 'recordId'),
  },
  texts: { question: listOf<RecordKey>('kind', 'id'), answer: texts },
  likeness: {
    question: z.object({ text: z.string(), iris: z.array(z.string()).readonly() }),
    answer: z.map(z.string(), z.number()),
  },
  nearNames: { question: z.array(z.string()).readonly(), answer: names },
  /** Writes what the next start begins with. */
  save: { question: NOTHING, answer: NOTHING },
  close: { question: NOTHING, answer: NOTHING },
}

export type SearchExchanges = ExchangesOf<typeof SEARCH>

/** What the thread is started with; can be cloned. */
export const searchData = z.object({
  feed: z.object({ module: z.string(), data: z.unknown() }),
  /** Null: nothing is kept for the next start. */
  dumpFile: z.string().nullable(),
  /** By CCI the NIST control that it belongs to. */
  controls: z.map(z.string(), z.string()),
  controlNames: z.map(z.string(), z.string()),
  abbreviations: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
})

export type SearchData = z.infer<typeof searchData>
