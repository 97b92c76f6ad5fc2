import type { z } from 'zod'
import { messageOf, Refusal } from '../errors.ts'
import type { Exchanges, Handlers, Protocol, sentQuestion, SentReply } from './protocol.ts'

/** Makes the reply to a question; buffers in `moved` are transferred. Never rejects. */
export async function replyTo<E extends Exchanges<E>>(
  { id, kind, question }: z.output<typeof sentQuestion>,
  protocol: Protocol<E>,
  handlers: Handlers<E>,
): Promise<{ readonly reply: SentReply; readonly moved: ArrayBuffer[] }> {
  const moved: ArrayBuffer[] = []
  try {
    if (!isKind(protocol, kind)) throw new Error(`Nobody answers "${kind}" here`)
    const answer = await handlers[kind](protocol[kind].question.parse(question), moved)
    return { reply: { kind: 'answer', id, answer }, moved }
  } catch (error) {
    return { reply: failureOf(id, error), moved: [] }
  }
}

function isKind<E extends Exchanges<E>>(protocol: Protocol<E>, kind: string): kind is keyof E & string {
  return Object.hasOwn(protocol, kind)
}

export function failureOf(id: number, error: unknown): SentReply {
  if (error instanceof Refusal) {
    const { code, message: detail, members } = error
    return { kind: 'refusal', id, code, detail, members }
  }
  return { kind: 'failure', id, stack: error instanceof Error ? (error.stack ?? error.message) : messageOf(error) }
}
