/** Sorted strings in one byte array, which takes a tenth of the memory of JavaScript strings. Sorted by code units. */
export class StringList {
  readonly bytes: Uint8Array
  /** Start of each string; one more entry than strings. */
  readonly starts: Uint32Array
  #places: StringHashTable | null = null

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
    if (PLAIN.test(text)) {
      this.#places ??= new StringHashTable(this.bytes, this.starts)
      return this.#places.of(text)
    }
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
    for (let at = bytes.indexOf(text); at !== -1;) {
      const place = this.#placeAt(at)
      const end = this.starts[place + 1] ?? bytes.length
      const isInside = at + length <= end
      if (isInside) places.push(place)
      at = bytes.indexOf(text, isInside ? end : at + 1)
    }
    return places
  }

  /** Index of the string to which a byte belongs. */
  #placeAt(byte: number): number {
    let [from, to] = [0, this.length]
    while (to - from > 1) {
      const middle = (from + to) >>> 1
      if ((this.starts[middle] ?? 0) <= byte) from = middle
      else to = middle
    }
    return from
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
    for (let at = 0; at < shared; at += 1) {
      const [own, other] = [bytes[from + at] ?? 0, text.charCodeAt(at)]
      if (own !== other) return own < other
    }
    return length < text.length
  }
}

/** ASCII. */
const PLAIN = /^[\0-\x7f]*$/

/** Hash table from ASCII strings to their indexes, because binary search would compare ten times as many strings. */
class StringHashTable {
  readonly #bytes: Uint8Array
  readonly #starts: Uint32Array
  /** Index of the string plus one, by hash, with linear probing; 0 for an empty slot. */
  readonly #table: Uint32Array
  readonly #mask: number

  constructor(bytes: Uint8Array, starts: Uint32Array) {
    this.#bytes = bytes
    this.#starts = starts
    this.#mask = 2 ** Math.ceil(Math.log2(2 * starts.length)) - 1
    this.#table = new Uint32Array(this.#mask + 1)
    for (let place = 0; place + 1 < starts.length; place += 1) this.#put(place)
  }

  of(text: string): number {
    let hash = SEED
    for (let at = 0; at < text.length; at += 1) hash = mixHash(hash, text.charCodeAt(at))
    for (let slot = this.#slotOf(hash); ; slot = (slot + 1) & this.#mask) {
      const place = (this.#table[slot] ?? 0) - 1
      if (place === -1 || this.#isAt(place, text)) return place
    }
  }

  #put(place: number): void {
    let hash = SEED
    const to = this.#starts[place + 1] ?? 0
    for (let at = this.#starts[place] ?? 0; at < to; at += 1) hash = mixHash(hash, this.#bytes[at] ?? 0)
    let slot = this.#slotOf(hash)
    while (this.#table[slot] !== 0) slot = (slot + 1) & this.#mask
    this.#table[slot] = place + 1
  }

  #slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & this.#mask
  }

  #isAt(place: number, text: string): boolean {
    const from = this.#starts[place] ?? 0
    if ((this.#starts[place + 1] ?? from) - from !== text.length) return false
    for (let at = 0; at < text.length; at += 1) if (this.#bytes[from + at] !== text.charCodeAt(at)) return false
    return true
  }
}

/** FNV-1a. */
const SEED = 0x811c9dc5

function mixHash(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193)
}

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
