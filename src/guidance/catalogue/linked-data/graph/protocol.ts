import { z } from 'zod'
import type { Term } from '../../../../graph/term.ts'
import { listOf, EMPTY_PAYLOAD, type ExchangesOf, type Protocol } from '../../../../platform/threads/protocol.ts'

/** A row of a query whose columns are not checked yet. */
export type RawRow = Readonly<Partial<Record<string, Term>>>

const texts = z.array(z.string()).readonly()
const change = z.int()

const exchanges = {
  /** Receives N-Quads (UTF-8) without blank nodes for a change. Parts of an earlier, unfinished change are dropped. */
  gather: { question: z.object({ change, part: z.instanceof(Uint8Array) }), answer: EMPTY_PAYLOAD },
  /** Replaces named graphs with the received statements, in one step. */
  change: { question: z.object({ change, remove: texts }), answer: EMPTY_PAYLOAD },
  select: {
    question: z.object({
      query: z.object({ text: z.string(), columns: texts, optional: texts }),
      bind: z.record(z.string(), texts),
    }),
    answer: listOf<RawRow>(),
  },
  /** All statements as N-Quads, in no particular order. */
  dump: { question: EMPTY_PAYLOAD, answer: z.string() },
}

export type GraphExchanges = ExchangesOf<typeof exchanges>

export const GRAPH: Protocol<GraphExchanges> = exchanges
