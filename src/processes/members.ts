import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Counters } from '../guidance/counters.ts'
import type { CombinedMetrics, MetricsSource } from '../metrics/combined-metrics.ts'
import { backoffMs } from '../platform/concurrency/backoff.ts'
import { counter, gauge, type Figure } from '../platform/figures.ts'
import type { Log } from '../platform/log.ts'
import { Channel } from '../platform/processes/channel.ts'
import { TO_LEADER, TO_MEMBER, type ToLeader, type ToMember } from './protocol.ts'
import { counterHandlers } from './shared-counters.ts'

/** A process that has run for this long did not fail at its start. */
const STABLE_MS = 60_000
const REPLACEMENTS = { firstMs: 1000, longestMs: 60_000 }
/** Further time to close files and connections, after running requests have been answered. */
const CLOSING_MS = 30_000

interface MembersOptions {
  readonly count: number
  readonly counters: Counters
  /** Time to finish running requests after the order to stop. */
  readonly drainMs: number
  readonly log: Log
  /** Null: metrics are disabled. */
  readonly metrics: CombinedMetrics | null
}

interface Member {
  readonly number: number
  readonly worker: Worker
  readonly channel: Channel<ToMember, ToLeader>
  readonly startedAt: number
  isServing: boolean
}

/**
 * The processes that serve, on one port. The first one prepares the data before the others start. A process that dies is
 * replaced, with growing delays if it fails repeatedly. If no process has served yet, the service ends.
 */
export class Members {
  /** Resolves when all processes have ended. */
  readonly exitStatus: Promise<number>
  readonly #options: MembersOptions
  readonly #members = new Map<number, Member>()
  /** How often the process of a number has died soon after its start. */
  readonly #failures = new Map<number, number>()
  #hasServed = false
  #ended = 0
  #isStopping = false
  #status = 0
  #end: (status: number) => void = () => undefined

  constructor(options: MembersOptions) {
    this.#options = options
    this.exitStatus = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  get figures(): readonly Figure[] {
    const countServing = (): number => [...this.#members.values()].filter((member) => member.isServing).length
    return [
      gauge('processes', 'Processes that serve requests.', countServing),
      counter('processes_ended_total', 'Processes that ended unexpectedly.', () => this.#ended),
    ]
  }

  /** The metrics of all processes. */
  get metricsSources(): readonly MetricsSource[] {
    return Array.from(this.#members.values(), ({ number, channel }) => ({
      number,
      read: () => channel.ask('metrics', null),
    }))
  }

  /** Starts the first process, which starts the others when it has prepared the data. */
  start(): void {
    // Each process accepts its own connections, because one that is handed to a dying process would hang.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ serialization: 'advanced' })
    this.#fork(1, true)
  }

  /** Asks each process to finish, and kills those that do not end in time. */
  stop(): void {
    this.#isStopping = true
    for (const { channel, worker } of this.#members.values()) {
      channel.ask('stop', null).catch(() => undefined)
      const late = setTimeout(() => {
        worker.process.kill('SIGKILL')
      }, this.#options.drainMs + CLOSING_MS)
      worker.once('exit', () => {
        clearTimeout(late)
      })
    }
    if (this.#members.size === 0) this.#end(this.#status)
  }

  kill(): void {
    for (const { worker } of this.#members.values()) worker.process.kill('SIGKILL')
  }

  #fork(number: number, isFirst: boolean): void {
    const worker = cluster.fork()
    const { count, counters } = this.#options
    const wire = {
      send: (message: object) => void (worker.isConnected() && worker.send(message)),
      onMessage: (listener: (message: unknown) => void) => void worker.on('message', listener),
    }
    const channel = new Channel<ToMember, ToLeader>(wire, TO_MEMBER, {
      protocol: TO_LEADER,
      handlers: {
        ...counterHandlers(counters),
        position: () => ({ number, count, isFirst }),
        opened: () => {
          if (isFirst) for (let other = 2; other <= count; other += 1) this.#fork(other, false)
          return null
        },
        serving: () => {
          this.#hasServed = true
          member.isServing = true
          return null
        },
      },
    })
    const member: Member = { number, worker, channel, startedAt: Date.now(), isServing: false }
    this.#members.set(number, member)
    worker.on('error', (error) => {
      this.#options.log.warn({ process: number, error: error.message }, 'A process cannot be reached')
    })
    worker.once('exit', (status, signal) => {
      channel.close()
      this.#handleExit(member, { status, signal })
    })
  }

  #handleExit(member: Member, exit: { readonly status: number; readonly signal: string }): void {
    const { number } = member
    this.#members.delete(number)
    void this.#options.metrics?.keep(number)
    if (!this.#isStopping && !this.#hasServed) {
      this.#status = exit.status === 0 ? 1 : exit.status
      this.stop()
    } else if (this.#isStopping) {
      if (this.#members.size === 0) this.#end(this.#status)
    } else {
      this.#ended += 1
      void this.#replace(member, exit)
    }
  }

  async #replace({ number, startedAt }: Member, exit: object): Promise<void> {
    if (Date.now() - startedAt > STABLE_MS) this.#failures.delete(number)
    const failures = this.#failures.get(number) ?? 0
    this.#failures.set(number, failures + 1)
    const retryInMs = backoffMs(failures, REPLACEMENTS)
    this.#options.log.error({ process: number, ...exit, retryInMs }, 'A process ended; it is replaced')
    await sleep(retryInMs, null, { ref: this.#members.size === 0 })
    if (!this.#isStopping) this.#fork(number, false)
  }
}
