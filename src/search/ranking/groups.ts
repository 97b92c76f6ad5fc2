import { releaseBuffer, releaseZeroed, takeIntegers, takeZeroedIntegers } from '../index/buffer-pool.ts'
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

export function groupByFold(found: Candidates): ResultGroups {
  const { records } = found
  const groupOf = new Uint32Array(records.length)
  const numbers = new FoldNumbers(records.length)
  for (const { part, from, to } of runsOf(found)) {
    const { folds } = part.segment
    for (let candidate = from; candidate < to; candidate += 1)
      groupOf[candidate] = numbers.of(folds[records[candidate] ?? 0] ?? 0)
  }
  numbers.release()
  return { count: numbers.count, groupOf }
}

const HASH_A = 0x9e3779b1
const HASH_B = 0x85ebca6b

/** Numbers folds from 0. */
class FoldNumbers {
  count = 0
  readonly #mask: number
  /** Pairs of a fold and its number plus one, by hash; 0 for an empty slot. */
  readonly #table: Uint32Array<ArrayBuffer>

  constructor(room: number) {
    const size = tableSize(room)
    this.#mask = size - 1
    this.#table = takeZeroedIntegers(2 * size)
  }

  release(): void {
    releaseZeroed(this.#table.fill(0))
  }

  of(fold: number): number {
    // A record without a fold is alone in its group.
    if (fold === 0) return this.#next()
    const table = this.#table
    const hash = Math.imul(fold, HASH_A) >>> 0
    let at = (hash ^ (hash >>> 15)) & this.#mask
    for (; table[2 * at + 1] !== 0; at = (at + 1) & this.#mask)
      if (table[2 * at] === fold) return (table[2 * at + 1] ?? 0) - 1
    const number = this.#next()
    table[2 * at] = fold
    table[2 * at + 1] = number + 1
    return number
  }

  #next(): number {
    this.count += 1
    return this.count - 1
  }
}

function tableSize(room: number): number {
  return 2 ** Math.ceil(Math.log2(2 * room + 2))
}

/** A set of pairs of numbers below 2^32 - 1, with a fixed capacity. */
export class NumberPairSet {
  readonly #mask: number
  readonly #first: Uint32Array<ArrayBuffer>
  /** The second number plus one; 0 for an empty slot. */
  readonly #second: Uint32Array<ArrayBuffer>

  constructor(room: number) {
    const size = tableSize(room)
    this.#mask = size - 1
    this.#first = takeIntegers(size)
    this.#second = takeZeroedIntegers(size)
  }

  release(): void {
    releaseBuffer(this.#first)
    releaseZeroed(this.#second.fill(0))
  }

  /** True if the pair is new. */
  add(first: number, second: number): boolean {
    let at = (Math.imul(first, HASH_A) ^ Math.imul(second + 1, HASH_B)) >>> 0
    at = (at ^ (at >>> 15)) & this.#mask
    for (; this.#second[at] !== 0; at = (at + 1) & this.#mask)
      if (this.#first[at] === first && this.#second[at] === second + 1) return false
    this.#first[at] = first
    this.#second[at] = second + 1
    return true
  }
}
