import type { Meaning, Phrase } from '../contracts/sources.ts'
import { append } from '../platform/append.ts'

/** The words of a part of a record, as `wordsOf` gives them. */
export interface Field {
  readonly name: string
  readonly words: readonly string[]
}

/** Words that are tried for one beginning, at most. */
const MOST_BEGINNINGS = 200

/**
 * An index of words in memory. It finds what the full-text tables of guidance would find: the words of a
 * phrase have to stand next to each other in one field.
 */
export class WordIndex {
  /** Of each record, by its number. */
  readonly #records: (readonly Field[])[] = []
  /** The records of each word, ascending. */
  readonly #recordsOf = new Map<string, number[]>()
  #sorted: readonly string[] | null = null

  get size(): number {
    return this.#records.length
  }

  /** Returns the number of the record: how many there were before it. */
  add(fields: readonly Field[]): number {
    const record = this.#records.length
    this.#records.push(fields)
    for (const word of new Set(fields.flatMap(({ words }) => words)))
      append(this.#recordsOf, word, record)
    this.#sorted = null
    return record
  }

  fields(record: number): readonly Field[] {
    return this.#records[record] ?? []
  }

  /** In how many records a word stands. */
  count(word: string): number {
    return this.#recordsOf.get(word)?.length ?? 0
  }

  /** Every word, in order. */
  words(): readonly string[] {
    this.#sorted ??= [...this.#recordsOf.keys()].sort()
    return this.#sorted
  }

  /** The records that have all of this, ascending; in these fields, or in any (null). */
  find(wanted: readonly Meaning[], fields: ReadonlySet<string> | null): readonly number[] {
    let found: readonly number[] | null = null
    for (const one of wanted) {
      const meeting = this.#meeting(one, fields)
      found = found === null ? [...meeting] : found.filter((record) => meeting.has(record))
      if (found.length === 0) return []
    }
    return (found ?? []).toSorted((a, b) => a - b)
  }

  #meeting({ ways }: Meaning, fields: ReadonlySet<string> | null): ReadonlySet<number> {
    const meeting = new Set<number>()
    for (const way of ways) {
      for (const record of this.#candidates(way)) {
        if (!meeting.has(record) && this.#holds(record, way, fields)) meeting.add(record)
      }
    }
    return meeting
  }

  /** The records of its rarest word, or of all words that begin with its only one. */
  #candidates({ words, prefix }: Phrase): readonly number[] {
    const last = words.at(-1) ?? ''
    if (prefix && words.length === 1)
      return this.beginningWith(last).flatMap((word) => this.#recordsOf.get(word) ?? [])
    const whole = prefix ? words.slice(0, -1) : words
    const lists = whole.map((word) => this.#recordsOf.get(word) ?? [])
    return lists.reduce(
      (least, list) => (list.length < least.length ? list : least),
      lists[0] ?? [],
    )
  }

  #holds(record: number, way: Phrase, fields: ReadonlySet<string> | null): boolean {
    const isSimple = fields === null && way.words.length === 1
    return (
      isSimple ||
      this.fields(record).some(
        ({ name, words }) => (fields === null || fields.has(name)) && placeOf(words, way) !== -1,
      )
    )
  }

  /** Words of the index that begin like this. */
  beginningWith(beginning: string): readonly string[] {
    const words = this.words()
    const from = firstNotBelow(words, beginning)
    const upTo = Math.min(words.length, from + MOST_BEGINNINGS)
    const found: string[] = []
    for (let index = from; index < upTo; index += 1) {
      const word = words[index] ?? ''
      if (!word.startsWith(beginning)) break
      found.push(word)
    }
    return found
  }
}

/** The position of a phrase in these words; -1 where it is not there. */
export function placeOf(words: readonly string[], { words: wanted, prefix }: Phrase): number {
  const [first] = wanted
  const last = wanted.length - 1
  // Called for every word of every candidate, nearly always with a single whole word.
  if (last === 0 && !prefix && first !== undefined) return words.indexOf(first)
  for (let place = 0; place + last < words.length; place += 1)
    if (standsAt(place, words, { words: wanted, prefix })) return place
  return -1
}

function standsAt(
  place: number,
  words: readonly string[],
  { words: wanted, prefix }: Phrase,
): boolean {
  const last = wanted.length - 1
  return wanted.every((word, index) => {
    const there = words[place + index] ?? ''
    return there === word || (prefix && index === last && there.startsWith(word))
  })
}

function firstNotBelow(words: readonly string[], word: string): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle] ?? '') < word) low = middle + 1
    else high = middle
  }
  return low
}
