import { nameOf, wordsOf } from '../../platform/words.ts'
import { hitsOf } from '../index/hits.ts'
import { severityNumber } from '../index/keys.ts'
import { liveIn, type Library } from '../index/library.ts'
import { withoutIntent } from '../question/about.ts'
import { neighboursOf } from '../question/neighbours.ts'
import { identifierIn, parseQuery, type ParsedQuery } from '../question/query.ts'
import type { Expansion } from '../question/runs.ts'
import { scoreableTerms, type ScoredTerm } from '../question/said.ts'
import { withMeantWords, corrections, likelyMeant } from '../question/spelling.ts'
import { termsOf, type Term } from '../question/terms.ts'
import { wayOf } from '../question/ways.ts'
import type { Candidates } from './candidates.ts'
import { LinkedRecords } from './linked.ts'
import { attacksIn, findNamed, isThreat, type CountermeasuresByAttack, type Relation, type Relations } from './named.ts'
import { namedProducts, preferProducts, productNames, withFamiliesAside, type ProductNames } from './products.ts'
import { rank } from './rank.ts'
import { requirementFilter } from './required.ts'
import { factorsOf, type OwnerFactors, type Scope } from './scope.ts'
import { scoreAll, scoreTerms } from './score.ts'

/** All that was found. */
export interface SearchResults {
  readonly query: ParsedQuery
  readonly terms: readonly Term[]
  readonly candidates: Candidates
  /** The records that the query names, and those related to them. */
  readonly relations: Relations
  readonly expanded: readonly Expansion[]
  /** The corrected query, where that was searched for. */
  readonly corrected: string | null
  /** Other spellings that find something, the corrected one among them. */
  readonly suggestions: readonly string[]
  /** An identifier that no record has; its neighbours are found instead. */
  readonly unknownName: string | null
  /** IRIs of attacks and weaknesses that the query names. */
  readonly attacks: readonly string[]
}

/** Releases to search, with the countermeasures that are known. */
export interface SearchScope extends Scope {
  /** Countermeasures of the attacks that the query names, as far as they are loaded. */
  readonly defenses: CountermeasuresByAttack
}

/** Searches for a text: as typed, else with corrected spelling. */
export function find(library: Library, text: string, scope: SearchScope): SearchResults {
  const search = new Finder(library, scope)
  const typed = search.read(text)
  const unknown = unknownTerms(typed)
  const suggestions = (unknown.length === 0 ? [] : corrections(text, unknown, library)).filter((meant) =>
    search.finds(meant.text),
  )
  const [likeliest] = suggestions
  const isTaken = likeliest !== undefined && (likeliest.isSure || !search.finds(text))
  const found = search.find(isTaken ? search.read(likeliest.text) : typed)
  return {
    ...found,
    corrected: isTaken ? likeliest.text : null,
    suggestions: unknown.length === 0 && typed.meant !== null ? [typed.meant] : suggestions.map((meant) => meant.text),
  }
}

/** A query that was read: what it names, and where its words are. */
interface AnalysedQuery {
  readonly query: ParsedQuery
  readonly terms: readonly ScoredTerm[]
  readonly expanded: readonly Expansion[]
  readonly relations: Relations
  /** An identifier that no record has. */
  readonly unknownName: string | null
  /** The query with rare words corrected, which are searched for as well; null: there are none. */
  readonly meant: string | null
}

/** Terms that no record has, where a mistake may be why. */
function unknownTerms({ terms, relations, unknownName, query }: AnalysedQuery): readonly Term[] {
  if (unknownName !== null || isOnlyRestricted(query) || !namesNothing(relations)) return []
  return terms.flatMap(({ term, most }) => (most === 0 ? [term] : []))
}

/** For one spelling. */
type SpellingResults = Omit<SearchResults, 'corrected' | 'suggestions'>

class Finder {
  readonly #library: Library
  readonly #defenses: CountermeasuresByAttack
  readonly #factors: OwnerFactors
  readonly #products: ProductNames

  constructor(library: Library, scope: SearchScope) {
    this.#library = library
    this.#defenses = scope.defenses
    this.#factors = factorsOf(library, scope)
    this.#products = cachedProductNames(library)
  }

