import { Pauses } from '../../platform/concurrency/turns.ts'
import { mergeWords, type MergedWords } from './merge-words.ts'
import { postingsOf, type Part, type Segment } from './segment.ts'
import { copyTexts, TextsWriter } from './texts.ts'

const GONE = 0xffffffff
/** Work between two possible pauses: each takes a millisecond or less. */
const POSTINGS_AT_ONCE = 20_000
const RECORDS_AT_ONCE = 200

/**
 * Merges parts into one segment without their removed records. Pauses for other work; `deleted` must not change meanwhile.
 */
export async function mergeParts(parts: readonly Part[]): Promise<Segment> {
  const pauses = new Pauses()
  const steps = mergeSteps(parts)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    await pauses.rest()
  }
}

function* mergeSteps(parts: readonly Part[]): Generator<undefined, Segment> {
  const merged = yield* mergeWords(parts)
  const records = numberedRecords(parts)
  const columns = yield* copyPostings(parts, merged, records)
  return { words: merged.words, ...columns, ...(yield* copyRecords(parts, merged, records)) }
}

/** Maps the records of each part to their numbers in the merged segment. */
function numberedRecords(parts: readonly Part[]): readonly Uint32Array[] {
  let next = 0
  return parts.map(({ deleted }) => {
    const numbers = new Uint32Array(deleted.length)
    for (let record = 0; record < deleted.length; record += 1) {
      numbers[record] = deleted[record] === 1 ? GONE : next
      if (deleted[record] === 0) next += 1
    }
    return numbers
  })
}

type PostingColumns = Pick<Segment, 'starts' | 'records' | 'worths' | 'fields'>

function* copyPostings(
  parts: readonly Part[],
  { counts, places }: MergedWords,
  numbers: readonly Uint32Array[],
): Generator<undefined, PostingColumns> {
  const columns = emptyPostings(counts)
  /** Index for the next posting of each word. */
  const next = columns.starts.slice()
  let copied = 0
  for (const [partIndex, { segment }] of parts.entries())
    for (let word = 0; word < segment.words.length; word += 1) {
      const mergedWord = places[partIndex]?.[word] ?? 0
      const from = next[mergedWord] ?? 0
      const count = copyWord(columns, from, { segment, word, numbers: numbers[partIndex] ?? NO_NUMBERS })
      next[mergedWord] = from + count
      copied += count + 1
      if (copied < POSTINGS_AT_ONCE) continue
      copied = 0
      yield
    }
  return columns
}

const NO_NUMBERS = new Uint32Array()

function emptyPostings(counts: Uint32Array): PostingColumns {
  const starts = new Uint32Array(counts.length + 1)
  for (const [word, count] of counts.entries()) starts[word + 1] = (starts[word] ?? 0) + count
  const total = starts[counts.length] ?? 0
  return {
    starts,
    records: new Uint32Array(total),
    worths: new Uint16Array(total),
    fields: new Uint16Array(total),
  }
}

/** Returns the number of copied postings. */
function copyWord(
  to: PostingColumns,
  from: number,
  word: { readonly segment: Segment; readonly word: number; readonly numbers: Uint32Array },
): number {
  const { records, worths, fields } = postingsOf(word.segment, word.word)
  let next = from
  for (let index = 0; index < records.length; index += 1) {
    const record = word.numbers[records[index] ?? 0] ?? GONE
    if (record === GONE) continue
    to.records[next] = record
    to.worths[next] = worths[index] ?? 0
    to.fields[next] = fields[index] ?? 0
    next += 1
  }
  return next - from
}

function* copyRecords(
  parts: readonly Part[],
  { places }: MergedWords,
  numbers: readonly Uint32Array[],
): Generator<undefined, Omit<Segment, 'words' | keyof PostingColumns>> {
  // Word numbers in the merged segment are larger and may take more bytes.
  const writer = new TextsWriter(Math.ceil(1.05 * textBytes(parts)))
  const facts = emptyFacts(parts)
  for (const [partIndex, { segment, deleted }] of parts.entries()) {
    const words = places[partIndex] ?? NO_NUMBERS
    for (let record = 0; record < deleted.length; record += 1) {
      if (record % RECORDS_AT_ONCE === 0) yield
      if (deleted[record] === 1) continue
      copyTexts(segment, record, { writer, numbers: words })
      copyFacts(facts, numbers[partIndex]?.[record] ?? 0, { segment, record })
    }
  }
  return { ...facts, ...writer.finish() }
}

function textBytes(parts: readonly Part[]): number {
  return parts.reduce((sum, { segment }) => sum + segment.texts.length, 0)
}

type FactColumns = Pick<Segment, 'keys' | 'owners' | 'severities' | 'folds'>

function emptyFacts(parts: readonly Part[]): FactColumns {
  const live = parts.reduce((sum, { deleted }) => sum + deleted.length - countRemoved(deleted), 0)
  return {
    keys: new Float64Array(live),
    owners: new Uint32Array(live),
    severities: new Uint8Array(live),
    folds: new Uint32Array(live),
  }
}

function countRemoved(deleted: Uint8Array): number {
  return deleted.reduce((sum, isDeleted) => sum + isDeleted, 0)
}

function copyFacts(
  to: FactColumns,
  number: number,
  { segment, record }: { readonly segment: Segment; readonly record: number },
): void {
  to.keys[number] = segment.keys[record] ?? 0
  to.owners[number] = segment.owners[record] ?? 0
  to.severities[number] = segment.severities[record] ?? 0
  to.folds[number] = segment.folds[record] ?? 0
}
