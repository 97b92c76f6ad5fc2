/**
 * Room for what is noted of each record while one question is answered: it is used again, because arrays as long as the
 * library for each question would keep the collector busy. What is taken is zeros, and is given back as zeros: who has
 * written to a few records clears these few. Who does not give it back only wastes it.
 */
class BufferPool {
  readonly #free: ArrayBuffer[] = []

  take(bytes: number): ArrayBuffer {
    const best = this.#smallestFor(bytes)
    const [there] = best === -1 ? [] : this.#free.splice(best, 1)
    return there ?? new ArrayBuffer(bytes)
  }

  giveBack({ buffer }: { readonly buffer: ArrayBuffer }): void {
    this.#free.push(buffer)
    if (this.#free.length <= MOST_FREE) return
    this.#free.sort((a, b) => b.byteLength - a.byteLength).pop()
  }

  #smallestFor(bytes: number): number {
    let best = -1
    for (const [place, { byteLength }] of this.#free.entries())
      if (byteLength >= bytes && byteLength < (this.#free[best]?.byteLength ?? Infinity)) best = place
    return best
  }
}

const MOST_FREE = 12
const zeros = new BufferPool()
const indexes = new BufferPool()

/** Zeros. */
export function takeNumbers(length: number): Float32Array<ArrayBuffer> {
  return new Float32Array(zeros.take(4 * length), 0, length)
}

/** Zeros. */
export function takeDoubles(length: number): Float64Array<ArrayBuffer> {
  return new Float64Array(zeros.take(8 * length), 0, length)
}

/** Zeros. */
export function takeZeros(length: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(zeros.take(4 * length), 0, length)
}

/** All of it has to be zeros again. */
export function giveBackZeros(array: { readonly buffer: ArrayBuffer }): void {
  zeros.giveBack(array)
}

/** The content is undefined. */
export function takeIndexes(length: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(indexes.take(4 * length), 0, length)
}

/** The content is undefined. */
export function takeValues(length: number): Float32Array<ArrayBuffer> {
  return new Float32Array(indexes.take(4 * length), 0, length)
}

/** The content is undefined. */
export function takeWideValues(length: number): Float64Array<ArrayBuffer> {
  return new Float64Array(indexes.take(8 * length), 0, length)
}

/** Nobody may look at it any more. */
export function giveBackIndexes(array: { readonly buffer: ArrayBuffer }): void {
  indexes.giveBack(array)
}

/** Some of the records of a part, a bit for each: of several lists each once, and in their order. */
export class RecordMarks {
  readonly #size: number
  readonly #bits: Uint32Array<ArrayBuffer>

  constructor(size: number) {
    this.#size = size
    this.#bits = takeZeros((size + 31) >>> 5)
  }

  add(record: number): void {
    this.#bits[record >>> 5] = (this.#bits[record >>> 5] ?? 0) | (1 << (record & 31))
  }

  addAll(records: Uint32Array): void {
    const bits = this.#bits
    for (const record of records) {
      bits[record >>> 5] = (bits[record >>> 5] ?? 0) | (1 << (record & 31))
    }
  }

  /** Ascending, in room for indexes; the marks are gone then. */
  take(): Uint32Array<ArrayBuffer> {
    const bits = this.#bits
    const records = takeIndexes(this.#size)
    let count = 0
    for (let word = 0; word < bits.length; word += 1) {
      for (let left = bits[word] ?? 0; left !== 0; left &= left - 1) {
        records[count] = (word << 5) + 31 - Math.clz32(left & -left)
        count += 1
      }
      bits[word] = 0
    }
    giveBackZeros(bits)
    return records.subarray(0, count)
  }
}
