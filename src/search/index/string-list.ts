/** Words whose places are remembered, of each list. */
const MOST_KNOWN = 2000

/** Sorted strings in one run of bytes, a tenth of what they take by themselves. Sorted as JavaScript compares them. */
export class StringList {
  readonly bytes: Uint8Array
  /** Where each begins; one more than there are. */
  readonly starts: Uint32Array
  readonly #places = new Map<string, number>()

  constructor(bytes: Uint8Array, starts: Uint32Array) {
    this.bytes = bytes
    this.starts = starts
  }

  static of(sorted: readonly string[]): StringList {
    const writer = new StringListWriter()
    for (const text of sorted) writer.add(text)
    return writer.finish()
  }

  get length(): number {
    return this.starts.length - 1
  }

  at(index: number): string {
    const from = this.starts[index] ?? 0
    const { buffer, byteOffset } = this.bytes
    return Buffer.from(
      buffer,
      byteOffset + from,
      (this.starts[index + 1] ?? from) - from,
    ).toString()
  }

  /** -1 where it is not there. Remembered, because questions are about the same few words. */
  indexOf(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    const next = this.firstNotBelow(text)
    const place = next < this.length && this.at(next) === text ? next : -1
    if (this.#places.size >= MOST_KNOWN) this.#places.clear()
    this.#places.set(text, place)
    return place
  }

  firstNotBelow(text: string): number {
    const isPlain = PLAIN.test(text)
    let [from, to] = [0, this.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (isPlain ? this.#isBelow(middle, text) : this.at(middle) < text) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Without making a string of it. Bytes of what is not ASCII are above all that is, as its characters are. */
  #isBelow(index: number, text: string): boolean {
    const { bytes, starts } = this
    const from = starts[index] ?? 0
    const length = (starts[index + 1] ?? from) - from
    const shared = Math.min(length, text.length)
    for (let at = 0; at < shared; at += 1) {
      const [own, other] = [bytes[from + at] ?? 0, text.charCodeAt(at)]
      if (own !== other) return own < other
    }
    return length < text.length
  }
}

/** ASCII. */
const PLAIN = /^[\0-\x7f]*$/

/** Makes a list of strings that come in their order. */
export class StringListWriter {
  readonly #starts: number[] = [0]
  #bytes = Buffer.alloc(1 << 12)
  #length = 0

  add(text: string): void {
    // A character takes three bytes at most, and one of two halves takes four.
    if (this.#length + 3 * text.length > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], 2 * (this.#bytes.length + 3 * text.length))
    this.#length += this.#bytes.write(text, this.#length)
    this.#starts.push(this.#length)
  }

  finish(): StringList {
    const bytes = new Uint8Array(this.#bytes.subarray(0, this.#length))
    return new StringList(bytes, Uint32Array.from(this.#starts))
  }
}
