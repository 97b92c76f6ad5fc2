import { z } from 'zod'
import type { MetricsInJson } from '../metrics/combined-metrics.ts'
import { EMPTY_PAYLOAD, type ExchangesOf } from '../platform/threads/protocol.ts'

const counted = z.object({ limit: z.string(), key: z.string() })

/** Requests of a serving process to the leading one. */
export const TO_LEADER = {
  /** The position of the process among all. */
  position: {
    question: EMPTY_PAYLOAD,
    answer: z.object({ number: z.int(), count: z.int(), isFirst: z.boolean() }),
  },
  /** Reports that the database is upgraded, so that other processes can open it. */
  opened: { question: EMPTY_PAYLOAD, answer: EMPTY_PAYLOAD },
  /** Reports that the process listens. */
  serving: { question: EMPTY_PAYLOAD, answer: EMPTY_PAYLOAD },
  /** Counts towards a limit; `waitSeconds` is null if the limit is not exceeded. */
  count: {
    question: counted,
    answer: z.object({ waitSeconds: z.number().nullable(), isFirstRefused: z.boolean() }),
  },
  forgive: { question: counted, answer: EMPTY_PAYLOAD },
  /** Counts a failed attempt with an address that has no account. */
  unknownAddress: { question: z.string(), answer: z.number() },
}

/** Requests of the leading process to the others. */
export const TO_MEMBER = {
  /** Its metrics, in the JSON of `prom-client`. */
  metrics: { question: EMPTY_PAYLOAD, answer: z.custom<MetricsInJson>(Array.isArray) },
  /** Answered when it begins to stop. */
  stop: { question: EMPTY_PAYLOAD, answer: EMPTY_PAYLOAD },
}

export type ToLeader = ExchangesOf<typeof TO_LEADER>
export type ToMember = ExchangesOf<typeof TO_MEMBER>
