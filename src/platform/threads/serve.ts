import { getHeapStatistics } from 'node:v8'
import { parentPort, type MessagePort } from 'node:worker_threads'
import { collectGarbage } from '../v8/garbage.ts'
import { Heap } from '../v8/heap.ts'
import { sentQuestion, type Exchanges, type Handlers, type Protocol, type SentReply } from './protocol.ts'
import { failureOf, replyTo } from './reply.ts'

/** A thread reports its memory this long after an answer. */
const MEMORY_MS = 2000
/** A thread without a request for this long frees memory. */
const QUIET_MS = 10_000
/**
 * Opening leaves garbage, and V8 sizes the heap by its last collection. A thread that is always busy would keep that
 * size, so garbage is collected once, this long after opening.
 */
const OPENED_MS = 15_000
/** Minimum interval between collections, because no request is answered meanwhile. */
const GROWN_MS = 60_000
/**
 * Answers the requests of a `SupervisedThread`. The module on the thread calls it when it is ready. After `OPENED_MS`, the
 * memory that opening has left is freed.
 */
export function serve<E extends Exchanges<E>>(protocol: Protocol<E>, handlers: Handlers<E>): void {
  const port = parentPort
  if (port === null) throw new Error('This module runs on a thread of its own')
  const answer = async (message: unknown): Promise<void> => {
    const question = sentQuestion.parse(message)
    const { reply, moved } = await replyTo(question, protocol, handlers)
    try {
      port.postMessage(reply, moved)
    } catch (error) {
      // Some values cannot be sent to another thread.
      port.postMessage(failureOf(question.id, error))
    }
  }
  const heap = new Heap(GROWN_MS)
  const reportSoon = memoryReporter(port, heap)
  port.on('message', (message: unknown) => void answer(message).then(reportSoon))
  port.postMessage({ kind: 'ready' } satisfies SentReply)
  tellMemory(port)
  setTimeout(() => {
    heap.collect()
    reportSoon()
  }, OPENED_MS).unref()
}

/** Returns a function that has to be called after each answer. */
function memoryReporter(port: MessagePort, heap: Heap): () => void {
  let isDue = false
  const soon = (): void => {
    isDue = false
    heap.collectIfGrown()
    tellMemory(port)
  }
  const quiet = setTimeout(() => {
    heap.collect()
    setTimeout(() => {
      collectGarbage('minor')
      tellMemory(port)
    }, MEMORY_MS).unref()
  }, QUIET_MS).unref()
  return () => {
    quiet.refresh()
    if (isDue) return
    isDue = true
    setTimeout(soon, MEMORY_MS).unref()
  }
}

function tellMemory(port: MessagePort): void {
  const { used_heap_size, total_heap_size, external_memory } = getHeapStatistics()
  const memory = { heap: used_heap_size, committed: total_heap_size, external: external_memory }
  port.postMessage({ kind: 'memory', memory } satisfies SentReply)
}
