import { z } from 'zod'
import { Refusal } from '../errors.ts'
import {
  sentQuestion,
  sentReply,
  type Exchanges,
  type Handlers,
  type Protocol,
} from '../threads/protocol.ts'
import { replyTo } from '../threads/reply.ts'

/** An end of what connects two processes: `send` of `node:child_process`, and what it receives. */
export interface Wire {
  readonly send: (message: object) => void
  readonly onMessage: (listener: (message: unknown) => void) => void
}

const envelope = z.union([z.object({ ask: sentQuestion }), z.object({ reply: sentReply })])

interface Pending {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/** Asks another process as a protocol has it, and answers what that asks by another one. */
export class Channel<Asked extends Exchanges<Asked>, Answered extends Exchanges<Answered>> {
  readonly #wire: Wire
  readonly #asked: Protocol<Asked>
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #end: Error | null = null

  constructor(
    wire: Wire,
    asked: Protocol<Asked>,
    answered: { readonly protocol: Protocol<Answered>; readonly handlers: Handlers<Answered> },
  ) {
    this.#wire = wire
    this.#asked = asked
    wire.onMessage((message) => {
      const sent = envelope.safeParse(message).data
      if (sent === undefined) return
      if ('reply' in sent) this.#settle(sent.reply)
      else
        void replyTo(sent.ask, answered.protocol, answered.handlers).then(({ reply }) => {
          if (this.#end === null) wire.send({ reply })
        })
    })
  }

  /** Fails where the other process has ended, or ends. */
  async ask<K extends keyof Asked & string>(
    kind: K,
    question: Asked[K]['question'],
  ): Promise<Asked[K]['answer']> {
    if (this.#end !== null) throw this.#end
    this.#lastId += 1
    const id = this.#lastId
    const answer = await new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#wire.send({ ask: { id, kind, question } })
    })
    return this.#asked[kind].answer.parse(answer)
  }

  /** The other process has ended. */
  close(): void {
    this.#end = new Error('The other process has ended')
    for (const { reject } of this.#pending.values()) reject(this.#end)
    this.#pending.clear()
  }

  #settle(reply: z.output<typeof sentReply>): void {
    if (reply.kind === 'ready' || reply.kind === 'memory') return
    const asked = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    if (reply.kind === 'answer') asked?.resolve(reply.answer)
    else if (reply.kind === 'failure') asked?.reject(new Error(reply.stack))
    else asked?.reject(new Refusal(reply.code, reply.detail, reply.members))
  }
}
