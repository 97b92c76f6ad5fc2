import { nextTurn } from '../turns.ts'
import { FairGate } from './fair-gate.ts'
import type { Parts } from './parts.ts'
import type { Protocol } from './protocol.ts'
import { ReadingThreads } from './reading-threads.ts'

/** What takes seconds on a good machine has minutes on a slow one. */
const LIMITS = { heapMegabytes: 384, answerMs: 120_000, wholeMs: 240_000, megabyteMs: 2000 }

/** Each thread may need some hundred megabytes. */
const gate = new FairGate({ atOnce: 2, waiting: 40, waitingEach: 5 })

interface SentFile {
  readonly path: string
  readonly bytes: number
  /** Whose file it is: nobody's files hold up those of others. */
  readonly account: number
}

/**
 * What a module with `partsHandlers` reads, part by part, on `ReadingThreads`. Refuses as they do, and
 * `overloaded` where too many wait.
 */
export function partsReader<Part>(
  module: URL,
  protocol: Protocol<Parts<string, Part>>,
): (file: SentFile) => AsyncGenerator<Part, void> {
  const threads = new ReadingThreads({ module, protocol, limits: LIMITS })
  return async function* ({ path, bytes, account }) {
    await gate.enter(account)
    try {
      yield* threads.lend(bytes, async function* (ask) {
        let part = await ask('open', path)
        while (part !== null) {
          yield part
          await nextTurn()
          part = await ask('next', null)
        }
      })
    } finally {
      gate.leave(account)
    }
  }
}
