import { ANY_FIELD } from './fields.ts'
import type { Segment } from './segment.ts'

/** Marks the beginning of a section. No byte of a word has this value. */
const SECTION = 0
/** In bytes. */
const MIN_BUFFER_LENGTH = 1 << 12
/** If more of the buffer than this share is used, it is not copied into a smaller one. */
const MOSTLY_USED = 0.9
/** Set in each byte of a number except the last. */
const MORE = 0x80

/**
 * Encodes the words of records in order. A section is a mark, one byte for its field, and its words. A word is its
 * number plus one as a variable-length integer of seven bits a byte. So no byte of a word equals the mark, and phrases
 * can be found in the bytes.
 */
export class TextsWriter {
  readonly #starts: number[] = [0]
  #bytes: Uint8Array<ArrayBuffer>
  #length = 0

  /** `room`: the expected number of bytes, so that the buffer need not grow. */
  constructor(room = 0) {
    this.#bytes = new Uint8Array(room + MIN_BUFFER_LENGTH)
  }

  /** A field by its bit. */
  section(field: number, words: readonly number[]): void {
    this.#add(SECTION)
    this.#add(32 - Math.clz32(field))
    for (const word of words) this.#add(word + 1)
  }

  endRecord(): void {
    this.#starts.push(this.#length)
  }

  finish(): Pick<Segment, 'textStarts' | 'texts'> {
    const isFull = this.#length > MOSTLY_USED * this.#bytes.length
    const texts = isFull ? this.#bytes.subarray(0, this.#length) : this.#bytes.slice(0, this.#length)
    return { textStarts: Uint32Array.from(this.#starts), texts }
  }

  #add(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow()
    this.#length = putNumber(this.#bytes, this.#length, value)
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Returns the offset after the number. */
function putNumber(bytes: Uint8Array, from: number, value: number): number {
  let offset = from
  let remaining = value
  for (; remaining >= MORE; remaining >>>= 7) {
    bytes[offset] = (remaining & 0x7f) | MORE
    offset += 1
  }
  bytes[offset] = remaining
  return offset + 1
}

/** Reads the text of one record. */
class TextReader {
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

  /** The bit of the field of the section that begins here. */
  field(): number {
    const field = this.#bytes[this.#at + 1] ?? 0
    this.#at += 2
    return 1 << (field - 1)
  }

  /** The words until the next section. */
  words(): readonly number[] {
    const words: number[] = []
    while (this.hasMore && this.#bytes[this.#at] !== SECTION) words.push(this.#next() - 1)
    return words
  }

  #next(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at] ?? 0
      this.#at += 1
      value |= (byte & 0x7f) << shift
      if (byte < MORE) return value
    }
  }
}

/** Copies texts with new word numbers, without records that are left out. */
export function copyTexts(
  from: Segment,
  record: number,
  to: { readonly writer: TextsWriter; readonly numbers: Uint32Array },
): void {
  const reader = new TextReader(from, record)
  while (reader.hasMore) {
    const field = reader.field()
    to.writer.section(
      field,
      reader.words().map((word) => to.numbers[word] ?? 0),
    )
  }
  to.writer.endRecord()
}

/** Calls a function with the words of a record in these fields (bits), each as often as it occurs. */
export function forEachWord(
  segment: Segment,
  { record, fields }: { readonly record: number; readonly fields: number },
  use: (word: number) => void,
): void {
  const reader = new TextReader(segment, record)
  while (reader.hasMore) {
    const isWanted = (reader.field() & fields) !== 0
    for (const word of reader.words()) if (isWanted) use(word)
  }
}

/** A range of word numbers; the end is exclusive. */
export type WordRange = readonly [number, number]

/** A phrase as encoded bytes. Its last word may be a range, for prefixes. */
export interface EncodedPhrase {
  /** Word numbers as encoded in the texts. */
  readonly bytes: Uint8Array
  readonly last: WordRange
  /** Bits. */
  readonly fields: number
}

export function encodePhrase(words: readonly WordRange[], fields: number): EncodedPhrase {
  const bytes = new Uint8Array(5 * words.length)
  let length = 0
  for (const [word] of words.slice(0, -1)) length = putNumber(bytes, length, word + 1)
  return { bytes: bytes.subarray(0, length), last: words.at(-1) ?? [0, 0], fields }
}

/** Whether a record has a phrase in one of the fields. */
export function hasPhrase({ texts, textStarts }: Segment, record: number, phrase: EncodedPhrase): boolean {
  const { bytes } = phrase
  const first = bytes[0] ?? 0
  const start = textStarts[record] ?? 0
  const last = (textStarts[record + 1] ?? start) - bytes.length - 1
  for (let offset = start + 2; offset <= last; offset += 1)
    if (texts[offset] === first && phraseStandsAt(texts, offset, phrase)) return true
  return false
}

function phraseStandsAt(texts: Uint8Array, offset: number, { bytes, last, fields }: EncodedPhrase): boolean {
  // The match must not begin inside a number, nor at the field of a section.
  const before = texts[offset - 1] ?? SECTION
  if (before >= MORE || before === SECTION) return false
  for (let next = 1; next < bytes.length; next += 1) if (texts[offset + next] !== bytes[next]) return false
  const word = numberAt(texts, offset + bytes.length) - 1
  return word >= last[0] && word < last[1] && isInField(texts, offset, fields)
}

/** Decodes a number; 0 at the beginning of a section. */
function numberAt(texts: Uint8Array, from: number): number {
  let value = 0
  for (let offset = from, shift = 0; ; offset += 1, shift += 7) {
    const byte = texts[offset] ?? 0
    value |= (byte & 0x7f) << shift
    if (byte < MORE) return value
  }
}

function isInField(texts: Uint8Array, offset: number, fields: number): boolean {
  if (fields === ANY_FIELD) return true
  const mark = texts.lastIndexOf(SECTION, offset)
  return (fields & (1 << ((texts[mark + 1] ?? 1) - 1))) !== 0
}

/** The words of the first section of a record, if it has this field (bit). Citations come first. */
export function firstSection(segment: Segment, record: number, field: number): readonly string[] {
  return firstNumbers(segment, record, field).map((word) => segment.words.at(word))
}

/** Reads the first words as numbers. */
export function firstNumbers(segment: Segment, record: number, field: number): readonly number[] {
  const reader = new TextReader(segment, record)
  return reader.hasMore && reader.field() === field ? reader.words() : []
}
