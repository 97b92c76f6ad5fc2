import { Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { SupervisedThread, factsOf } from '../../platform/threads/supervised-thread.ts'
import { siblingModule } from '../../platform/threads/thread.ts'
import { shuttingDownRefusal } from '../threads/query-queue.ts'
import { TRANSLATING, type TranslatedAnswer, type TranslationExchanges } from './translation.ts'

/** A row is some ten times as large as its text, and there are up to three answers at a time. */
const LIMITS = { heapMegabytes: 2048, openingMs: 60_000, answerMs: 60_000 }

/** A thread that rewrites the answers of engines. It starts when it is first needed, and again after it has died. */
export class TranslationThread {
  readonly #log: Log
  #thread: SupervisedThread<TranslationExchanges> | null = null
  #closed = false

  constructor(log: Log) {
    this.#log = log
  }

  async translate(question: TranslationExchanges['translate']['question']): Promise<TranslatedAnswer> {
    const { form, body, format, maxRows, maxBytes } = question
    if (this.#closed) throw shuttingDownRefusal()
    if (this.#thread?.alive !== true) this.#thread = this.#start()
    return this.#thread.ask('translate', { form, body, format, maxRows, maxBytes })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#thread?.close(shuttingDownRefusal())
  }

  #start(): SupervisedThread<TranslationExchanges> {
    return new SupervisedThread({
      module: siblingModule(import.meta.url, 'translation-worker'),
      protocol: TRANSLATING,
      limits: LIMITS,
      refuse: (death) => {
        this.#log.error(factsOf(death), 'The thread that reads answers of the engine was ended')
        return new Refusal('answer_abandoned', 'The answer of the engine could not be read.')
      },
    })
  }
}
