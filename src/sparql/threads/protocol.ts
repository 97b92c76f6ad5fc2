import { z } from 'zod'
import type { ExchangesOf, Protocol } from '../../platform/threads/protocol.ts'

/** Bytes whose memory may be shared between threads. */
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)
const texts = z.array(z.string()).readonly()

/** A thread is started with this data. */
export const queryStart = z.object({ memoryMegabytes: z.int() })

const querying = {
  /** Removes and adds graphs, in one step between two queries. */
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
    /** UTF-8. `broken`: the thread cannot be used any more. */
    answer: z.union([z.object({ body: z.instanceof(Uint8Array) }), z.object({ broken: z.enum(['memory', 'depth']) })]),
  },
}

export type QueryExchanges = ExchangesOf<typeof querying>

export type QueryRequest = QueryExchanges['query']['question']

export const QUERYING: Protocol<QueryExchanges> = querying
