import { parentPort } from 'node:worker_threads'
import {
  sentQuestion,
  type Exchanges,
  type Handlers,
  type Protocol,
  type SentReply,
} from './protocol.ts'
import { failureOf, replyTo } from './reply.ts'

/** Answers an `AskedThread`, from when this is called. For the module on the thread. */
export function serve<E extends Exchanges<E>>(protocol: Protocol<E>, handlers: Handlers<E>): void {
  const port = parentPort
  if (port === null) throw new Error('This module runs on a thread of its own')
  const answer = async (message: unknown): Promise<void> => {
    const question = sentQuestion.parse(message)
    const { reply, moved } = await replyTo(question, protocol, handlers)
    try {
      port.postMessage(reply, moved)
    } catch (error) {
      // What cannot be sent to another thread.
      port.postMessage(failureOf(question.id, error))
    }
  }
  port.on('message', (message: unknown) => void answer(message))
  port.postMessage({ kind: 'ready' } satisfies SentReply)
}
