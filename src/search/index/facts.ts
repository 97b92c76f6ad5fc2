import { kindNumber, KINDS } from './keys.ts'
import type { Segment } from './segment.ts'

/** Some bits of the facts of a record. */
export interface FactBits {
  readonly shift: number
  /** After the shift. */
  readonly mask: number
}

/** Its kind, by its place among all kinds. */
export const KIND: FactBits = { shift: 0, mask: 0xf }
/** As `severityNumber` gives it. */
export const SEVERITY: FactBits = { shift: 4, mask: 0x7 }
/** As `ownerNumber` gives it; there is room for 16 million benchmarks. */
export const OWNER: FactBits = { shift: 7, mask: 0x1ffffff }

/** What is known of the records of a segment beside their words. */
export interface Facts {
  /** Of each record in one number, so that one look is enough. */
  readonly of: Uint32Array
  /** The kinds that there are. */
  readonly kinds: readonly number[]
}

const known = new WeakMap<Segment, Facts>()

export function factsOf(segment: Segment): Facts {
  const there = known.get(segment) ?? readFacts(segment)
  known.set(segment, there)
  return there
}

function readFacts({ keys, severities, owners }: Segment): Facts {
  const of = new Uint32Array(keys.length)
  const isThere = KINDS.map(() => false)
  for (let record = 0; record < of.length; record += 1) {
    const kind = kindNumber(keys[record] ?? 0)
    const [severity, owner] = [severities[record] ?? 0, owners[record] ?? 0]
    of[record] = (owner << OWNER.shift) | (severity << SEVERITY.shift) | kind
    isThere[kind] = true
  }
  return { of, kinds: KINDS.flatMap((_, kind) => (isThere[kind] === true ? [kind] : [])) }
}
