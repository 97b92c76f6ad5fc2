import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import {
  sentQuestion,
  type Exchanges,
  type Handlers,
  type Protocol,
  type SentReply,
} from './protocol.ts'
import { failureOf, replyTo } from './reply.ts'

/** Whoever is idle has the heap that it had. */
const HEAP_MS = 2000

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
  let toldAt = -HEAP_MS
  const tellHeap = (): void => {
    if (performance.now() - toldAt < HEAP_MS) return
    toldAt = performance.now()
    const { used_heap_size: bytes } = getHeapStatistics()
    port.postMessage({ kind: 'heap', bytes } satisfies SentReply)
  }
  port.on('message', (message: unknown) => void answer(message).then(tellHeap))
  port.postMessage({ kind: 'ready' } satisfies SentReply)
  tellHeap()
}
