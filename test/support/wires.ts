import type { ProcessLink } from '../../src/platform/processes/channel.ts'

/** Both ends of a channel that copies messages, as between two processes. */
export function wires(): readonly [ProcessLink, ProcessLink] {
  const listeners: ((message: unknown) => void)[] = []
  const wire = (own: number, other: number): ProcessLink => ({
    send: (message) => {
      const copy: unknown = structuredClone(message)
      setImmediate(() => listeners[other]?.(copy))
    },
    onMessage: (listener) => {
      listeners[own] = listener
    },
  })
  return [wire(0, 1), wire(1, 0)]
}
