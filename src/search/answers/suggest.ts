import type { GuidanceMatch, PhraseAlternatives } from '../../contracts/guidance-records.ts'
import type { Suggestion } from '../../contracts/search-answer.ts'
import type { SearchFeed } from '../../contracts/search-feed.ts'
import type { Suggestions } from '../../contracts/search.ts'
import { GUIDANCE_KINDS } from '../../contracts/sources.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import type { Library } from '../index/library.ts'
import type { Title } from '../knowledge/ontology-index-builder.ts'
import type { OntologyIndex } from '../knowledge/ontology-index.ts'
import type { OntologyRecord } from '../knowledge/ontology-records.ts'
import { matchGuidance } from './match-guidance.ts'
import { pathOf } from './result.ts'
import { displayName } from './technique-links.ts'

interface SuggestContext {
  readonly library: Library
  readonly feed: Pick<SearchFeed, 'matches'>
}
/** Shorter texts are not searched for in guidance. */
const MIN_LENGTH = 3
const MAX_LENGTH = 200
const MAX_WORDS = 6
const NO_FILTERS = { kinds: GUIDANCE_KINDS, severity: null, benchmarks: null }

/** Records that the text names, then names that begin with it, then titles with a word that does. */
export async function suggest(context: SuggestContext, typed: string, limit: number): Promise<Suggestions> {
  const text = typed.trim().slice(0, MAX_LENGTH).toLowerCase()
  if (text === '') return { named: [], others: [] }
  const ownSuggestions = suggestFromOntology(context.library.knowledge, text, limit)
  // Titles come last, so they are searched only where there is room.
  const others = await suggestFromGuidance(context, text, { limit, withTitles: ownSuggestions.length < limit })
  const suggestions = [...ownSuggestions, ...others].sort(
    (a, b) =>
      a.rank - b.rank ||
      sortLength(a) - sortLength(b) ||
      compareCodeUnits(sortText(a), sortText(b)) ||
      compareCodeUnits(a.suggestion.path ?? '', b.suggestion.path ?? ''),
  )
  const once = new Map<string, RankedSuggestion>()
  for (const ranked of suggestions) {
    const { kind, text: title, path } = ranked.suggestion
    const record = `${kind} ${title} ${path}`
    if (!once.has(record)) once.set(record, ranked)
  }
  const first = [...once.values()].slice(0, limit)
  const suggestionsOf = (areNamed: boolean): readonly Suggestion[] =>
    first.filter(({ rank }) => (rank === NAMED_RANK) === areNamed).map(({ suggestion }) => suggestion)
  return { named: suggestionsOf(true), others: suggestionsOf(false) }
}

interface RankedSuggestion {
  /** The lowest comes first. */
  readonly rank: number
  readonly suggestion: Suggestion
}

/** The rank of a record that has the whole text as identifier, label, synonym or title. */
const NAMED_RANK = -1
/** Added to the rank of a deprecated record, so that it comes after all others. */
const DEPRECATED_RANK = 10

function suggestFromOntology(index: OntologyIndex, text: string, limit: number): readonly RankedSuggestion[] {
  const name = /\d/.test(text) ? nameOf(text) : ''
  const beginning = ` ${text}`
  const offered: RankedSuggestion[] = []
  for (const title of index.titles) {
    const rank = rankOf(title, name, beginning)
    if (rank === null) continue
    const { record, text: label } = title
    offered.push({ rank: record.deprecated ? rank + DEPRECATED_RANK : rank, suggestion: shapeRecord(record, label) })
  }
  return offered
    .sort((a, b) => a.rank - b.rank || sortLength(a) - sortLength(b) || compareCodeUnits(sortText(a), sortText(b)))
    .slice(0, 4 * limit)
}

/** `NAMED_RANK`; 0 if the id begins with the text, 1 if a name does, 2 if a word of a name does; else null. */
function rankOf({ forms, name: title }: Title, name: string, beginning: string): number | null {
  const isNamed = name !== '' && title.startsWith(name)
  if ((isNamed && title === name) || forms.includes(beginning)) return NAMED_RANK
  if (isNamed) return 0
  const position = firstPosition(forms, beginning)
  if (position === -1) return null
  return position === 0 ? 1 : 2
}

function firstPosition(forms: readonly string[], beginning: string): number {
  for (const form of forms) {
    const position = form.indexOf(beginning)
    if (position !== -1) return position
  }
  return -1
}

/** Records that match by id are sorted by id, titles by length. */
function sortLength({ rank, suggestion }: RankedSuggestion): number {
  return rank <= 0 ? 0 : suggestion.text.length
}

function sortText({ rank, suggestion }: RankedSuggestion): string {
  return rank <= 0 ? (suggestion.id ?? '') : suggestion.text
}

function shapeRecord(record: OntologyRecord, text: string): Suggestion {
  const { kind, id, iri, name } = record
  return { text, kind, id: id ?? name, iri, path: pathOf(record) }
}

async function suggestFromGuidance(
  { library, feed }: SuggestContext,
  text: string,
  { limit, withTitles }: { readonly limit: number; readonly withTitles: boolean },
): Promise<readonly RankedSuggestion[]> {
  if (text.length < MIN_LENGTH) return []
  const findMatches = (
    phrases: readonly PhraseAlternatives[],
    searchedField: 'names' | 'title',
  ): Promise<readonly GuidanceMatch[]> =>
    phrases.length === 0
      ? Promise.resolve([])
      : feed.matches(matchGuidance(library, { ...NO_FILTERS, required: phrases, searchedField, limit }))
  const name = nameOf(text)
  const nameTerms = name.length < MIN_LENGTH ? [] : [{ alternatives: [{ words: [name], prefix: true }] }]
  const [byName, byTitle] = await Promise.all([
    findMatches(nameTerms, 'names'),
    findMatches(withTitles ? typedWords(text) : [], 'title'),
  ])
  return [
    ...byName.map((match) => ({ rank: isIdentifiedBy(match, name) ? NAMED_RANK : 1, suggestion: shapeMatch(match) })),
    ...byTitle.map((match) => ({
      rank: match.title.toLowerCase() === text ? NAMED_RANK : 3,
      suggestion: shapeMatch(match),
    })),
  ]
}

/** Whether the text is an identifier of the record, with or without revision. SRG ids only identify requirements. */
function isIdentifiedBy(match: GuidanceMatch, name: string): boolean {
  const identifiers = match.names.filter((id) => match.kind === 'requirement' || !id.startsWith('SRG-'))
  return [displayName(match) ?? '', ...identifiers].some((id) => nameOf(id) === name)
}

/** All words; the last may be incomplete. */
function typedWords(text: string): readonly PhraseAlternatives[] {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const last = words.at(-1) ?? ''
  if (last.length < MIN_LENGTH && words.length === 1) return []
  return words.slice(0, MAX_WORDS).map((word) => ({
    alternatives: [
      { words: wordsOf(word), prefix: false },
      ...(word === last && last.length >= MIN_LENGTH ? [{ words: [last], prefix: true }] : []),
    ],
  }))
}

function shapeMatch(match: GuidanceMatch): Suggestion {
  const { kind, title, iri, path } = match
  return { text: title, kind, id: displayName(match), iri, path }
}
