import { parentPort } from 'node:worker_threads'
import { messageOf, Refusal } from '../errors.ts'
import { sentQuestion, type Exchanges, type Protocol, type SentReply } from './protocol.ts'

/** What answers each kind of question. Buffers in `moved` go to the other thread and are gone here. */
export type Handlers<E extends Exchanges<E>> = {
  readonly [K in keyof E]: (
    question: E[K]['question'],
    moved: ArrayBuffer[],
  ) => E[K]['answer'] | Promise<E[K]['answer']>
}

/** Answers an `AskedThread`, from when this is called. For the module on the thread. */
export function serve<E extends Exchanges<E>>(protocol: Protocol<E>, handlers: Handlers<E>): void {
  const port = parentPort
  if (port === null) throw new Error('This module runs on a thread of its own')
  const reply = async (message: unknown): Promise<void> => {
    const { id, kind, question } = sentQuestion.parse(message)
    const moved: ArrayBuffer[] = []
    try {
      if (!isKind(protocol, kind)) throw new Error(`Nobody answers "${kind}" here`)
      const found = await handlers[kind](protocol[kind].question.parse(question), moved)
      port.postMessage({ kind: 'answer', id, answer: found } satisfies SentReply, moved)
    } catch (error) {
      port.postMessage(failureOf(id, error))
    }
  }
  port.on('message', (message: unknown) => void reply(message))
  port.postMessage({ kind: 'ready' } satisfies SentReply)
}

function isKind<E extends Exchanges<E>>(
  protocol: Protocol<E>,
  kind: string,
): kind is keyof E & string {
  return Object.hasOwn(protocol, kind)
}

function failureOf(id: number, error: unknown): SentReply {
  if (error instanceof Refusal) {
    const { code, message: detail, members } = error
    return { kind: 'refusal', id, code, detail, members }
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
  return { kind: 'failure', id, stack }
}
