import { nameOf, readText, wordsOf } from '../../../platform/words.ts'

/** Stands where nothing is to be found: no phrase reaches over it. No word looks like it. */
const GAP = '-'
/**
 * What an entry holds at most, so that both databases keep the same: PostgreSQL knows 16,383 places, 255
 * of each word, and a megabyte.
 */
const MOST_WORDS = 16_000
const MOST_BYTES = 800_000
const MOST_PLACES = 255

/** What a record says. */
export interface IndexedTexts {
  readonly title: string
  /** As they are written; nothing for null. */
  readonly names: readonly (string | null)[]
  readonly texts: readonly (string | null)[]
  /** What it is part of. */
  readonly context: string
}

/** The words of a record in their order, as the full-text tables keep them. */
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

/** Stops when an entry can hold no more; a word that comes too often leaves a gap. */
class Sequence {
  readonly #places = new Map<string, number>()
  #added: string[] = []
  #words = 0
  #bytes = 0

  add(words: readonly string[]): void {
    for (const word of words) {
      // No character is more than three bytes for each of its units.
      if (this.#words >= MOST_WORDS || this.#bytes > MOST_BYTES) return
      const places = (this.#places.get(word) ?? 0) + 1
      this.#places.set(word, places)
      this.#words += 1
      this.#bytes += word.length * 3
      this.#added.push(places > MOST_PLACES ? GAP : word)
    }
  }

  /** What was added since the last cut; no phrase reaches over it. */
  cut(): readonly string[] {
    const added = this.#added
    this.#added = []
    this.#words += 1
    return added
  }
}

/**
 * Words as PostgreSQL takes them for a `tsvector`, without its own idea of words: each with its places.
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
