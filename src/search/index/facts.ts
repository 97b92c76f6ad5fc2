import { kindNumber } from './keys.ts'
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

/** Facts about the records of a segment beside their words. */
export interface Facts {
  /** The facts of each record in one number, so that one look is enough. */
  readonly of: Uint32Array
  /** All records, in their order. */
  readonly runs: readonly FactRun[]
}

/** Neighbouring records of one kind and owner, as those of a benchmark are: what they have in common is looked at once. */
export interface FactRun {
  readonly from: number
  /** Behind the last one. */
  readonly to: number
  readonly kind: number
  readonly owner: number
}

const known = new WeakMap<Segment, Facts>()

export function factsOf(segment: Segment): Facts {
  const there = known.get(segment) ?? readFacts(segment)
  known.set(segment, there)
  return there
}

function readFacts(segment: Segment): Facts {
  const { keys, severities, owners } = segment
  const of = new Uint32Array(keys.length)
  const runs: FactRun[] = []
  let from = 0
  for (let record = 0; record < keys.length; record += 1) {
    const kind = kindNumber(keys[record] ?? 0)
    const owner = owners[record] ?? 0
    const severity = severities[record] ?? 0
    of[record] = (owner << OWNER.shift) | (severity << SEVERITY.shift) | kind
    const next = record + 1
    const goesOn = owners[next] === owner && kindNumber(keys[next] ?? 0) === kind
    if (goesOn) continue
    runs.push({ from, to: next, kind, owner })
    from = next
  }
  return { of, runs }
}
