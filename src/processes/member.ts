import cluster from 'node:cluster'
import type { Counters } from '../guidance/counters.ts'
import type { MetricsInJson } from '../metrics/combined-metrics.ts'
import { Channel, type ProcessLink } from '../platform/processes/channel.ts'
import type { ProcessPosition } from '../platform/processes/process-position.ts'
import { TO_LEADER, TO_MEMBER, type ToLeader, type ToMember } from './protocol.ts'
import { countThere } from './shared-counters.ts'

/** One of several processes that serve, and what it has of the one that leads. */
export interface Membership {
  readonly place: ProcessPosition
  readonly counters: Counters
  opened(): Promise<void>
  serving(): Promise<void>
  /** Sets the source of the metrics of this process, for a scrape of all processes. */
  tells(metrics: () => Promise<MetricsInJson>): void
  /** Sets the action for a stop of the service. Until then, the process ends at once. */
  stops(stop: () => void): void
  /** Lets the process end. */
  leave(): void
}

const TO_PARENT: ProcessLink = {
  send: (message) => void process.send?.(message),
  onMessage: (listener) => void process.on('message', listener),
}

/** Finds out which of the processes this is. */
export async function joinMembers(): Promise<Membership> {
  let stop = (): void => process.exit()
  let metrics = (): Promise<MetricsInJson> => Promise.resolve([])
  const leader = new Channel<ToLeader, ToMember>(TO_PARENT, TO_LEADER, {
    protocol: TO_MEMBER,
    handlers: {
      metrics: () => metrics(),
      stop: () => {
        setImmediate(() => {
          stop()
        })
        return null
      },
    },
  })
  const place = await leader.ask('place', null)
  return {
    place,
    counters: countThere(leader),
    opened: async () => {
      await leader.ask('opened', null)
    },
    serving: async () => {
      await leader.ask('serving', null)
    },
    tells: (told) => {
      metrics = told
    },
    stops: (how) => {
      stop = how
    },
    leave: () => {
      leader.close()
      cluster.worker?.disconnect()
    },
  }
}
