import { nextTurn } from '../concurrency/turns.ts'
import { AccountQueue } from './account-queue.ts'
import type { PartExchanges } from './parts.ts'
import type { Protocol } from './protocol.ts'
import { ReadingThreads } from './reading-threads.ts'

/** Reading takes seconds on a fast machine; the limits allow minutes for slow ones. */
const LIMITS = { heapMegabytes: 384, answerMs: 120_000, wholeMs: 240_000, megabyteMs: 2000 }

/** Each thread may need some hundred megabytes. */
const queue = new AccountQueue({ atOnce: 2, waiting: 40, waitingEach: 5 })

interface SentFile<Task> {
  /** Names the file for the thread. */
  readonly task: Task
  readonly bytes: number
  /** Account that sent the file. Accounts take turns, so that one cannot hold up another. */
  readonly account: number
}

/**
 * Reads files part by part with a module that has `partsHandlers`, on `ReadingThreads`. Refuses as they do, and with
 * `overloaded` if too many wait.
 */
export function partsReader<Task, Part>(
  module: URL,
  protocol: Protocol<PartExchanges<Task, Part>>,
): (file: SentFile<Task>) => AsyncGenerator<Part, void> {
  const threads = new ReadingThreads({ module, protocol, limits: LIMITS })
  return async function* ({ task, bytes, account }) {
    await queue.enter(account)
    try {
      yield* threads.lend(bytes, async function* (ask) {
        let part = await ask('open', task)
        while (part !== null) {
          yield part
          await nextTurn()
          part = await ask('next', null)
        }
      })
    } finally {
      queue.leave(account)
    }
  }
}
