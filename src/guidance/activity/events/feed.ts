import { EventEmitter } from 'node:events'
import { messageOf } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { Database } from '../../database/database.ts'
import { PresenceWatch } from '../presence/watch.ts'
import { findHorizon } from './horizon.ts'

/** The interval at which events of other processes are looked for. */
const LOOK_MS = 500
/** The delay after a commit of this process; commits in a row share one look. */
const SOON_MS = 20

/** Knows up to where events are complete, while somebody follows them. */
export class EventFeed {
  readonly #database: Database
  readonly #log: Log
  readonly #news = new EventEmitter()
  readonly #stopListening: () => void
  /** Streams that ask for presences read them here. */
  readonly presences: PresenceWatch
  #horizon = 0
  #followers = 0
  #timer: NodeJS.Timeout | null = null
  #due = Infinity
  #looking: Promise<void> | null = null
  #closed = false

  constructor({ database, log }: { readonly database: Database; readonly log: Log }) {
    this.#database = database
    this.#log = log
    this.presences = new PresenceWatch(database)
    // Each stream adds a listener.
    this.#news.setMaxListeners(0)
    this.#stopListening = database.onNews('events', () => {
      this.#plan(SOON_MS)
    })
  }

  /** The number up to which events may be sent. */
  get horizon(): number {
    return this.#horizon
  }

  /** Looks for events until the returned function is called. */
  follow(): () => void {
    this.#followers += 1
    this.#plan(0)
    return () => {
      this.#followers -= 1
    }
  }

  /** Resolves when there are new events, after `atMostMs`, or when the signal aborts. */
  async news(atMostMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#news.off('news', done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, atMostMs)
      this.#news.on('news', done)
      signal.addEventListener('abort', done)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stopListening()
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#looking
  }

  /** Schedules a look, unless an earlier one is scheduled. */
  #plan(inMs: number): void {
    const due = Date.now() + inMs
    if (this.#closed || this.#followers === 0 || due >= this.#due) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#due = due
    this.#timer = setTimeout(() => {
      this.#due = Infinity
      if (this.#looking === null) this.#looking = this.#look()
      else this.#plan(SOON_MS)
    }, inMs)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    try {
      const { horizon } = await findHorizon(this.#database)
      const haveMoved = await this.presences.look()
      if (horizon > this.#horizon || haveMoved) {
        this.#horizon = Math.max(horizon, this.#horizon)
        this.#news.emit('news')
      }
    } catch (error) {
      this.#log.warn({ reason: messageOf(error) }, 'New events cannot be read')
    }
    this.#looking = null
    this.#plan(LOOK_MS)
  }
}
