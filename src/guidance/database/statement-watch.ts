import type { LogEvent } from 'kysely'
import type { Log } from '../../platform/log.ts'

/** The log cuts statements after this many characters, because long lists of parameters are not informative. */
const MAX_LOGGED = 1000

interface StatementFigures {
  readonly count: number
  readonly ms: number
  readonly slow: number
  /** Number of attempts that found the SQLite file locked. */
  readonly busy: number
}

/** Counts statements, and logs the text of slow ones, never their parameters. */
export class StatementWatch {
  readonly #log: Log
  /** In milliseconds; 0: none is slow. */
  readonly #slowMs: number
  #count = 0
  #ms = 0
  #slow = 0
  #busy = 0

  constructor(log: Log, slowMs: number) {
    this.#log = log
    this.#slowMs = slowMs
  }

  /** Since the start. */
  get figures(): StatementFigures {
    return { count: this.#count, ms: this.#ms, slow: this.#slow, busy: this.#busy }
  }

  /** Counts a statement that found the SQLite file locked, and is retried. */
  noteBusy(): void {
    this.#busy += 1
  }

  note({ query, queryDurationMillis: ms }: LogEvent): void {
    this.#count += 1
    this.#ms += ms
    if (this.#slowMs === 0 || ms < this.#slowMs) return
    this.#slow += 1
    const statement = query.sql.slice(0, MAX_LOGGED)
    this.#log.warn({ ms: Math.round(ms), statement }, 'A statement is slow')
  }
}
