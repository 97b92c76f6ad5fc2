import { z } from 'zod'
import type { ExchangesOf, Protocol } from '../../platform/threads/protocol.ts'

/** In memory that may be shared. */
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)
const texts = z.array(z.string()).readonly()

/** A thread is started with this data. */
export const queryStart = z.object({ memoryMegabytes: z.int() })

const asking = {
  /** Takes graphs out and others in, in one step between two queries. */
  hold: {
    question: z.object({
      drop: texts,
      /** N-Triples by gzip. */
      add: z.array(z.object({ iri: z.string(), packed: bytes })).readonly(),
    }),
    /** The system's id of the thread, if threads have priorities of their own. */
    answer: z.int().nullable(),
  },
  query: {
    question: z.object({
      text: z.string(),
      /** The text with a limit of rows. */
      bounded: z.string(),
      baseIri: z.string(),
      /** Media type. */
      format: z.string(),
      dataset: z.object({ defaults: texts, named: texts }),
      maxRows: z.int(),
      maxBytes: z.int(),
    }),
    /** UTF-8. `broken`: the thread is of no use any more. */
    answer: z.union([z.object({ body: z.instanceof(Uint8Array) }), z.object({ broken: z.enum(['memory', 'depth']) })]),
  },
}

export type QueryExchanges = ExchangesOf<typeof asking>

export type QueryRequest = QueryExchanges['query']['question']

export const QUERYING: Protocol<QueryExchanges> = asking
