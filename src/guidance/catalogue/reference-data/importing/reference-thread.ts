import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { WorkQueue } from '../../../../platform/concurrency/work-queue.ts'
import { ReadingThreads, type AskReader } from '../../../../platform/threads/reading-threads.ts'
import { siblingModule } from '../../../../platform/threads/thread.ts'
import { WaitLimit } from '../../../../platform/threads/wait-limit.ts'
import { REFERENCE, type ItemRow, type ReferenceExchanges, type ReferenceHead } from './reference-protocol.ts'
import { mayHoldReferenceData, type FileFacts } from './unpack.ts'

/** JSON is read as a whole: 50 MB of ATT&CK need some 300 MB of heap. */
const LIMITS = { heapMegabytes: 1024, youngMegabytes: 32, answerMs: 120_000, wholeMs: 300_000, megabyteMs: 10_000 }

/** Limits of one portion of items, which is fetched in the transaction that stores it. */
const TIME_LIMITS = { answerMs: 10_000, wholeMs: 60_000 }

/** A version of a list whose items stay on the thread. */
export interface ReceivedReference extends ReferenceHead {
  /** The next items from a position on; none after the last one. */
  readonly rows: (from: number) => Promise<readonly ItemRow[]>
}

/** Reads reference data on a separate thread, one file at a time because of the memory. `close` ends the thread. */
export class ReferenceReader {
  readonly #queue = new WorkQueue()
  readonly #threads = new ReadingThreads({
    module: siblingModule(import.meta.url, 'reference-worker'),
    protocol: REFERENCE,
    limits: LIMITS,
  })

  /**
   * Passes the reference data of a file to `use`; null for any other file. Refuses everything that `findReferenceData`
   * and `readReferenceData` refuse, and a file that needs too much memory (`too_large`) or time (`reading_too_long`).
   */
  async read<T>(
    file: string,
    { name = basename(file), isExpected = false }: FileFacts,
    use: (found: ReceivedReference) => Promise<T>,
  ): Promise<T | null> {
    if (!(await mayHoldReferenceData(file))) return null
    return this.#queue.run(async () => {
      const { size } = await stat(file)
      for await (const result of this.#threads.lend(size, (ask) => resultOf({ file, name, isExpected }, ask, use)))
        return result
      return null
    })
  }

  async close(): Promise<void> {
    await this.#threads.close()
  }
}

async function* resultOf<T>(
  question: ReferenceExchanges['open']['question'],
  ask: AskReader<ReferenceExchanges>,
  use: (found: ReceivedReference) => Promise<T>,
): AsyncGenerator<T, void> {
  const head = await ask('open', question)
  if (head === null) return
  const waitLimit = new WaitLimit(TIME_LIMITS)
  yield await use({ ...head, rows: (from) => ask('rows', from, waitLimit) })
}
