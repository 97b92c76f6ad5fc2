import { z } from 'zod'
import type { MetricsInJson } from '../metrics/combined-metrics.ts'
import { NOTHING, type ExchangesOf } from '../platform/threads/protocol.ts'

const counted = z.object({ limit: z.string(), key: z.string() })

/** Questions of a serving process to the leading one. */
export const TO_LEADER = {
  /** Reports the number of the process. */
  place: {
    question: NOTHING,
    answer: z.object({ number: z.int(), of: z.int(), begins: z.boolean() }),
  },
  /** The database is up to date and in order, so that others can open it. */
  opened: { question: NOTHING, answer: NOTHING },
  /** It listens. */
  serving: { question: NOTHING, answer: NOTHING },
  /** Counts something that is limited; `waitSeconds` is null where it is allowed. */
  count: {
    question: counted,
    answer: z.object({ waitSeconds: z.number().nullable(), isFirstRefused: z.boolean() }),
  },
  forgive: { question: counted, answer: NOTHING },
  /** Counts a failed attempt with an address that has no account. */
  stranger: { question: z.string(), answer: z.number() },
}

/** Questions of the leading process to the others. */
export const TO_MEMBER = {
  /** Its metrics, as `prom-client` has them in JSON. */
  metrics: { question: NOTHING, answer: z.custom<MetricsInJson>(Array.isArray) },
  /** Answered when it begins to stop. */
  stop: { question: NOTHING, answer: NOTHING },
}

export type ToLeader = ExchangesOf<typeof TO_LEADER>
export type ToMember = ExchangesOf<typeof TO_MEMBER>
