import { z } from 'zod'
import { isRefusalCode, type RefusalCode } from '../errors.ts'

/** Questions to a thread and their answers, by kind. */
export type Exchanges<E> = {
  readonly [K in keyof E]: { readonly question: unknown; readonly answer: unknown }
}

/** Schemas that read each question and its answer on arrival. */
export type Protocol<E extends Exchanges<E>> = {
  readonly [K in keyof E]: {
    readonly question: z.ZodType<E[K]['question']>
    readonly answer: z.ZodType<E[K]['answer']>
  }
}

/** The exchanges of a protocol. */
export type ExchangesOf<P extends Readonly<Record<string, { question: z.ZodType; answer: z.ZodType }>>> = {
  readonly [K in keyof P]: {
    readonly question: z.output<P[K]['question']>
    readonly answer: z.output<P[K]['answer']>
  }
}

/** The empty payload of requests and answers that need none. */
export const EMPTY_PAYLOAD = z.null()

/**
 * The functions that answer each kind of question. Buffers in `moved` are transferred, so they cannot be used here
 * afterwards.
 */
export type Handlers<E extends Exchanges<E>> = {
  readonly [K in keyof E]: (
    question: E[K]['question'],
    moved: ArrayBuffer[],
  ) => E[K]['answer'] | Promise<E[K]['answer']>
}

/**
 * An object of our own code with at least these members. Their values are not checked: they may be large, and the
 * compiler checks both sides against one type.
 */
export function objectWith<T extends object>(...members: readonly (keyof T & string)[]): z.ZodType<T> {
  return z.custom<T>(
    (value) => typeof value === 'object' && value !== null && members.every((member) => member in value),
  )
}

export function listOf<T extends object>(...members: readonly (keyof T & string)[]): z.ZodType<readonly T[]> {
  return z.array(objectWith<T>(...members))
}

export const sentQuestion = z.object({ id: z.number(), kind: z.string(), question: z.unknown() })

/** Memory of a thread, in bytes. */
const memory = z.object({
  /** JavaScript heap: used bytes, and bytes that V8 has reserved. */
  heap: z.number(),
  committed: z.number(),
  /** WebAssembly and bytes. */
  external: z.number(),
})

export type ThreadMemory = z.output<typeof memory>

/** Messages of a thread: that it is ready, one reply for each question, and sometimes its memory. */
export const sentReply = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('memory'), memory }),
  z.object({ kind: z.literal('answer'), id: z.number(), answer: z.unknown() }),
  z.object({
    kind: z.literal('refusal'),
    id: z.number(),
    code: z.custom<RefusalCode>((code) => typeof code === 'string' && isRefusalCode(code)),
    detail: z.string(),
    members: z.record(z.string(), z.unknown()),
  }),
  z.object({ kind: z.literal('failure'), id: z.number(), stack: z.string() }),
])

export type SentReply = z.output<typeof sentReply>
