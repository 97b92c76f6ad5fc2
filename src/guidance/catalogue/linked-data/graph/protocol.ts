import { z } from 'zod'
import type { Term } from '../../../../graph/term.ts'
import {
  listOf,
  NOTHING,
  type ExchangesOf,
  type Protocol,
} from '../../../../platform/threads/protocol.ts'

/** A row of a query, its columns not yet checked. */
export type RawRow = Readonly<Partial<Record<string, Term>>>

const texts = z.array(z.string()).readonly()
const change = z.int()

const asking = {
  /** N-Quads (UTF-8) for a change. What was gathered for another one is forgotten. */
  gather: { question: z.object({ change, part: z.instanceof(Uint8Array) }), answer: NOTHING },
  /**
   * Puts what was gathered in the place of named graphs, with nobody asking in between; how many statements
   * there are now.
   */
  change: { question: z.object({ change, remove: texts }), answer: z.int() },
  select: {
    question: z.object({
      query: z.object({ text: z.string(), columns: texts, optional: texts }),
      bind: z.record(z.string(), texts),
    }),
    answer: listOf<RawRow>(),
  },
  /** Everything, as N-Quads in no particular order. */
  dump: { question: NOTHING, answer: z.string() },
}

export type GraphExchanges = ExchangesOf<typeof asking>

export const GRAPH: Protocol<GraphExchanges> = asking
