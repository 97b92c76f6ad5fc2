import { getOrMake } from '../../platform/get-or-make.ts'
import { FIELD_BITS, worthOf, type Section } from './fields.ts'
import { stepsOf, type Segment } from './segment.ts'
import { StringList } from './string-list.ts'
import { TextsWriter } from './texts.ts'

/** Facts about a record beside its words; each is a column of a segment. */
export interface RecordFacts {
  readonly key: number
  readonly owner: number
  readonly severity: number
  readonly fold: number
}

/** A record as the index takes it. */
export interface IndexedRecord extends RecordFacts {
  readonly sections: readonly Section[]
}

interface WordPostings {
  readonly records: number[]
  readonly worths: number[]
  readonly fields: number[]
}

/** Gathers the postings of records, then sorts the words. */
export class SegmentBuilder {
  readonly #words = new Map<string, number>()
  readonly #postings: WordPostings[] = []
  readonly #facts: RecordFacts[] = []
  /** Sections of each record: a field and its words, by their numbers here. */
  readonly #texts: (readonly (readonly [number, readonly number[]])[])[] = []

  get size(): number {
    return this.#facts.length
  }

  add({ sections, ...facts }: IndexedRecord): void {
    const record = this.#facts.length
    const weightsByWord = new Map<number, { worth: number; fields: number }>()
    const note = (word: number, worth: number, field: number): void => {
      const weights = weightsByWord.get(word)
      if (weights === undefined) weightsByWord.set(word, { worth, fields: field })
      else {
        weights.worth += worth
        weights.fields |= field
      }
    }
    const texts = sections.map((section): readonly [number, readonly number[]] => {
      const worth = worthOf(section)
      const field = FIELD_BITS[section.field]
      const words = section.words.map((word) => this.#numberOf(word))
      for (const word of words) note(word, worth, field)
      for (const word of section.compounds) note(this.#numberOf(word), worth, field)
      return [field, words]
    })
    for (const [word, { worth, fields }] of weightsByWord) {
      const postings = this.#postings[word]
      postings?.records.push(record)
      postings?.worths.push(stepsOf(worth))
      postings?.fields.push(fields)
    }
    this.#facts.push(facts)
    this.#texts.push(texts)
  }

  #numberOf(word: string): number {
    return getOrMake(this.#words, word, () => this.#postings.push({ records: [], worths: [], fields: [] }) - 1)
  }

  build(): Segment {
    const words = [...this.#words.keys()].sort()
    const numbers = words.map((word) => this.#words.get(word) ?? 0)
    const places = new Uint32Array(words.length)
    for (const [index, number] of numbers.entries()) places[number] = index
    return {
      words: StringList.of(words),
      ...postingColumns(numbers.flatMap((number) => this.#postings[number] ?? [])),
      ...factColumns(this.#facts),
      ...this.#textColumns(places),
    }
  }

  #textColumns(places: Uint32Array): Pick<Segment, 'textStarts' | 'texts'> {
    const writer = new TextsWriter()
    for (const record of this.#texts) {
      for (const [field, words] of record)
        writer.section(
          field,
          words.map((word) => places[word] ?? 0),
        )
      writer.endRecord()
    }
    return writer.finish()
  }
}

/** Makes the columns of postings by word. */
function postingColumns(postings: readonly WordPostings[]): Pick<Segment, 'starts' | 'records' | 'worths' | 'fields'> {
  const starts = new Uint32Array(postings.length + 1)
  for (const [word, { records }] of postings.entries()) starts[word + 1] = (starts[word] ?? 0) + records.length
  const total = starts[postings.length] ?? 0
  const columns = {
    records: new Uint32Array(total),
    worths: new Uint16Array(total),
    fields: new Uint16Array(total),
  }
  for (const [word, { records, worths, fields }] of postings.entries()) {
    const start = starts[word] ?? 0
    columns.records.set(records, start)
    columns.worths.set(worths, start)
    columns.fields.set(fields, start)
  }
  return { starts, ...columns }
}

function factColumns(facts: readonly RecordFacts[]): Pick<Segment, 'keys' | 'owners' | 'severities' | 'folds'> {
  return {
    keys: Float64Array.from(facts, ({ key }) => key),
    owners: Uint32Array.from(facts, ({ owner }) => owner),
    severities: Uint8Array.from(facts, ({ severity }) => severity),
    folds: Uint32Array.from(facts, ({ fold }) => fold),
  }
}
