import { EventEmitter } from 'node:events'
import { messageOf } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { Database } from '../../database/database.ts'
import { PresenceWatch } from '../presence/watch.ts'
import { findHorizon } from './visible-events.ts'

/** Interval of polling for events of other processes. */
const POLL_INTERVAL_MS = 500
/** Delay after a commit of this process, so that several commits share one poll. */
const COMMIT_DELAY_MS = 20

/** Polls for new events while streams are open. */
export class EventFeed {
  readonly #database: Database
  readonly #log: Log
  readonly #emitter = new EventEmitter()
  readonly #stopListening: () => void
  /** Streams that ask for presences read them here. */
  readonly presences: PresenceWatch
  #horizon = 0
  #followers = 0
  #timer: NodeJS.Timeout | null = null
  #due = Infinity
  #polling: Promise<void> | null = null
  #closed = false

  constructor({ database, log }: { readonly database: Database; readonly log: Log }) {
    this.#database = database
    this.#log = log
    this.presences = new PresenceWatch(database)
    // Each stream adds a listener.
    this.#emitter.setMaxListeners(0)
    this.#stopListening = database.onNews('events', () => {
      this.#schedulePoll(COMMIT_DELAY_MS)
    })
  }

  /** The number up to which events may be sent. */
  get horizon(): number {
    return this.#horizon
  }

  /** Polls until the returned function is called. */
  follow(): () => void {
    this.#followers += 1
    this.#schedulePoll(0)
    return () => {
      this.#followers -= 1
    }
  }

  /** Resolves when there are new events, after `atMostMs`, or when the signal aborts. */
  async waitForEvents(atMostMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#emitter.off('news', done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, atMostMs)
      this.#emitter.on('news', done)
      signal.addEventListener('abort', done)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stopListening()
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#polling
  }

  /** Schedules a poll, unless an earlier one is scheduled. */
  #schedulePoll(inMs: number): void {
    const due = Date.now() + inMs
    if (this.#closed || this.#followers === 0 || due >= this.#due) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#due = due
    this.#timer = setTimeout(() => {
      this.#due = Infinity
      if (this.#polling === null) this.#polling = this.#poll()
      else this.#schedulePoll(COMMIT_DELAY_MS)
    }, inMs)
    this.#timer.unref()
  }

  async #poll(): Promise<void> {
    try {
      const { horizon } = await findHorizon(this.#database)
      const presencesChanged = await this.presences.refresh()
      if (horizon > this.#horizon || presencesChanged) {
        this.#horizon = Math.max(horizon, this.#horizon)
        this.#emitter.emit('news')
      }
    } catch (error) {
      this.#log.warn({ reason: messageOf(error) }, 'New events cannot be read')
    }
    this.#polling = null
    this.#schedulePoll(POLL_INTERVAL_MS)
  }
}
