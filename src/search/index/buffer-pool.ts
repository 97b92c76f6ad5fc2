/**
 * Reuses buffers, because allocating arrays as long as the index for each query would keep the garbage collector busy.
 * Zeroed buffers must be zeroed again before they are released. A buffer that is not released is only wasted.
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
    if (this.#free.length <= MAX_FREE) return
    this.#free.sort((a, b) => b.byteLength - a.byteLength).pop()
  }

  #smallestFor(bytes: number): number {
    let best = -1
    for (const [place, { byteLength }] of this.#free.entries())
      if (byteLength >= bytes && byteLength < (this.#free[best]?.byteLength ?? Infinity)) best = place
    return best
  }
}

const MAX_FREE = 12
const zeros = new BufferPool()
const indexes = new BufferPool()

export function takeZeroedFloats(length: number): Float32Array<ArrayBuffer> {
  return new Float32Array(zeros.take(4 * length), 0, length)
}

export function takeZeroedDoubles(length: number): Float64Array<ArrayBuffer> {
  return new Float64Array(zeros.take(8 * length), 0, length)
}

export function takeZeroedIntegers(length: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(zeros.take(4 * length), 0, length)
}

/** The whole buffer must be zeros again. */
export function releaseZeroed(array: { readonly buffer: ArrayBuffer }): void {
  zeros.giveBack(array)
}

/** The content is undefined. */
export function takeIntegers(length: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(indexes.take(4 * length), 0, length)
}

/** The content is undefined. */
export function takeFloats(length: number): Float32Array<ArrayBuffer> {
  return new Float32Array(indexes.take(4 * length), 0, length)
}

/** The content is undefined. */
export function takeDoubles(length: number): Float64Array<ArrayBuffer> {
  return new Float64Array(indexes.take(8 * length), 0, length)
}

/** The buffer must not be used afterwards. */
export function releaseBuffer(array: { readonly buffer: ArrayBuffer }): void {
  indexes.giveBack(array)
}

/** A set of records of a part, one bit each. Lists them once and in ascending order. */
export class RecordBitset {
  readonly #size: number
  readonly #bits: Uint32Array<ArrayBuffer>

  constructor(size: number) {
    this.#size = size
    this.#bits = takeZeroedIntegers((size + 31) >>> 5)
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

  /** Returns the records ascending, in a pooled buffer, and empties the set. */
  take(): Uint32Array<ArrayBuffer> {
    const bits = this.#bits
    const records = takeIntegers(this.#size)
    let count = 0
    for (let word = 0; word < bits.length; word += 1) {
      for (let left = bits[word] ?? 0; left !== 0; left &= left - 1) {
        records[count] = (word << 5) + 31 - Math.clz32(left & -left)
        count += 1
      }
      bits[word] = 0
    }
    releaseZeroed(bits)
    return records.subarray(0, count)
  }
}
