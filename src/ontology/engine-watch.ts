import { setTimeout as sleep } from 'node:timers/promises'
import { SparqlEngine, type EngineSettings } from '../graph/engine/engine.ts'
import { messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'

const WATCH_MS = 2000
const DEADLINE_MS = 5000
const PROBE = 'ASK { ?subject ?predicate ?object }'
const ACCEPT = 'application/sparql-results+json'

interface WatchOptions {
  readonly log: Log
  /** Called when it answers again. */
  readonly onRecovery: () => void
  readonly everyMs?: number | undefined
}

/** Checks every two seconds whether the engine that holds the releases answers. */
export class EngineWatch {
  /** Resolves after the first check. */
  readonly firstProbe: Promise<void>
  readonly #engine: SparqlEngine
  readonly #options: WatchOptions
  readonly #stop = new AbortController()
  #isAway = false

  constructor(settings: EngineSettings, options: WatchOptions) {
    this.#engine = new SparqlEngine(settings, { deadlineMs: DEADLINE_MS, tries: 1 })
    this.#options = options
    this.firstProbe = this.#probe()
    void this.#watch()
  }

  get isAway(): boolean {
    return this.#isAway
  }

  close(): void {
    this.#stop.abort()
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop
    await this.firstProbe
    while (!signal.aborted) {
      const pause = this.#options.everyMs ?? WATCH_MS
      await sleep(pause, undefined, { ref: false, signal }).catch(() => null)
      await this.#probe()
    }
  }

  async #probe(): Promise<void> {
    const { log, onRecovery } = this.#options
    try {
      const { signal } = this.#stop
      const response = await this.#engine.query(PROBE, { accept: ACCEPT, signal })
      await response.body?.cancel()
      if (!this.#isAway) return
      this.#isAway = false
      log.info({ url: this.#engine.url }, 'The SPARQL engine answers again')
      onRecovery()
    } catch (error) {
      if (this.#isAway || this.#stop.signal.aborted) return
      this.#isAway = true
      const facts = { url: this.#engine.url, error: messageOf(error) }
      log.error(facts, 'The SPARQL engine does not answer: cached answers are served')
    }
  }
}
