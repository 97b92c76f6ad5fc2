import { runsOf, type Candidates } from './candidates.ts'

/** Groups of candidates that are equal rules of different products. Each group is one result. */
export interface ResultGroups {
  readonly count: number
  /** Group number of each candidate. */
  readonly groupOf: Uint32Array
}

/** Each candidate by itself. */
export function groupSingly({ keys }: Candidates): ResultGroups {
  const groupOf = new Uint32Array(keys.length)
  for (let candidate = 0; candidate < groupOf.length; candidate += 1) groupOf[candidate] = candidate
  return { count: groupOf.length, groupOf }
}

export function groupByFold(candidates: Candidates): ResultGroups {
  const { records } = candidates
  const groupOf = new Uint32Array(records.length)
  const groups = new Map<number, number>()
  let count = 0
  for (const { part, from, to } of runsOf(candidates)) {
    const { folds } = part.segment
    for (let candidate = from; candidate < to; candidate += 1) {
      const fold = folds[records[candidate] ?? 0] ?? 0
      // A record without a fold is alone in its group.
      const group = (fold === 0 ? undefined : groups.get(fold)) ?? count
      if (group === count) count += 1
      if (fold !== 0) groups.set(fold, group)
      groupOf[candidate] = group
    }
  }
  return { count, groupOf }
}

const HASH_A = 0x9e3779b1
const HASH_B = 0x85ebca6b

/** A set of pairs of numbers below 2^32 - 1, with a fixed capacity. */
export class NumberPairSet {
  readonly #mask: number
  readonly #first: Uint32Array
  /** The second number plus one; 0 for an empty slot. */
  readonly #second: Uint32Array

  constructor(room: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * room + 2))
    this.#mask = size - 1
    this.#first = new Uint32Array(size)
    this.#second = new Uint32Array(size)
  }

  /** True if the pair is new. */
  add(first: number, second: number): boolean {
    let slot = (Math.imul(first, HASH_A) ^ Math.imul(second + 1, HASH_B)) >>> 0
    slot = (slot ^ (slot >>> 15)) & this.#mask
    for (; this.#second[slot] !== 0; slot = (slot + 1) & this.#mask)
      if (this.#first[slot] === first && this.#second[slot] === second + 1) return false
    this.#first[slot] = first
    this.#second[slot] = second + 1
    return true
  }
}
