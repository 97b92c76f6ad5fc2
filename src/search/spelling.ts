import { distance } from 'fastest-levenshtein'
import type { GuidanceDocuments } from '../contracts/sources.ts'
import { compareCodeUnits } from '../graph/term.ts'
import { wordsOf } from '../platform/words.ts'
import { spellingsOf, type OntologyIndex } from './ontology-index.ts'

/** Words up to this length may have one mistake, longer ones two. */
const SHORT = 5
const MOST_WRONG = 3
const MOST_GUESSES = 3
/** The first letters are taken for right when titles are searched for similar words. */
const BELIEVED = 2

interface KnownWords {
  readonly index: Pick<OntologyIndex, 'spellings'>
  readonly guidance: Pick<GuidanceDocuments<never>, 'titleWords'>
}

/** The query with its unknown words corrected; the likeliest correction first. */
export async function corrections(
  text: string,
  unknown: ReadonlySet<string>,
  words: KnownWords,
): Promise<readonly string[]> {
  const wrong = [...new Set(spellingsOf(text))].filter((word) =>
    wordsOf(word).some((stem) => unknown.has(stem)),
  )
  const guesses = await Promise.all(
    wrong.slice(0, MOST_WRONG).map(async (word) => ({ word, meant: await nearest(word, words) })),
  )
  const helped = guesses.filter(({ meant }) => meant.length > 0)
  if (helped.length === 0) return []
  return Array.from({ length: MOST_GUESSES }, (_, place) =>
    helped.reduce(
      (query, { word, meant }) => replaced(query, word, meant[Math.min(place, meant.length - 1)]),
      text,
    ),
  ).filter((query, place, all) => all.indexOf(query) === place)
}

function replaced(text: string, word: string, meant = word): string {
  const place = text.toLowerCase().indexOf(word)
  return place === -1 ? text : text.slice(0, place) + meant + text.slice(place + word.length)
}

interface NearWord {
  readonly known: string
  /** How many letters are wrong. */
  readonly wrong: number
  /** Whether it begins with the same letter. */
  readonly isAlike: boolean
}

async function nearest(word: string, { index, guidance }: KnownWords): Promise<readonly string[]> {
  const most = word.length <= SHORT ? 1 : 2
  const titled = await guidance.titleWords(word.slice(0, BELIEVED))
  const known = new Set([...index.spellings.keys(), ...titled])
  const near: NearWord[] = []
  const first = word.slice(0, 1)
  for (const one of known) {
    if (Math.abs(one.length - word.length) > most || one === word) continue
    const wrong = distance(word, one)
    if (wrong <= most) near.push({ known: one, wrong, isAlike: one.startsWith(first) })
  }
  const frequency = (one: string): number => index.spellings.get(one) ?? 0
  return near
    .sort(
      (a, b) =>
        a.wrong - b.wrong ||
        Number(b.isAlike) - Number(a.isAlike) ||
        frequency(b.known) - frequency(a.known) ||
        compareCodeUnits(a.known, b.known),
    )
    .slice(0, MOST_GUESSES)
    .map((one) => one.known)
}
