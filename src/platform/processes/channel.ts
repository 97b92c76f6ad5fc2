import { z } from 'zod'
import { Refusal } from '../errors.ts'
import { sentQuestion, sentReply, type Exchanges, type Handlers, type Protocol } from '../threads/protocol.ts'
import { replyTo } from '../threads/reply.ts'

/** One end of the connection between two processes (`node:child_process`). */
export interface ProcessLink {
  readonly send: (message: object) => void
  readonly onMessage: (listener: (message: unknown) => void) => void
}

const envelope = z.union([z.object({ ask: sentQuestion }), z.object({ reply: sentReply })])

interface PendingQuestion {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/** Sends the requests of one protocol to another process, and answers those of a second protocol. */
export class Channel<Outgoing extends Exchanges<Outgoing>, Incoming extends Exchanges<Incoming>> {
  readonly #link: ProcessLink
  readonly #outgoing: Protocol<Outgoing>
  readonly #pending = new Map<number, PendingQuestion>()
  #lastId = 0
  #end: Error | null = null

  constructor(
    wire: ProcessLink,
    outgoing: Protocol<Outgoing>,
    incoming: { readonly protocol: Protocol<Incoming>; readonly handlers: Handlers<Incoming> },
  ) {
    this.#link = wire
    this.#outgoing = outgoing
    wire.onMessage((message) => {
      const sent = envelope.safeParse(message).data
      if (sent === undefined) return
      if ('reply' in sent) this.#settle(sent.reply)
      else
        void replyTo(sent.ask, incoming.protocol, incoming.handlers).then(({ reply }) => {
          if (this.#end === null) wire.send({ reply })
        })
    })
  }

  /** Fails if the other process has ended or ends before its answer. */
  async ask<K extends keyof Outgoing & string>(
    kind: K,
    question: Outgoing[K]['question'],
  ): Promise<Outgoing[K]['answer']> {
    if (this.#end !== null) throw this.#end
    this.#lastId += 1
    const id = this.#lastId
    const answer = await new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#link.send({ ask: { id, kind, question } })
    })
    return this.#outgoing[kind].answer.parse(answer)
  }

  /** Rejects all pending requests, because the other process has ended. */
  close(): void {
    this.#end = new Error('The other process has ended')
    for (const { reject } of this.#pending.values()) reject(this.#end)
    this.#pending.clear()
  }

  #settle(reply: z.output<typeof sentReply>): void {
    if (reply.kind === 'ready' || reply.kind === 'memory') return
    const pending = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    if (reply.kind === 'answer') pending?.resolve(reply.answer)
    else if (reply.kind === 'failure') pending?.reject(new Error(reply.stack))
    else pending?.reject(new Refusal(reply.code, reply.detail, reply.members))
  }
}
