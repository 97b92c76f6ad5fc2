import type { Kind } from '../contracts/sources.ts'
import { compareCodeUnits } from '../graph/term.ts'
import type { Candidate } from './candidates.ts'
import type { Term } from './terms.ts'
import { placeOf } from './word-index.ts'

/** A candidate with its score, and the kind of match that was best. */
export interface Ranked {
  readonly candidate: Candidate
  readonly score: number
  readonly by: 'identifier' | 'title' | 'synonym' | 'text'
}

/** The weight of a word, by its field. */
const FIELD: Readonly<Record<string, number>> = {
  names: 1,
  label: 1,
  joined: 1,
  synonym: 0.95,
  tactic: 0.5,
  context: 0.6,
  text: 0.4,
}
const TEXT = 0.4

/** Added to the score of the words, which is 0 to 1. */
const BONUS = {
  named: 3,
  linked: 0.9,
  called: 0.5,
  all: 0.3,
  whole: 0.6,
  share: 0.45,
  near: 0.2,
}

/** A small bonus by kind, which decides between records that fit equally well. */
const KINDS: Readonly<Record<Kind, number>> = {
  technique: 0.1,
  tactic: 0.1,
  rule: 0.08,
  requirement: 0.05,
  'authored-rule': 0.07,
  component: 0.05,
  'offensive-technique': 0.06,
  weakness: 0.05,
  artifact: 0.04,
  control: 0.02,
  cci: 0,
}

/** Subtracted for each better result of the same kind. */
const REPEATED = 0.03
/** The number of results that are mixed; after these, the score alone decides. */
const MIXED = 50

/** The best first; the order of the input does not matter. */
export function rank(candidates: readonly Candidate[], terms: readonly Term[]): readonly Ranked[] {
  return candidates.map((candidate) => judge(candidate, terms)).sort(compareRanked)
}

export function compareRanked(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    KINDS[b.candidate.kind] - KINDS[a.candidate.kind] ||
    compareCodeUnits(a.candidate.order, b.candidate.order) ||
    compareCodeUnits(a.candidate.key, b.candidate.key)
  )
}

function judge(candidate: Candidate, terms: readonly Term[]): Ranked {
  const { named, linked, isCalled, kind } = candidate
  const worths = terms.map((term) => worthOf(candidate, term))
  const total = terms.reduce((sum, { importance }) => sum + importance, 0)
  const worth = worths.reduce((sum, one, place) => sum + one * (terms[place]?.importance ?? 0), 0)
  const title = bestTitle(candidate, terms)
  const words = total === 0 ? 0 : worth / total
  const hasAll = terms.length > 0 && worths.every((one) => one > 0)
  const score =
    words +
    (hasAll ? BONUS.all : 0) +
    title.bonus +
    BONUS.named * named +
    BONUS.linked * linked +
    (isCalled ? BONUS.called : 0) +
    KINDS[kind]
  const isIdentified = named > 0 || (linked > 0 && title.by === 'text')
  return { candidate, score, by: isIdentified ? 'identifier' : title.by }
}

/** The weight of a term in its best field; a term that only the database has found counts as in a text. */
function worthOf({ fields, met }: Candidate, term: Term): number {
  let best = met.has(term) ? TEXT : 0
  for (const { name, words } of fields) {
    const field = FIELD[name] ?? 0
    if (field <= best) continue
    for (const way of term.ways) {
      const worth = field * way.weight
      if (worth > best && placeOf(words, way) !== -1) best = worth
    }
  }
  return best
}

interface TitleMatch {
  readonly bonus: number
  readonly by: 'title' | 'synonym' | 'text'
}

/** How much of a title or synonym the query covers, and how close together. */
function bestTitle({ fields }: Candidate, terms: readonly Term[]): TitleMatch {
  let best: TitleMatch = { bonus: 0, by: 'text' }
  for (const { name, words } of fields) {
    if (name !== 'label' && name !== 'synonym') continue
    const bonus = (FIELD[name] ?? 0) * coverage(words, terms)
    if (bonus > best.bonus) best = { bonus, by: name === 'label' ? 'title' : 'synonym' }
  }
  return best
}

/** Words that do not count as content, because titles are full of them. */
const FILLERS = new Set([
  'a',
  'an',
  'and',
  'by',
  'for',
  'in',
  'is',
  'must',
  'of',
  'on',
  'or',
  'the',
  'to',
  'be',
])

function coverage(words: readonly string[], terms: readonly Term[]): number {
  const covered = new Set<number>()
  const places: number[] = []
  let weight = 0
  for (const { ways } of terms) {
    const hits = ways.map((way) => ({ way, place: placeOf(words, way) }))
    const hit = hits
      .filter(({ place }) => place !== -1)
      .sort((a, b) => b.way.weight - a.way.weight)[0]
    if (hit === undefined) continue
    places.push(hit.place)
    weight += hit.way.weight
    for (let index = 0; index < hit.way.words.length; index += 1) covered.add(hit.place + index)
  }
  if (places.length === 0) return 0
  const content = words.filter((word) => !FILLERS.has(word)).length
  const share = Math.min(1, covered.size / Math.max(1, content))
  const met = weight / terms.length
  const whole = share === 1 && places.length === terms.length ? BONUS.whole * met : 0
  return BONUS.share * share * met + whole + BONUS.near * nearness(places, terms.length) * met
}

/** 1 where the terms stand next to each other in their order. */
function nearness(places: readonly number[], terms: number): number {
  if (terms < 2 || places.length < 2) return 0
  let steps = 0
  for (let index = 1; index < places.length; index += 1) {
    const step = (places[index] ?? 0) - (places[index - 1] ?? 0)
    steps += step > 0 ? 1 / step : step === 0 ? 1 : 0.3 / -step
  }
  return steps / (terms - 1)
}

/** Mixes the kinds among the best results: one may come before a slightly better one of a kind shown already. */
export function mixed(ranked: readonly Ranked[]): readonly Ranked[] {
  const waiting = ranked.slice(0, 2 * MIXED)
  const counts = new Map<Kind, number>()
  const first: Ranked[] = []
  while (first.length < MIXED && waiting.length > 0) {
    let best = 0
    for (let place = 1; place < waiting.length; place += 1) {
      if (worthNow(waiting[place], counts) > worthNow(waiting[best], counts)) best = place
    }
    const [chosen] = waiting.splice(best, 1)
    if (chosen === undefined) break
    first.push(chosen)
    const { kind } = chosen.candidate
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...first, ...waiting, ...ranked.slice(2 * MIXED)]
}

function worthNow(ranked: Ranked | undefined, counts: ReadonlyMap<Kind, number>): number {
  if (ranked === undefined) return -Infinity
  const repeated = counts.get(ranked.candidate.kind) ?? 0
  return ranked.score - REPEATED * Math.min(repeated, 8)
}
