import { distance } from 'fastest-levenshtein'
import type { SearchFeed } from '../../contracts/search-feed.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { nameOf } from '../../platform/words.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { keyOf, recordOf } from '../index/keys.ts'
import type { Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import { postingsOf, type Segment } from '../index/segment.ts'
import { differentLetters, lettersOf } from '../knowledge/written-words.ts'

const MAX_NEAR_NAMES = 5
/** Identifiers of rules are not longer. */
const MAX_LENGTH = 64
const MAX_WRONG = 2

interface NearContext {
  readonly library: Pick<Library, 'catalogue'>
  readonly feed: Pick<SearchFeed, 'matches'>
}

/** Identifiers of rules and requirements that are most similar to an unknown one, best first. */
export async function nearNames({ library, feed }: NearContext, text: string): Promise<readonly string[]> {
  const name = nameOf(text)
  if (name === '' || text.length > MAX_LENGTH) return []
  const candidates = library.catalogue.parts.flatMap((part) => nearNamesInPart(part, name)).sort(nearestFirst)
  const byName = new Map<string, NearName>()
  for (const nearName of candidates) {
    if (byName.size === MAX_NEAR_NAMES) break
    if (!byName.has(nearName.name)) byName.set(nearName.name, nearName)
  }
  const nearNames = [...byName.values()]
  const matches = await feed.matches(nearNames.map(({ key }) => ruleOf(key)))
  const names = new Map(matches.map((match) => [keyOf(match.kind, match.recordId), match.names]))
  return nearNames.flatMap(({ key, name: word }) => asWritten(names.get(key) ?? [], word) ?? [])
}

interface NearName {
  readonly name: string
  /** How many letters differ. */
  readonly differences: number
  /** Key of a record with this name. */
  readonly key: number
}

function nearestFirst(a: NearName, b: NearName): number {
  return a.differences - b.differences || compareCodeUnits(a.name, b.name)
}

/** A quarter of the letters may differ, but at most two, because identifiers are similar anyway. */
function nearNamesInPart({ segment, deleted }: IndexPart, name: string): readonly NearName[] {
  const maxDifferences = Math.min(MAX_WRONG, Math.max(1, Math.floor(name.length / 4)))
  const { words } = segment
  const { places, letters } = namesIn(segment)
  const ownLetters = lettersOf(name)
  const candidates: NearName[] = []
  for (let index = 0; index < places.length; index += 1) {
    const wordIndex = places[index] ?? 0
    const length = (words.starts[wordIndex + 1] ?? 0) - (words.starts[wordIndex] ?? 0)
    if (Math.abs(length - name.length) > maxDifferences) continue
    if (differentLetters(ownLetters, letters[index] ?? 0) > 2 * maxDifferences) continue
    const word = words.at(wordIndex)
    const differences = distance(word, name)
    const key = differences > maxDifferences ? undefined : firstKeyNamed(segment, deleted, wordIndex)
    if (key !== undefined) candidates.push({ name: word, differences, key })
  }
  return candidates
}

/** Finds the first record that has a word in its name and was not removed. */
function firstKeyNamed(segment: Segment, deleted: Uint8Array, wordIndex: number): number | undefined {
  const { records, fields } = postingsOf(segment, wordIndex)
  const firstIndex = records.findIndex(
    (record, index) => deleted[record] !== 1 && ((fields[index] ?? 0) & FIELD_BITS.names) !== 0,
  )
  return segment.keys[records[firstIndex] ?? -1]
}

/** The words of a segment that are identifiers: their indexes, and their letters as bits. */
interface SegmentNames {
  readonly places: Uint32Array
  readonly letters: Int32Array
}

const namesBySegment = new WeakMap<Segment, SegmentNames>()

function namesIn(segment: Segment): SegmentNames {
  return getOrMake(namesBySegment, segment, () => readNames(segment))
}

function readNames(segment: Segment): SegmentNames {
  const { words } = segment
  const places: number[] = []
  for (let index = 0; index < words.length; index += 1) if (isName(segment, index)) places.push(index)
  return {
    places: Uint32Array.from(places),
    letters: Int32Array.from(places, (index) => lettersOf(words.at(index))),
  }
}

function isName(segment: Segment, wordIndex: number): boolean {
  return postingsOf(segment, wordIndex).fields.some((bits) => (bits & FIELD_BITS.names) !== 0)
}

function ruleOf(key: number): { readonly kind: 'rule' | 'requirement'; readonly id: number } {
  const { kind, id } = recordOf(key)
  return { kind: kind === 'requirement' ? kind : 'rule', id }
}

/** Finds the written form of an indexed name; names without revision are only in the index. */
function asWritten(names: readonly string[], word: string): string | undefined {
  return names.find((name) => nameOf(name) === word) ?? names[0]
}
