import type { SearchAnswer } from '../../contracts/search.ts'
import type { Meaning, Phrase } from '../../contracts/sources.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import type { Alternative, OntologyIndex } from '../knowledge/knowledge.ts'
import { isStopWord, type ParsedQuery, type Token } from './query.ts'

/** A way to say a term, and its weight beside the words that were typed. */
export interface TermWay extends Phrase {
  readonly by: 'itself' | 'joined' | 'name' | 'abbreviation' | 'synonym' | 'beginning'
  readonly weight: number
}

/** A word of the query, or words that belong together, with all ways to say it. */
export interface Term extends Meaning {
  readonly text: string
  readonly ways: readonly TermWay[]
  /** Of words that were typed without a blank, or that an unusual abbreviation stands for: ways to say each. */
  readonly parts: readonly TermWay[]
}

/** What tells words from others. */
export interface Vocabulary extends Pick<OntologyIndex, 'alternatives' | 'spellings'> {
  /** In how many records a word is, or several in their order. */
  readonly count: (...words: readonly string[]) => number
}

/** A synonym or abbreviation that was added to the query, to be shown. */
export type Expansion = SearchAnswer['query']['expanded'][number]

export interface Terms {
  readonly terms: readonly Term[]
  readonly expanded: readonly Expansion[]
}

const WEIGHT = { itself: 1, joined: 1, name: 1, abbreviation: 0.9, synonym: 0.75, beginning: 0.55 }
/** Of a verb without its particle. */
const WITHOUT_PARTICLE = 0.4
/** Of a name without the number of its version. */
const WITHOUT_NUMBER = 0.5
/** What is in so many records is found as it stands. */
const USUAL = 5
const LONGEST_RUN = 6
/** Of one run of words. */
const MOST_ALTERNATIVES = 4
const MOST_WAYS = 12
const SHORTEST_BEGINNING = 3

/** The tokens of a query with all ways to say them. */
export function termsOf({ tokens }: ParsedQuery, known: Vocabulary): Terms {
  const ways = new Map<Token, TermWay[]>()
  const expanded: Expansion[] = []
  const content = tokens.filter(({ isStop }) => !isStop)
  for (const token of content) ways.set(token, ownWays(token, known, token === content.at(-1)))
  for (const run of runsOf(tokens)) {
    const found = alternativesOf(run, known)
    expanded.push(...found.expanded)
    for (const token of run) ways.get(token)?.push(...found.ways)
    if (found.expanded.length > 0) sayTogether(run, ways)
  }
  const terms = content.map((token) => termOf(token, ways.get(token) ?? [], known))
  return { terms, expanded: distinct(expanded) }
}

/** A verb and its particle that have a name together mean that: `log in` is not what is said of logs. */
function sayTogether(run: readonly Token[], ways: ReadonlyMap<Token, TermWay[]>): void {
  const [verb, particle, ...others] = run
  if (verb === undefined || particle?.isStop !== true || others.length > 0 || verb.quoted) return
  const own = ways.get(verb) ?? []
  const [alone] = own.splice(0, 1, wayOf('itself', [...verb.words, ...particle.words]))
  if (alone !== undefined) own.push({ ...alone, weight: WITHOUT_PARTICLE })
}

function termOf(token: Token, ways: readonly TermWay[], known: Vocabulary): Term {
  return { text: token.text, ways: ways.slice(0, MOST_WAYS), parts: partsOf(token, ways, known) }
}

function partsOf(
  { text, words, quoted }: Token,
  ways: readonly TermWay[],
  { count }: Vocabulary,
): readonly TermWay[] {
  if (quoted) return []
  if (words.length > 1)
    return Array.from(new Set(telling(words)), (word) => wayOf('itself', [word]))
  const name = nameWithoutNumber(text, ways, count)
  if (name !== null) return [{ ...wayOf('itself', wordsOf(name)), weight: WITHOUT_NUMBER }]
  const long = ways.filter((way) => isShortFor(text, way))
  if (long.length === 0 || [{ words }, ...long].some((way) => count(...way.words) >= USUAL))
    return []
  const [first] = long
  return contentOf(first?.words ?? []).map((word) => wayOf('abbreviation', [word]))
}

