import { liveOf } from './hits.ts'
import { factColumns, type RecordFacts } from './segment-builder.ts'
import { postingsOf, type Postings, type Segment } from './segment.ts'
import { StringList } from './string-list.ts'
import { copyTexts, TextsWriter } from './texts.ts'

/** A segment, and which of its records are gone. */
export interface Part {
  readonly segment: Segment
  /** 1 where a record is gone. */
  readonly gone: Uint8Array
}

const GONE = 0xffffffff

/** One segment of what is left in several. */
export function mergeParts(parts: readonly Part[]): Segment {
  const words = mergedWords(parts)
  const numbered = numberedParts(parts, words)
  const columns = new PostingColumns(countByWord(numbered, words.length))
  for (const part of numbered) columns.addAll(part)
  return { words: StringList.of(words), ...columns.columns, ...copiedRecords(numbered) }
}

/** A part, and what its words and records are called in the merged segment. */
interface NumberedPart extends Part {
  readonly words: Uint32Array
  readonly records: Uint32Array
}

function numberedParts(parts: readonly Part[], words: readonly string[]): readonly NumberedPart[] {
  let next = 0
  return parts.map(({ segment, gone }) => {
    const records = Uint32Array.from(gone, (isGone) => {
      if (isGone === 1) return GONE
      next += 1
      return next - 1
    })
    return { segment, gone, words: placesIn(words, segment.words), records }
  })
}

/** How many postings each word has left. */
function countByWord(parts: readonly NumberedPart[], words: number): Uint32Array {
  const counts = new Uint32Array(words)
  for (const { segment, gone, words: places } of parts)
    for (const [word, place] of places.entries()) {
      const count = liveOf(postingsOf(segment, word).records, gone)
      if (count > 0) counts[place] = (counts[place] ?? 0) + count
    }
  return counts
}

/** Columns that are filled word by word, of one part after the other. */
class PostingColumns {
  readonly columns: Pick<Segment, 'starts' | 'records' | 'worths' | 'fields'>
  /** Of each word where its next posting goes. */
  readonly #next: Uint32Array

  constructor(counts: Uint32Array) {
    const starts = new Uint32Array(counts.length + 1)
    for (const [word, count] of counts.entries()) starts[word + 1] = (starts[word] ?? 0) + count
    const total = starts[counts.length] ?? 0
    this.#next = starts.slice()
    this.columns = {
      starts,
      records: new Uint32Array(total),
      worths: new Uint16Array(total),
      fields: new Uint8Array(total),
    }
  }

  addAll({ segment, words, records }: NumberedPart): void {
    for (const [word, place] of words.entries()) {
      const postings = postingsOf(segment, word)
      for (const [at, old] of postings.records.entries()) {
        const record = records[old] ?? GONE
        if (record !== GONE) this.#add(place, record, { postings, at })
      }
    }
  }

  #add(
    word: number,
    record: number,
    { postings, at }: { readonly postings: Postings; readonly at: number },
  ): void {
    const to = this.#next[word] ?? 0
    this.columns.records[to] = record
    this.columns.worths[to] = postings.worths[at] ?? 0
    this.columns.fields[to] = postings.fields[at] ?? 0
    this.#next[word] = to + 1
  }
}

/** Words that only records had which are gone stay, without postings, until the next merge but one. */
function mergedWords(parts: readonly Part[]): readonly string[] {
  const words = new Set<string>()
  for (const { segment, gone } of parts) {
    for (let word = 0; word < segment.words.length; word += 1) {
      const { records } = postingsOf(segment, word)
      if (records.some((record) => gone[record] === 0)) words.add(segment.words.at(word))
    }
  }
  return [...words].sort()
}

function placesIn(words: readonly string[], list: StringList): Uint32Array {
  const places = new Uint32Array(list.length)
  let at = 0
  for (let word = 0; word < list.length; word += 1) {
    const text = list.at(word)
    while (at < words.length && (words[at] ?? '') < text) at += 1
    places[word] = at
  }
  return places
}

function copiedRecords(
  parts: readonly NumberedPart[],
): Omit<Segment, 'words' | 'starts' | 'records' | 'worths' | 'fields'> {
  const writer = new TextsWriter()
  const facts: RecordFacts[] = []
  for (const { segment, gone, words: numbers } of parts)
    for (const [record, isGone] of gone.entries()) {
      if (isGone === 1) continue
      copyTexts(segment, record, { writer, numbers })
      facts.push(factsOf(segment, record))
    }
  return { ...factColumns(facts), ...writer.finish() }
}

function factsOf({ keys, owners, severities, folds }: Segment, record: number): RecordFacts {
  return {
    key: keys[record] ?? 0,
    owner: owners[record] ?? 0,
    severity: severities[record] ?? 0,
    fold: folds[record] ?? 0,
  }
}
