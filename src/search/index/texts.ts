import type { Segment } from './segment.ts'

/**
 * The words of records in their order, as numbers of seven bits a byte (the last byte of each without the eighth bit).
 * A record is its sections; a section is its field, the number of its words, and those words.
 */
export class TextsWriter {
  readonly #starts: number[] = [0]
  #bytes = new Uint8Array(1 << 12)
  #length = 0

  section(field: number, words: readonly number[]): void {
    this.#add(field)
    this.#add(words.length)
    for (const word of words) this.#add(word)
  }

  endRecord(): void {
    this.#starts.push(this.#length)
  }

  finish(): Pick<Segment, 'textStarts' | 'texts'> {
    return { textStarts: Uint32Array.from(this.#starts), texts: this.#bytes.slice(0, this.#length) }
  }

  #add(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow()
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) {
      this.#bytes[this.#length] = (rest & 0x7f) | 0x80
      this.#length += 1
    }
    this.#bytes[this.#length] = rest
    this.#length += 1
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Reads the text of one record. */
export class TextReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  #at: number

  constructor({ texts, textStarts }: Pick<Segment, 'texts' | 'textStarts'>, record: number) {
    this.#bytes = texts
    this.#at = textStarts[record] ?? 0
    this.#end = textStarts[record + 1] ?? this.#at
  }

  get hasMore(): boolean {
    return this.#at < this.#end
  }

  next(): number {
    const first = this.#bytes[this.#at] ?? 0
    this.#at += 1
    return first < 0x80 ? first : this.#rest(first & 0x7f)
  }

  #rest(start: number): number {
    let value = start
    for (let shift = 7; ; shift += 7) {
      const byte = this.#bytes[this.#at] ?? 0
      this.#at += 1
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
}

/** The same records with other numbers for words, and without those that are left out. */
export function copyTexts(
  from: Segment,
  record: number,
  to: { readonly writer: TextsWriter; readonly numbers: Uint32Array },
): void {
  const reader = new TextReader(from, record)
  while (reader.hasMore) {
    const field = reader.next()
    const length = reader.next()
    to.writer.section(
      field,
      Array.from({ length }, () => to.numbers[reader.next()] ?? 0),
    )
  }
  to.writer.endRecord()
}

/** From one number to behind another, of words. */
export type WordRange = readonly [number, number]

/** Whether words, each from a range, stand next to each other in one of these fields (bits). */
export function hasPhrase(
  segment: Segment,
  record: number,
  { words, fields }: { readonly words: readonly WordRange[]; readonly fields: number },
): boolean {
  const reader = new TextReader(segment, record)
  while (reader.hasMore) {
    const field = reader.next()
    const length = reader.next()
    if (section.length < length) section = new Uint32Array(2 * length)
    for (let place = 0; place < length; place += 1) section[place] = reader.next()
    if ((field & fields) !== 0 && standsIn(section.subarray(0, length), words)) return true
  }
  return false
}

/** The words of the section that is looked at. */
let section = new Uint32Array(1 << 12)

function standsIn(own: Uint32Array, words: readonly WordRange[]): boolean {
  const [[from, to] = [0, 0]] = words
  const last = own.length - words.length
  for (let place = 0; place <= last; place += 1) {
    const word = own[place] ?? 0
    // Hardly any place has even the first word.
    if (word >= from && word < to && goesOn(own, place, words)) return true
  }
  return false
}

function goesOn(own: Uint32Array, place: number, words: readonly WordRange[]): boolean {
  return words.every(([from, to], next) => {
    const word = own[place + next] ?? 0
    return word >= from && word < to
  })
}

/** The words of the first section of a record where that is of this field (bit): what it cites comes first. */
export function firstSection(segment: Segment, record: number, field: number): readonly string[] {
  const reader = new TextReader(segment, record)
  if (!reader.hasMore || reader.next() !== field) return []
  return Array.from({ length: reader.next() }, () => segment.words.at(reader.next()))
}
