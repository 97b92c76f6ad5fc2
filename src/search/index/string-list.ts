/** Sorted strings in one byte array, which takes a tenth of the memory of JavaScript strings. Sorted by code units. */
export class StringList {
  readonly bytes: Uint8Array
  /** Start of each string; one more entry than strings. */
  readonly starts: Uint32Array

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
    return Buffer.from(buffer, byteOffset + from, (this.starts[index + 1] ?? from) - from).toString()
  }

  /** Index of a string; -1 if the list does not have it. */
  indexOf(text: string): number {
    const next = this.firstNotBelow(text)
    return next < this.length && this.at(next) === text ? next : -1
  }

  /** Indexes of the strings that contain a text; none for an empty text. */
  placesContaining(text: string): readonly number[] {
    if (text === '') return []
    const { buffer, byteOffset, byteLength } = this.bytes
    const bytes = Buffer.from(buffer, byteOffset, byteLength)
    const length = Buffer.byteLength(text)
    const places: number[] = []
    let index = 0
    for (let offset = bytes.indexOf(text); offset !== -1;) {
      while ((this.starts[index + 1] ?? bytes.length) <= offset) index += 1
      const end = this.starts[index + 1] ?? bytes.length
      const isInside = offset + length <= end
      if (isInside) places.push(index)
      offset = bytes.indexOf(text, isInside ? end : offset + 1)
    }
    return places
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

  /** Compares bytes without decoding. For ASCII texts, the order of bytes is the order of characters. */
  #isBelow(index: number, text: string): boolean {
    const { bytes, starts } = this
    const from = starts[index] ?? 0
    const length = (starts[index + 1] ?? from) - from
    const shared = Math.min(length, text.length)
    for (let offset = 0; offset < shared; offset += 1) {
      const [byte, code] = [bytes[from + offset] ?? 0, text.charCodeAt(offset)]
      if (byte !== code) return byte < code
    }
    return length < text.length
  }
}

/** ASCII. */
const PLAIN = /^[\0-\x7f]*$/

/** Writes a list of strings that are added in order. */
export class StringListWriter {
  readonly #starts: number[] = [0]
  #bytes = Buffer.alloc(1 << 12)
  #length = 0

  add(text: string): void {
    // A UTF-16 code unit takes at most three bytes in UTF-8, and a surrogate pair four.
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