  read(text: string): AnalysedQuery {
    const library = this.#library
    const typed = parseQuery(text)
    const subject = withoutIntent(typed)
    const isCountered = subject !== null && isThreat(subject, library)
    const query = isCountered ? subject : typed
    const { alternatives, spellings } = library.knowledge
    const count = (...words: readonly string[]): number => library.count(...words)
    const { terms, expanded } = termsOf(query, { alternatives, spellings, count })
    const relations = findNamed(query, library, { defenses: this.#defenses, isCountered })
    const isNamed = relations.known.size > 0 || !relations.linked.isEmpty
    const name = isNamed ? null : identifierIn(query)
    const unknownName = name === null || occurs(library, query) ? null : name
    const meant = likelyMeant(terms, library)
    const ways = terms.map((term) => withSpelling(term, meant.get(term)))
    return {
      query,
      terms: withFamiliesAside(scoreableTerms(library, ways)),
      expanded,
      relations,
      unknownName,
      meant: meant.size === 0 ? null : withMeantWords(text, meant),
    }
  }

  find(read: AnalysedQuery): SpellingResults {
    const library = this.#library
    const { query, terms, expanded, relations, unknownName } = read
    if (unknownName !== null) return this.#neighbours(query, unknownName)
    const scores = isOnlyRestricted(query) ? scoreAll(library) : scoreTerms(library, terms)
    const candidates = rank({
      scores,
      relations,
      factors: this.#factorsFor(query),
      allowed: requirementFilter(query),
      preferredSeverity: severityNumber(query.preferred),
      deprecated: library.knowledge.deprecated,
      placeOf: (key) => library.placeOf(key),
    })
    scores.release()
    const attacks = attacksIn(relations, library)
    const own = terms.map(({ term }) => term)
    return { query, terms: own, candidates, relations, expanded, attacks, unknownName: null }
  }

  /** Checks for single words first, because nearly always the first record with one of them is a result. */
  finds(text: string): boolean {
    if (this.#isAnySaid(parseQuery(text))) return true
    const { candidates } = this.find(this.read(text))
    const count = candidates.keys.length
    candidates.release()
    return count > 0
  }

  /** One word alone may be an identifier, of which others are found. */
  #isAnySaid({ tokens, required: wanted, excluded, severities }: ParsedQuery): boolean {
    if (tokens.length < 2 || wanted.length + excluded.length + severities.length > 0) return false
    const single = tokens.filter(({ isStop, words }) => !isStop && words.length === 1)
    return single.some(({ words }) => this.#isIn(words))
  }

  #isIn(words: readonly string[]): boolean {
    return this.#library.all.some(({ gone, segment }) => {
      const { owners } = segment
      return hitsOf(segment, { words, prefix: false }).records.some(
        (record) => gone[record] === 0 && (this.#factors[owners[record] ?? 0] ?? 0) > 0,
      )
    })
  }

  /** Finds records whose identifiers are like one that does not exist. */
  #neighbours(query: ParsedQuery, name: string): SpellingResults {
    const isSearched = (owner: number): boolean => (this.#factors[owner] ?? 0) > 0
    const near = neighboursOf(nameOf(name), this.#library, isSearched)
    const known = near.map((key, place) => [key, neighbourRelation(place)] as const)
    const relations = { known: new Map(known), linked: LinkedRecords.NONE }
    const scores = scoreTerms(this.#library, [])
    const candidates = rank({
      scores,
      relations,
      factors: this.#factors,
      allowed: () => null,
      preferredSeverity: 0,
      deprecated: this.#library.knowledge.deprecated,
      placeOf: (key) => this.#library.placeOf(key),
    })
    scores.release()
    const nothing = { terms: [], expanded: [], attacks: [] }
    return { query, candidates, relations, ...nothing, unknownName: name }
  }

  #factorsFor({ tokens }: ParsedQuery): OwnerFactors {
    const words = tokens.flatMap((token) => (token.isStop ? [] : token.words))
    return preferProducts(namedProducts(words, this.#products), this.#factors, this.#products)
  }
}

/** The nearest comes first. */
function neighbourRelation(place: number): Relation {
  return { named: 0, linked: 1 - place / 1000, isCalled: false, through: [] }
}

/** Recognises a query of filters alone: it finds every record that passes them. */
function isOnlyRestricted({ tokens, severities, excluded }: ParsedQuery): boolean {
  return tokens.length === 0 && (severities.length > 0 || excluded.length > 0)
}

function withSpelling(term: Term, meant: string | undefined): Term {
  if (meant === undefined) return term
  return { ...term, ways: [...term.ways, wayOf('spelling', wordsOf(meant))] }
}

/** Recognises an identifier that is no record but occurs in texts, such as `RFC-3339`. */
function occurs(library: Library, { tokens }: ParsedQuery): boolean {
  const words = tokens.flatMap((token) => token.words)
  return library.all.some((part) => liveIn(part, hitsOf(part.segment, { words, prefix: false })) > 0)
}

function namesNothing({ known }: Relations): boolean {
  return [...known.values()].every(({ named }) => named === 0)
}

const products = new WeakMap<Library['owners'], ProductNames>()

function cachedProductNames({ owners }: Library): ProductNames {
  const known = products.get(owners) ?? productNames(owners.values())
  products.set(owners, known)
  return known
}