/** `GNOME` of `GNOME3` where nothing has that as it is, in no way; else null. */
function nameWithoutNumber(
  text: string,
  ways: readonly TermWay[],
  count: Vocabulary['count'],
): string | null {
  const [, name = null] = /^(\p{L}{3,})\d{1,4}$/u.exec(text) ?? []
  return name === null || ways.some(({ words }) => count(...words) > 0) ? null : name
}

/** `EDR` for endpoint detection and response. */
function isShortFor(text: string, { words }: TermWay): boolean {
  if (words.length < 2) return false
  const letters = contentOf(words).map((word) => word.slice(0, 1))
  return letters.join('') === text.toLowerCase()
}

/** `on` of `init_on_free` tells nothing. */
function telling(words: readonly string[]): readonly string[] {
  const content = contentOf(words)
  return content.length === 0 ? words : content
}

function contentOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => !isStopWord(word))
}

function wayOf(by: TermWay['by'], words: readonly string[]): TermWay {
  return { by, words, prefix: by === 'beginning', weight: WEIGHT[by] }
}

/** The words themselves, joined, split, as a name, and the last one as the beginning of a word. */
function ownWays(token: Token, known: Vocabulary, isLast: boolean): TermWay[] {
  const { text, words, quoted } = token
  const ways = [wayOf('itself', words)]
  if (quoted) return ways
  if (words.length > 1 && /^[\p{L}\p{N}_-]+$/u.test(text)) ways.push(wayOf('joined', joined(text)))
  if (/\d/.test(text)) ways.push(wayOf('name', [nameOf(text)]))
  if (words.length === 1) ways.push(...splitWays(text, known))
  const typed = text.toLowerCase()
  if (isLast && words.length === 1 && typed.length >= SHORTEST_BEGINNING && /^\p{L}+$/u.test(typed))
    ways.push(wayOf('beginning', [typed]))
  return [...ways, ...americanWays(typed)]
}

function joined(text: string): readonly string[] {
  return wordsOf(text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase())
}

/** `rhel9` → `rhel 9`, `login` → `log in`. */
function splitWays(text: string, known: Vocabulary): readonly TermWay[] {
  const [, letters, digits] = /^(\p{L}{2,})(\d{1,4})$/u.exec(text) ?? []
  if (letters !== undefined && digits !== undefined) {
    const longer = known.alternatives.get(wordsOf(letters).join(' ')) ?? []
    return [
      wayOf('joined', [...wordsOf(letters), digits]),
      wayOf('joined', [...wordsOf(letters), `v${digits}`]),
      ...longer
        .filter(({ because }) => because === 'abbreviation')
        .slice(0, MOST_ALTERNATIVES)
        .map(({ words }) => wayOf('abbreviation', [...words, digits])),
    ]
  }
  return splitWords(text.toLowerCase(), known)
}

/** `randomisation` → `randomization`. */
function americanWays(text: string): readonly TermWay[] {
  const american = text.replace(/is(?=(?:e|ed|es|er|ing|ation)$)/, 'iz').replace(/our(?=s?$)/, 'or')
  return american === text ? [] : [wayOf('joined', wordsOf(american))]
}

const SHORTEST_SPLIT = 5
const LONGEST_SPLIT = 20

/** Splits a word that is two words of the ontology. */
function splitWords(text: string, { count, spellings }: Vocabulary): readonly TermWay[] {
  if (text.length < SHORTEST_SPLIT || text.length > LONGEST_SPLIT) return []
  const ways: TermWay[] = []
  for (let place = 2; place <= text.length - 2; place += 1) {
    const [first, second] = [text.slice(0, place), text.slice(place)]
    const isKnown = (word: string): boolean => word.length < 4 || spellings.has(word)
    if (!isKnown(first) || !isKnown(second)) continue
    const pair = [...wordsOf(first), ...wordsOf(second)]
    if (pair.some((word) => count(word) < 3)) continue
    ways.push(wayOf('joined', pair))
  }
  return ways.slice(0, 2)
}

