import cluster from 'node:cluster'
import type { Counters } from '../guidance/counters.ts'
import type { MetricsInJson } from '../metrics/kept-metrics.ts'
import { Channel, type Wire } from '../platform/processes/channel.ts'
import type { Place } from '../platform/processes/place.ts'
import { TO_LEADER, TO_MEMBER, type ToLeader, type ToMember } from './protocol.ts'
import { countThere } from './shared-counters.ts'

/** One of several processes that serve, and what it has of the one that leads. */
export interface Membership {
  readonly place: Place
  readonly counters: Counters
  opened(): Promise<void>
  serving(): Promise<void>
  /** What is told when the metrics of all are asked for. */
  tells(metrics: () => Promise<MetricsInJson>): void
  /** What is done when the service stops. Until then, the process ends at once. */
  stops(stop: () => void): void
  /** Lets the process end. */
  leave(): void
}

const TO_PARENT: Wire = {
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
