import { giveBackIndexes, giveBackZeros, takeIndexes, takeZeros } from '../index/room.ts'
import { runsOf, type Candidates } from './candidates.ts'

/** Groups candidates that say the same of different products: each group is one result. */
export interface ResultGroups {
  readonly count: number
  /** Group number of each candidate. */
  readonly of: Uint32Array
}

/** Each candidate by itself. */
export function groupSingly({ keys }: Candidates): ResultGroups {
  const of = new Uint32Array(keys.length)
  for (let candidate = 0; candidate < of.length; candidate += 1) of[candidate] = candidate
  return { count: of.length, of }
}

export function groupByFold(found: Candidates): ResultGroups {
  const { records } = found
  const of = new Uint32Array(records.length)
  const numbers = new FoldNumbers(records.length)
  for (const { part, from, to } of runsOf(found)) {
    const { folds } = part.segment
    for (let candidate = from; candidate < to; candidate += 1)
      of[candidate] = numbers.of(folds[records[candidate] ?? 0] ?? 0)
  }
  numbers.release()
  return { count: numbers.count, of }
}

const HASH_A = 0x9e3779b1
const HASH_B = 0x85ebca6b

/** Numbers from 0, the same for the same fold. */
class FoldNumbers {
  count = 0
  readonly #mask: number
  /** Folds, each with one more than its number behind it; 0 where there is none. */
  readonly #table: Uint32Array<ArrayBuffer>

  constructor(room: number) {
    const size = tableSize(room)
    this.#mask = size - 1
    this.#table = takeZeros(2 * size)
  }

  release(): void {
    giveBackZeros(this.#table.fill(0))
  }

  of(fold: number): number {
    // Without one, it is alone.
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

/** Pairs of numbers below 2^32 - 1; as many as there is room for. */
export class NumberPairSet {
  readonly #mask: number
  readonly #first: Uint32Array<ArrayBuffer>
  /** One more than the second; 0 where there is none. */
  readonly #second: Uint32Array<ArrayBuffer>

  constructor(room: number) {
    const size = tableSize(room)
    this.#mask = size - 1
    this.#first = takeIndexes(size)
    this.#second = takeZeros(size)
  }

  release(): void {
    giveBackIndexes(this.#first)
    giveBackZeros(this.#second.fill(0))
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
