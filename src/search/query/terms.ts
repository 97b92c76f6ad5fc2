import { nameOf, wordsOf } from '../../platform/words.ts'
import { isStopWord, type ParsedQuery, type Token } from './parse-query.ts'
import { runsIn, type Expansion } from './runs.ts'
import { joined, MAX_ALTERNATIVES, termVariant, type TermVariant, type Vocabulary } from './term-variants.ts'

/** A token of the query with all its variants. */
export interface Term {
  readonly text: string
  readonly variants: readonly TermVariant[]
  /** The parts of a compound word or of a rare abbreviation. */
  readonly parts: readonly TermVariant[]
  /** Words that go with it in texts. They only rank, and are not shown. */
  readonly associates: readonly TermVariant[]
}

export interface ExpandedTerms {
  readonly terms: readonly Term[]
  readonly expanded: readonly Expansion[]
}

/** Weight of a verb without its particle. */
const WITHOUT_PARTICLE = 0.4
/** Weight of a name without its version number. */
const WITHOUT_NUMBER = 0.5
/** Terms that this many records have are searched only as typed. */
const COMMON_COUNT = 5
const MAX_VARIANTS = 12
const MIN_BEGINNING_LENGTH = 3

/** The tokens of a query with all their variants. */
export function termsOf({ tokens }: ParsedQuery, vocabulary: Vocabulary): ExpandedTerms {
  const variants = new Map<Token, TermVariant[]>()
  const expanded: Expansion[] = []
  const content = tokens.filter(({ isStop }) => !isStop)
  for (const token of content) variants.set(token, ownVariants(token, vocabulary))
  for (const run of runsIn(tokens, vocabulary)) {
    expanded.push(...run.expanded)
    for (const token of run.run) variants.get(token)?.push(...run.variants)
    if (run.expanded.length > 0) joinVerbAndParticle(run.run, variants)
  }
  const terms = content.map((token) => termOf(token, variants.get(token) ?? [], vocabulary))
  return { terms, expanded: distinct(expanded) }
}

/**
 * A verb and its particle that have a synonym together are one term, so that `log in` does not find texts about logs.
 */
function joinVerbAndParticle(run: readonly Token[], variants: ReadonlyMap<Token, TermVariant[]>): void {
  const [verb, particle, ...others] = run
  if (verb === undefined || particle?.isStop !== true || others.length > 0 || verb.quoted) return
  const verbVariants = variants.get(verb) ?? []
  const [alone] = verbVariants.splice(0, 1, termVariant('itself', [...verb.words, ...particle.words]))
  if (alone !== undefined) verbVariants.push({ ...alone, weight: WITHOUT_PARTICLE })
}

function termOf(token: Token, variants: readonly TermVariant[], vocabulary: Vocabulary): Term {
  return {
    text: token.text,
    variants: variants.slice(0, MAX_VARIANTS),
    parts: partsOf(token, variants, vocabulary),
    associates: [],
  }
}

function partsOf(
  { text, words, quoted }: Token,
  variants: readonly TermVariant[],
  { count }: Vocabulary,
): readonly TermVariant[] {
  if (quoted) return []
  if (words.length > 1) return Array.from(new Set(contentWordsOrAll(words)), (word) => termVariant('itself', [word]))
  const name = nameWithoutNumber(text, variants, count)
  if (name !== null) return [{ ...termVariant('itself', wordsOf(name)), weight: WITHOUT_NUMBER }]
  const longForms = variants.filter((variant) => isInitialsOf(text, variant))
  if (longForms.length === 0 || [{ words }, ...longForms].some((variant) => count(...variant.words) >= COMMON_COUNT))
    return []
  const [first] = longForms
  return contentWords(first?.words ?? []).map((word) => termVariant('abbreviation', [word]))
}

