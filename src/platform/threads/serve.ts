import { getHeapStatistics } from 'node:v8'
import { parentPort, type MessagePort } from 'node:worker_threads'
import { collectGarbage } from '../v8/garbage.ts'
import { Heap } from '../v8/heap.ts'
import { sentQuestion, type Exchanges, type Handlers, type Protocol, type SentReply } from './protocol.ts'
import { failureOf, replyTo } from './reply.ts'

/** A thread reports its memory this long after an answer. */
const MEMORY_MS = 2000
/** A thread that was asked nothing for so long gives back what it no longer needs. */
const QUIET_MS = 10_000
/**
 * Opening leaves garbage behind, and V8 sizes the heap by what it found last: of a thread that is asked all the time, the
 * room would stay.
 */
const OPENED_MS = 15_000
/** Minimum interval, because no request is answered in the meantime. */
const GROWN_MS = 60_000
/**
 * Answers a `SupervisedThread`, from when this is called. For the module on the thread, which gives back what it took to
 * open once it has answered for so long.
 */
export function serve<E extends Exchanges<E>>(
  protocol: Protocol<E>,
  handlers: Handlers<E>,
  openedMs = OPENED_MS,
): void {
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
  const tellSoon = memoryTeller(port, heap)
  port.on('message', (message: unknown) => void answer(message).then(tellSoon))
  port.postMessage({ kind: 'ready' } satisfies SentReply)
  tellMemory(port)
  setTimeout(() => {
    heap.collect()
    tellSoon()
  }, openedMs).unref()
}

/** To be called after each answer. */
function memoryTeller(port: MessagePort, heap: Heap): () => void {
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
