import type { Candidates } from './candidates.ts'

/** Which candidates are one result: those that say the same of different products. */
export interface Groups {
  readonly count: number
  /** Of each candidate the number of its group. */
  readonly of: Uint32Array
}

/** Each candidate by itself. */
export function apart({ keys }: Candidates): Groups {
  return { count: keys.length, of: Uint32Array.from(keys, (_, candidate) => candidate) }
}

export function folded({ parts, partOf, records, keys }: Candidates): Groups {
  const of = new Uint32Array(keys.length)
  const pairs = new Pairs(keys.length)
  let count = 0
  for (let candidate = 0; candidate < of.length; candidate += 1) {
    const part = parts[partOf[candidate] ?? 0]
    const fold = part?.segment.folds[records[candidate] ?? 0] ?? 0
    // Without one, it is alone.
    const known = fold === 0 ? count : pairs.put(fold, 0, count)
    of[candidate] = known
    if (known === count) count += 1
  }
  return { count, of }
}

const HASH_A = 0x9e3779b1
const HASH_B = 0x85ebca6b

/** A number for each pair of numbers below 2^32 - 1; as many pairs as there is room for. */
export class Pairs {
  readonly #mask: number
  /** One more than the first and second, and the number; 0 where there is none. */
  readonly #first: Uint32Array
  readonly #second: Uint32Array
  readonly #values: Uint32Array

  constructor(room: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * room + 2))
    this.#mask = size - 1
    this.#first = new Uint32Array(size)
    this.#second = new Uint32Array(size)
    this.#values = new Uint32Array(size)
  }

  /** What is there for a pair already, or this from now on. */
  put(first: number, second: number, value: number): number {
    let at = (Math.imul(first, HASH_A) ^ Math.imul(second + 1, HASH_B)) >>> 0
    at = (at ^ (at >>> 15)) & this.#mask
    for (; this.#second[at] !== 0; at = (at + 1) & this.#mask)
      if (this.#first[at] === first && this.#second[at] === second + 1)
        return this.#values[at] ?? value
    this.#first[at] = first
    this.#second[at] = second + 1
    this.#values[at] = value
    return value
  }
}
