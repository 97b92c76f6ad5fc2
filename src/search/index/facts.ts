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

/** Facts about the records of a segment beside their words. */
export interface Facts {
  /** The facts of each record, packed in one number. */
  readonly packed: Uint32Array
  /** All records in order. */
  readonly runs: readonly FactRun[]
}

/** Adjacent records of one kind and owner, such as the rules of a benchmark. Their common facts are read once. */
export interface FactRun {
  readonly from: number
  /** Exclusive. */
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
  const packed = new Uint32Array(keys.length)
  const runs: FactRun[] = []
  let from = 0
  for (let record = 0; record < keys.length; record += 1) {
    const kind = kindNumber(keys[record] ?? 0)
    const owner = owners[record] ?? 0
    const severity = severities[record] ?? 0
    packed[record] = (owner << OWNER.shift) | (severity << SEVERITY.shift) | kind
    const next = record + 1
    const goesOn = owners[next] === owner && kindNumber(keys[next] ?? 0) === kind
    if (goesOn) continue
    runs.push({ from, to: next, kind, owner })
    from = next
  }
  return { packed, runs }
}
