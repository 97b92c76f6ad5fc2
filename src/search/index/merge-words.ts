import { countLive } from './hits.ts'
import { postingsOf, type Part } from './segment.ts'
import { StringListWriter, type StringList } from './string-list.ts'

/** The words of several parts, without words that only removed records have. */
export interface MergedWords {
  readonly words: StringList
  /** Position of each part's words in the merged list; words without records have none. */
  readonly places: readonly Uint32Array[]
  /** How many postings each word has. */
  readonly counts: Uint32Array
}

/** Postings that are counted before a pause is possible; a word counts as ten. */
const POSTINGS_AT_ONCE = 20_000
const WORD = 10

/** Yields after each portion, so that other work can run. */
export function* mergeWords(parts: readonly Part[]): Generator<undefined, MergedWords> {
  const writer = new StringListWriter()
  const counts: number[] = []
  const lists = parts.map((part) => new PartWords(part))
  let work = 0
  for (let word = leastOf(lists); word !== null; word = leastOf(lists)) {
    let count = 0
    for (const list of lists) if (list.word === word) count += list.advance(counts.length)
    if (count > 0) {
      writer.add(word)
      counts.push(count)
    }
    work += count + WORD
    if (work < POSTINGS_AT_ONCE) continue
    work = 0
    yield
  }
  const places = lists.map((list) => list.places)
  return { words: writer.finish(), places, counts: Uint32Array.from(counts) }
}

/** The lowest next word; null when all lists have ended. */
function leastOf(lists: readonly PartWords[]): string | null {
  let least: string | null = null
  for (const { word } of lists) if (word !== null && (least === null || word < least)) least = word
  return least
}

/** The words of a part, one after the other. */
class PartWords {
  readonly places: Uint32Array
  /** The next one; null at the end. */
  word: string | null
  readonly #part: Part
  readonly #isWhole: boolean
  #index = 0

  constructor(part: Part) {
    this.#part = part
    this.#isWhole = !part.deleted.includes(1)
    this.places = new Uint32Array(part.segment.words.length)
    this.word = this.#wordAt(0)
  }

  /** Moves to the next word. Returns the number of records with this word that were not removed. */
  advance(mergedIndex: number): number {
    const { segment, deleted } = this.#part
    const { records } = postingsOf(segment, this.#index)
    this.places[this.#index] = mergedIndex
    this.#index += 1
    this.word = this.#wordAt(this.#index)
    return this.#isWhole ? records.length : countLive(records, deleted)
  }

  #wordAt(index: number): string | null {
    const { words } = this.#part.segment
    return index < words.length ? words.at(index) : null
  }
}
