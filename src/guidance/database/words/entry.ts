import { nameOf, readText, wordsOf } from '../../../platform/words.ts'

/** A gap that phrases do not match across; no word is equal to it. */
const GAP = '-'
/**
 * Limits of an entry, chosen so that both databases store the same: PostgreSQL allows 16,383 positions, 255 of each
 * word, and one megabyte.
 */
const MOST_WORDS = 16_000
const MOST_BYTES = 800_000
const MOST_PLACES = 255

/** The texts of a record. */
export interface IndexedTexts {
  readonly title: string
  /** As written; null is left out. */
  readonly names: readonly (string | null)[]
  readonly texts: readonly (string | null)[]
  /** The title of what contains the record. */
  readonly context: string
}

/** The words of a record in order, as stored in the full-text tables. */
export interface WordEntry {
  readonly title: readonly string[]
  readonly names: readonly string[]
  readonly texts: readonly string[]
}

export function entryOf({ title, names, texts, context }: IndexedTexts): WordEntry {
  const ids = names.map((name) => nameOf(name ?? '')).filter((name) => name !== '')
  const [heading, ...bodies] = [title, ...texts].map((text) => readText(text ?? ''))
  const sequence = new Sequence()
  sequence.add(heading?.words ?? [])
  const titled = sequence.cut()
  sequence.add([...new Set(ids)])
  const named = sequence.cut()
  const compounds = new Set(heading?.compounds)
  for (const body of bodies) {
    sequence.add(body.words)
    sequence.add([GAP])
    for (const compound of body.compounds) compounds.add(compound)
  }
  sequence.add([...compounds])
  sequence.add([GAP])
  sequence.add(wordsOf(context))
  return { title: titled, names: named, texts: sequence.cut() }
}

/** Ignores words once the entry is full; a word that occurs too often becomes a gap. */
class Sequence {
  readonly #places = new Map<string, number>()
  #added: string[] = []
  #words = 0
  #bytes = 0

  add(words: readonly string[]): void {
    for (const word of words) {
      // UTF-8 needs at most three bytes for each UTF-16 unit.
      if (this.#words >= MOST_WORDS || this.#bytes > MOST_BYTES) return
      const places = (this.#places.get(word) ?? 0) + 1
      this.#places.set(word, places)
      this.#words += 1
      this.#bytes += word.length * 3
      this.#added.push(places > MOST_PLACES ? GAP : word)
    }
  }

  /** Returns the words added since the last cut; phrases do not match across cuts. */
  cut(): readonly string[] {
    const added = this.#added
    this.#added = []
    this.#words += 1
    return added
  }
}

/**
 * A PostgreSQL `tsvector` literal with each word's positions, so that PostgreSQL does not split words itself.
 * Several lists are one text with gaps between them.
 */
export function vectorOf(...lists: readonly (readonly string[])[]): string {
  const places = new Map<string, number[]>()
  let place = 0
  for (const list of lists) {
    for (const word of list) {
      place += 1
      const known = places.get(word)
      if (known === undefined) places.set(word, [place])
      else known.push(place)
    }
    place += 1
  }
  places.delete(GAP)
  return [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ')
}
