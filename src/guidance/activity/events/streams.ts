import { setTimeout as sleep } from 'node:timers/promises'
import type { Heartbeat, ServerEvent } from '../../../http/answer/answers.ts'
import type { Caller } from '../../../http/caller.ts'
import { shareCalls } from '../../../platform/concurrency/share-calls.ts'
import { nextTurn } from '../../../platform/concurrency/turns.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { Database } from '../../database/database.ts'
import { isUnreachable } from '../../database/faults.ts'
import { findPresences } from '../presence/reader.ts'
import { EventFeed } from './feed.ts'
import { readForAll, type StreamRequest } from './read-for-all.ts'
import { findStart, type EventBatch, type EventFilter, type StreamStart } from './reader.ts'

/** Open streams of one person, and of all, in this process. */
const MAX_OWN = 10
const MAX_ALL = 200
/** Events that one query reads. */
const BATCH_SIZE = 200
/** Without events, a heartbeat is sent and the caller's access checked this often. */
const HEARTBEAT_MS = 15_000

/** Least interval between two queries of a stream, so that events in quick succession share one. */
const MIN_INTERVAL_MS = 250

/** Streams that read within this time share one query, because new events reach all of them at once. */
const SHARED_QUERY_MS = 5

interface StreamOptions {
  readonly database: Database
  readonly log: Log
  /** The current state of each caller; null if the caller may no longer follow events. */
  readonly findValidCallers: (callers: readonly Caller[]) => Promise<readonly (Caller | null)[]>
  readonly heartbeatMs?: number
}

interface Follower {
  readonly caller: Caller
  readonly filter: EventFilter
  /** The last event that the client has; null begins with the next one. */
  readonly after: number | null
}

/** The open event streams of this process. */
export class EventStreams {
  readonly #options: StreamOptions
  readonly #feed: EventFeed
  readonly #findValidCaller: (caller: Caller) => Promise<Caller | null>
  readonly #read: (reading: StreamRequest) => Promise<EventBatch>
  readonly #open = new Map<AbortController, number>()
  #closed = false

  constructor(options: StreamOptions) {
    this.#options = options
    this.#feed = new EventFeed(options)
    this.#findValidCaller = shareCalls(options.findValidCallers, SHARED_QUERY_MS)
    this.#read = shareCalls((readings) => readForAll(options.database.read, readings), SHARED_QUERY_MS)
  }

  /** Streams that are open. */
  get count(): number {
    return this.#open.size
  }

  /** Begins a stream, which must be read or cancelled; refused if there are too many. */
  async open(
    follower: Follower,
  ): Promise<{ readonly events: AsyncIterable<ServerEvent | Heartbeat>; readonly cancel: () => void }> {
    const ending = new AbortController()
    this.#register(follower.caller.id, ending)
    const unwatch = this.#watch(follower.filter)
    const unfollow = this.#feed.follow()
    const cancel = (): void => {
      ending.abort()
      if (!this.#open.delete(ending)) return
      unfollow()
      unwatch?.()
    }
    try {
      const { caller, after } = follower
      const start = await findStart(this.#options.database, caller, after)
      const events = this.#produceEvents(follower, start, ending.signal)
      return { events: this.#endCleanly(events, ending.signal, cancel), cancel }
    } catch (error) {
      cancel()
      throw error
    }
  }

  /** Ends all streams and begins no more. */
  drain(): void {
    this.#closed = true
    for (const ending of this.#open.keys()) ending.abort()
  }

  async close(): Promise<void> {
    this.drain()
    await this.#feed.close()
  }

  #watch({ presences, componentId }: EventFilter): (() => void) | null {
    return presences && componentId !== null ? this.#feed.presences.follow(componentId) : null
  }

  #register(userId: number, ending: AbortController): void {
    if (this.#closed) throw new Refusal('overloaded', 'The service is shutting down. Try again.')
    if (this.#open.size >= MAX_ALL)
      throw new Refusal('overloaded', 'Too many streams of events are open. Try again later.')
    const openCount = [...this.#open.values()].filter((id) => id === userId).length
    if (openCount >= MAX_OWN)
      throw new Refusal('rate_limited', `You have ${MAX_OWN} streams of events open already.`, {
        retry_after: HEARTBEAT_MS / 1000,
      })
    this.#open.set(ending, userId)
  }

  /**
   * Closes the stream after any end. If the database does not answer, the stream ends without an error, and clients resume.
   */
  async *#endCleanly(
    events: AsyncIterable<ServerEvent | Heartbeat>,
    signal: AbortSignal,
    cancel: () => void,
  ): AsyncGenerator<ServerEvent | Heartbeat> {
    try {
      yield* events
    } catch (error) {
      // The last query of the stream may fail because the database was closed.
      if (signal.aborted) return
      if (!isUnreachable(error)) throw error
      this.#options.log.warn('A stream of events ends: the database does not answer')
    } finally {
      cancel()
    }
  }

  async *#produceEvents(
    { caller, filter, after }: Follower,
    start: StreamStart,
    signal: AbortSignal,
  ): AsyncGenerator<ServerEvent | Heartbeat> {
    const { heartbeatMs = HEARTBEAT_MS } = this.#options
    let { cursor } = start
    // Heartbeats must not reveal the numbers of events that the caller may not read.
    let lastSent = cursor
    let sentAt = 0
    const presenceEvents = this.#presenceEvents(filter)
    if (start.gap) yield { event: 'gap', id: cursor, data: { after, resumed_after: cursor } }
    while (!signal.aborted) {
      const readAt = Date.now()
      const now = await this.#findValidCaller(caller)
      if (now === null) return
      const upTo = Math.max(cursor, start.last, this.#feed.horizon)
      const range = { after: cursor, upTo, limit: BATCH_SIZE }
      const { events, next } = await this.#read({ caller: now, filter, range })
      for (const event of events) {
        yield { event: event.kind, id: event.id, data: event }
        lastSent = event.id
      }
      yield* presenceEvents(now)
      cursor = next
      if (events.length > 0) sentAt = Date.now()
      // SQLite answers synchronously: without a break, a long range would block other requests.
      if (cursor < upTo) await nextTurn()
      else {
        if (Date.now() - sentAt >= heartbeatMs) {
          yield { heartbeat: lastSent }
          sentAt = Date.now()
        }
        if (this.#feed.horizon <= cursor)
          await this.#feed.waitForEvents(Math.max(1, sentAt + heartbeatMs - Date.now()), signal)
        await untilNext(readAt + MIN_INTERVAL_MS, signal)
      }
    }
  }

  /** Sends the people who have the component open whenever this list changes. */
  #presenceEvents({ presences, componentId }: EventFilter): (caller: Caller) => AsyncGenerator<ServerEvent> {
    let snapshot: string | null = null
    let lastSent = ''
    const { database } = this.#options
    const feed = this.#feed
    return async function* (caller) {
      if (!presences || componentId === null) return
      const now = feed.presences.snapshotOf(componentId)
      if (now === snapshot) return
      snapshot = now
      const people = await findPresences(database.read, caller, componentId)
      if (lastSent === JSON.stringify(people)) return
      lastSent = JSON.stringify(people)
      yield { event: 'presences', data: { component_id: componentId, people } }
    }
  }
}

/** Waits until a time, or until the stream ends. */
async function untilNext(time: number, signal: AbortSignal): Promise<void> {
  const wait = time - Date.now()
  if (wait > 0) await sleep(wait, null, { signal }).catch(() => null)
}
