import { getOrMake } from '../../platform/get-or-make.ts'
import { kindNumber } from './keys.ts'
import type { Segment } from './segment.ts'

/** Some bits of the facts of a record. */
export interface FactBits {
  readonly shift: number
  /** After the shift. */
  readonly mask: number
}

/** Index of the kind in `KINDS`. */
export const KIND: FactBits = { shift: 0, mask: 0xf }
/** The number from `severityNumber`. */
export const SEVERITY: FactBits = { shift: 4, mask: 0x7 }
/** The number from `ownerNumber`; allows 16 million benchmarks. */
export const OWNER: FactBits = { shift: 7, mask: 0x1ffffff }

const factsBySegment = new WeakMap<Segment, Uint32Array>()

/** The facts of each record beside its words, packed in one number. */
export function factsOf(segment: Segment): Uint32Array {
  return getOrMake(factsBySegment, segment, () => readFacts(segment))
}

function readFacts({ keys, severities, owners }: Segment): Uint32Array {
  const facts = new Uint32Array(keys.length)
  for (let record = 0; record < keys.length; record += 1)
    facts[record] =
      ((owners[record] ?? 0) << OWNER.shift) |
      ((severities[record] ?? 0) << SEVERITY.shift) |
      kindNumber(keys[record] ?? 0)
  return facts
}
