import cluster from 'node:cluster'
import type { Counters } from '../guidance/counters.ts'
import type { MetricsInJson } from '../metrics/combined-metrics.ts'
import { Channel, type ProcessLink } from '../platform/processes/channel.ts'
import type { ProcessPosition } from '../platform/processes/process-position.ts'
import { TO_LEADER, TO_MEMBER, type ToLeader, type ToMember } from './protocol.ts'
import { remoteCounters } from './shared-counters.ts'

/** The connection of a serving process to the leading one. */
export interface Membership {
  readonly position: ProcessPosition
  readonly counters: Counters
  opened(): Promise<void>
  serving(): Promise<void>
  /** Sets the source of the metrics of this process, for a scrape of all processes. */
  setMetricsSource(metrics: () => Promise<MetricsInJson>): void
  /** Sets the action for a stop of the service. Until then, the process ends at once. */
  setStopHandler(stop: () => void): void
  /** Lets the process end. */
  disconnect(): void
}

const TO_PARENT: ProcessLink = {
  send: (message) => void process.send?.(message),
  onMessage: (listener) => void process.on('message', listener),
}

/** Connects to the leading process and asks for the position of this one. */
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
  const position = await leader.ask('position', null)
  return {
    position,
    counters: remoteCounters(leader),
    opened: async () => {
      await leader.ask('opened', null)
    },
    serving: async () => {
      await leader.ask('serving', null)
    },
    setMetricsSource: (source) => {
      metrics = source
    },
    setStopHandler: (handler) => {
      stop = handler
    },
    disconnect: () => {
      leader.close()
      cluster.worker?.disconnect()
    },
  }
}
