import type { PhraseAlternatives } from '../../contracts/sources.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import { isStopWord, type ParsedQuery, type Token } from './query.ts'
import { runsIn, type Expansion, type QueryRun } from './runs.ts'
import { joined, MOST_ALTERNATIVES, wayOf, type TermWay, type Vocabulary } from './ways.ts'

/** A word of the query, or words that belong together, with all ways to say it. */
export interface Term extends PhraseAlternatives {
  readonly text: string
  readonly ways: readonly TermWay[]
  /** The parts of a word that was typed without a blank, or of an unusual abbreviation, with ways to say each. */
  readonly parts: readonly TermWay[]
}

export interface ExpandedTerms {
  readonly terms: readonly Term[]
  readonly expanded: readonly Expansion[]
}

/** Weight of an ignored first word of a term. */
const LEADING_WORD_WEIGHT = 0.5
/** Weight of a verb without its particle. */
const WITHOUT_PARTICLE = 0.4
/** Weight of a name without its version number. */
const WITHOUT_NUMBER = 0.5
/** Terms that this many records have are searched only as typed. */
const USUAL = 5
const MOST_WAYS = 12
const SHORTEST_BEGINNING = 3

/** The tokens of a query with all ways to say them. */
export function termsOf({ tokens }: ParsedQuery, known: Vocabulary): ExpandedTerms {
  const ways = new Map<Token, TermWay[]>()
  const expanded: Expansion[] = []
  const saidBefore: Term[] = []
  const content = tokens.filter(({ isStop }) => !isStop)
  for (const token of content) ways.set(token, ownWays(token, known, token === content.at(-1)))
  const runs = runsIn(tokens, known)
  for (const found of runs.filter((one) => !isSaidInLonger(one, runs))) {
    expanded.push(...found.expanded)
    for (const token of found.run) ways.get(token)?.push(...found.ways)
    if (found.expanded.length > 0) joinVerbAndParticle(found.run, ways)
    saidBefore.push(...termsOfLeadingStopWord(found, known))
  }
  const terms = content.map((token) => termOf(token, ways.get(token) ?? [], known))
  return { terms: [...terms, ...saidBefore], expanded: distinct(expanded) }
}

/** A verb and its particle that have a name together mean that: `log in` is not what is said of logs. */
function joinVerbAndParticle(run: readonly Token[], ways: ReadonlyMap<Token, TermWay[]>): void {
  const [verb, particle, ...others] = run
  if (verb === undefined || particle?.isStop !== true || others.length > 0 || verb.quoted) return
  const own = ways.get(verb) ?? []
  const [alone] = own.splice(0, 1, wayOf('itself', [...verb.words, ...particle.words]))
  if (alone !== undefined) own.push({ ...alone, weight: WITHOUT_PARTICLE })
}

/** `sudo without password` has a term of its own: it is not about what `without password` is. */
function isSaidInLonger({ run }: QueryRun, runs: readonly QueryRun[]): boolean {
  const isWithin = (longer: readonly Token[]): boolean =>
    longer.length > run.length && run.every((token) => longer.includes(token))
  return run[0]?.isStop === true && runs.some((other) => other.expanded.length > 0 && isWithin(other.run))
}

/**
 * `without password` is not only about passwords: where that has a term, what the first word says is looked for as well. It
 * counts less than what the words are about: `sudo without password` is not about blank ones.
 */
function termsOfLeadingStopWord({ run, ways }: QueryRun, { count }: Vocabulary): readonly Term[] {
  if (run[0]?.isStop !== true) return []
  const own = ways
    .filter(({ by, words }) => by === 'synonym' && count(...words) > 0)
    .map((way) => ({ ...way, weight: LEADING_WORD_WEIGHT * way.weight }))
  return own.length === 0 ? [] : [{ text: run.map(textOf).join(' '), ways: own, parts: [] }]
}

function textOf({ text }: Token): string {
  return text
}

function termOf(token: Token, ways: readonly TermWay[], known: Vocabulary): Term {
  return { text: token.text, ways: ways.slice(0, MOST_WAYS), parts: partsOf(token, ways, known) }
}

function partsOf({ text, words, quoted }: Token, ways: readonly TermWay[], { count }: Vocabulary): readonly TermWay[] {
  if (quoted) return []
  if (words.length > 1) return Array.from(new Set(contentOrAll(words)), (word) => wayOf('itself', [word]))
  const name = nameWithoutNumber(text, ways, count)
  if (name !== null) return [{ ...wayOf('itself', wordsOf(name)), weight: WITHOUT_NUMBER }]
  const long = ways.filter((way) => isShortFor(text, way))
  if (long.length === 0 || [{ words }, ...long].some((way) => count(...way.words) >= USUAL)) return []
  const [first] = long
  return contentOf(first?.words ?? []).map((word) => wayOf('abbreviation', [word]))
}

/** `GNOME` of `GNOME3` where nothing has that as it is, in no way; else null. */
function nameWithoutNumber(text: string, ways: readonly TermWay[], count: Vocabulary['count']): string | null {
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
function contentOrAll(words: readonly string[]): readonly string[] {
  const content = contentOf(words)
  return content.length === 0 ? words : content
}

function contentOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => !isStopWord(word))
}

/** The words themselves, joined, split, as a name, and as the beginning of a word where it is the last one or unknown. */
function ownWays(token: Token, known: Vocabulary, isLast: boolean): TermWay[] {
  const { text, words, quoted } = token
  const ways = [wayOf('itself', words)]
  if (quoted) return ways
  if (words.length > 1 && /^[\p{L}\p{N}_-]+$/u.test(text)) ways.push(wayOf('joined', joined(text)))
  if (/\d/.test(text)) ways.push(wayOf('name', [nameOf(text)]))
  if (words.length === 1) ways.push(...splitWays(text, known))
  const typed = text.toLowerCase()
  if (words.length === 1 && (isLast || known.count(...words) === 0)) ways.push(...beginningWays(typed))
  return [...ways, ...americanWays(typed), ...actWays(token, known)]
}

/** `ransom` → `ransomware` */
function beginningWays(text: string): readonly TermWay[] {
  return text.length >= SHORTEST_BEGINNING && /^\p{L}+$/u.test(text) ? [wayOf('beginning', [text])] : []
}

/** Adds the action of an actor if hardly any record has the actor: `keylogger` → `keylogging`. */
function actWays({ text, words }: Token, { count }: Vocabulary): readonly TermWay[] {
  const [, act] = /^(\p{L}{4,})[eo]rs?$/u.exec(text.toLowerCase()) ?? []
  if (act === undefined || count(...words) >= USUAL) return []
  const form = wordsOf(`${act}ing`)
  return count(...form) === 0 ? [] : [wayOf('form', form)]
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

function distinct(expanded: readonly Expansion[]): readonly Expansion[] {
  const kept = new Map<string, Expansion>()
  for (const one of expanded) kept.set(`${one.from} ${one.to}`.toLowerCase(), one)
  return [...kept.values()]
}
