import type { ProcessLink } from '../../src/platform/processes/channel.ts'

/** Both ends of a channel that copies messages, as between two processes. */
export function wires(): readonly [ProcessLink, ProcessLink] {
  const listeners: ((message: unknown) => void)[] = []
  const wire = (ownIndex: number, otherIndex: number): ProcessLink => ({
    send: (message) => {
      const copy: unknown = structuredClone(message)
      setImmediate(() => listeners[otherIndex]?.(copy))
    },
    onMessage: (listener) => {
      listeners[ownIndex] = listener
    },
  })
  return [wire(0, 1), wire(1, 0)]
}