/** Runs of neighbouring tokens, which may have a synonym or abbreviation. */
function runsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const runs: (readonly Token[])[] = []
  for (let from = 0; from < tokens.length; from += 1) {
    for (let length = 1; length <= LONGEST_RUN && from + length <= tokens.length; length += 1) {
      const run = tokens.slice(from, from + length)
      if (run.at(-1)?.quoted === true && length > 1) break
      if (run.some(({ isStop }) => !isStop)) runs.push(run)
      if (run[0]?.quoted === true) break
    }
  }
  return runs
}

interface AlternativeWays {
  readonly ways: readonly TermWay[]
  readonly expanded: readonly Expansion[]
}

function alternativesOf(run: readonly Token[], known: Vocabulary): AlternativeWays {
  const from = run.length === 1 ? (run[0]?.text ?? '') : run.map(({ text }) => text).join(' ')
  const others = knownFor(run, known).concat(knownForJoined(run, known))
  return {
    ways: [...joinedRun(run, from), ...others.flatMap((other) => waysOf(other, known))],
    expanded: others.map(({ text, because }) => ({ from, to: text, because })),
  }
}

/** `MFA` is multi-factor authentication, which is also written multifactor authentication. */
function waysOf({ text, words, because }: Alternative, { count }: Vocabulary): readonly TermWay[] {
  const pieces = text.split(/[\s_-]+/)
  const written = pieces.slice(1).flatMap((piece, place): (readonly string[])[] => {
    const one = wordsOf(`${pieces[place]}${piece}`.toLowerCase())
    if (count(...one) === 0) return []
    return [
      [
        ...wordsOf(pieces.slice(0, place).join(' ')),
        ...one,
        ...wordsOf(pieces.slice(place + 2).join(' ')),
      ],
    ]
  })
  return [words, ...written].map((way) => wayOf(because, way))
}

function knownFor(run: readonly Token[], { alternatives }: Vocabulary): readonly Alternative[] {
  const found = alternatives.get(run.flatMap(({ words }) => words).join(' ')) ?? []
  return found.slice(0, MOST_ALTERNATIVES)
}

/** Of `log in` those of `login`. */
function knownForJoined(
  run: readonly Token[],
  { alternatives }: Vocabulary,
): readonly Alternative[] {
  if (run.length !== 2) return []
  const text = run.map((token) => token.text).join('')
  return (alternatives.get(wordsOf(text).join(' ')) ?? []).slice(0, MOST_ALTERNATIVES)
}

/** `multi factor` → `multifactor`, `cci 366` → `cci-366`, `ike version 2` → `ikev2`. */
function joinedRun(run: readonly Token[], text: string): readonly TermWay[] {
  if (run.length === 1) return []
  const name = /\d/.test(text) ? [wayOf('name', [nameOf(text)])] : []
  if (run.length === 3) return [...name, ...versionWays(text)]
  const isJoined = run.length === 2 && /^[\p{L}\p{N}]+ [\p{L}\p{N}]+$/u.test(text)
  return isJoined ? [...name, wayOf('joined', joined(text))] : name
}

function versionWays(text: string): readonly TermWay[] {
  const [, what, version] = /^(\p{L}+) version (\d+)$/iu.exec(text) ?? []
  if (what === undefined || version === undefined) return []
  return [wayOf('joined', wordsOf(`${what}v${version}`))]
}

function distinct(expanded: readonly Expansion[]): readonly Expansion[] {
  const kept = new Map<string, Expansion>()
  for (const one of expanded) kept.set(`${one.from} ${one.to}`.toLowerCase(), one)
  return [...kept.values()]
}