/** `GNOME` of `GNOME3`, if no record has any variant of the latter; else null. */
function nameWithoutNumber(text: string, variants: readonly TermVariant[], count: Vocabulary['count']): string | null {
  const [, name = null] = /^(\p{L}{3,})\d{1,4}$/u.exec(text) ?? []
  return name === null || variants.some(({ words }) => count(...words) > 0) ? null : name
}

/** `EDR` for endpoint detection and response. */
function isInitialsOf(text: string, { words }: TermVariant): boolean {
  if (words.length < 2) return false
  const letters = contentWords(words).map((word) => word.slice(0, 1))
  return letters.join('') === text.toLowerCase()
}

/** Leaves out stop words, such as `on` of `init_on_free`, unless there is nothing else. */
function contentWordsOrAll(words: readonly string[]): readonly string[] {
  const content = contentWords(words)
  return content.length === 0 ? words : content
}

function contentWords(words: readonly string[]): readonly string[] {
  return words.filter((word) => !isStopWord(word))
}

/** The words themselves, joined, split, as a name, and as the beginning of a word where it is unknown. */
function ownVariants({ text, words, quoted }: Token, vocabulary: Vocabulary): TermVariant[] {
  const variants = [termVariant('itself', words)]
  if (quoted) return variants
  if (words.length > 1 && /^[\p{L}\p{N}_-]+$/u.test(text)) variants.push(termVariant('joined', joined(text)))
  if (/\d/.test(text)) variants.push(termVariant('name', [nameOf(text)]))
  if (words.length === 1) variants.push(...splitVariants(text, vocabulary))
  if (words.length === 1 && vocabulary.count(...words) === 0) variants.push(...beginningVariants(text.toLowerCase()))
  return variants
}

/** `ransom` → `ransomware` */
function beginningVariants(text: string): readonly TermVariant[] {
  return text.length >= MIN_BEGINNING_LENGTH && /^\p{L}+$/u.test(text) ? [termVariant('beginning', [text])] : []
}

/** `rhel9` → `rhel 9`, `login` → `log in`. */
function splitVariants(text: string, vocabulary: Vocabulary): readonly TermVariant[] {
  const [, letters, digits] = /^(\p{L}{2,})(\d{1,4})$/u.exec(text) ?? []
  if (letters !== undefined && digits !== undefined) {
    const longer = vocabulary.alternatives.get(wordsOf(letters).join(' ')) ?? []
    return [
      termVariant('joined', [...wordsOf(letters), digits]),
      termVariant('joined', [...wordsOf(letters), `v${digits}`]),
      ...longer
        .filter(({ because }) => because === 'abbreviation')
        .slice(0, MAX_ALTERNATIVES)
        .map(({ words }) => termVariant('abbreviation', [...words, digits])),
    ]
  }
  return splitWords(text.toLowerCase(), vocabulary)
}

const MIN_SPLIT_LENGTH = 5
const MAX_SPLIT_LENGTH = 20

/** Splits a word that is two words of the ontology. */
function splitWords(text: string, { count, spellings }: Vocabulary): readonly TermVariant[] {
  if (text.length < MIN_SPLIT_LENGTH || text.length > MAX_SPLIT_LENGTH) return []
  const variants: TermVariant[] = []
  for (let length = 2; length <= text.length - 2; length += 1) {
    const [first, second] = [text.slice(0, length), text.slice(length)]
    const isKnown = (word: string): boolean => word.length < 4 || spellings.has(word)
    if (!isKnown(first) || !isKnown(second)) continue
    const pair = [...wordsOf(first), ...wordsOf(second)]
    if (pair.some((word) => count(word) < 3)) continue
    variants.push(termVariant('joined', pair))
  }
  return variants.slice(0, 2)
}

function distinct(expanded: readonly Expansion[]): readonly Expansion[] {
  const byPair = new Map<string, Expansion>()
  for (const expansion of expanded) byPair.set(`${expansion.from} ${expansion.to}`.toLowerCase(), expansion)
  return [...byPair.values()]
}
