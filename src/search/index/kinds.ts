import { kindNumber } from './keys.ts'
import type { Segment } from './segment.ts'

const known = new WeakMap<Segment, Uint8Array>()

/** Of each record of a segment its kind, by its place among all kinds. */
export function kindsOf(segment: Segment): Uint8Array {
  const there = known.get(segment)
  if (there !== undefined) return there
  const kinds = Uint8Array.from(segment.keys, kindNumber)
  known.set(segment, kinds)
  return kinds
}
