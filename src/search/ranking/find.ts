import { getOrMake } from '../../platform/get-or-make.ts'
import { nameOf } from '../../platform/words.ts'
import { hitsOf } from '../index/hits.ts'
import { severityNumber } from '../index/keys.ts'
import { countLiveHits, type Library } from '../index/library.ts'
import { withAssociates } from '../query/associates.ts'
import { withoutIntent } from '../query/intent.ts'
import { kindFactors } from '../query/kind-factors.ts'
import { neighboursOf } from '../query/neighbours.ts'
import { identifierIn, parseQuery, type ParsedQuery } from '../query/parse-query.ts'
import { isThreat } from '../query/records-by-label.ts'
import type { Expansion } from '../query/runs.ts'
import { scoreableTerms, type ScoredTerm } from '../query/scored-terms.ts'
import { correctQuery } from '../query/spelling.ts'
import { termsOf, type Term } from '../query/terms.ts'
import type { Candidates } from './candidates.ts'
import { LinkedRecords } from './linked-records.ts'
import { factorsOf, type OwnerFactors, type Scope } from './owner-factors.ts'
import { namedProducts, preferProducts, productNames, lessenFamilyTerms, type ProductNames } from './products.ts'
import { rank } from './rank.ts'
import { recordFilter } from './record-filter.ts'
import { attacksIn, findRelations, type CountermeasuresByAttack, type Relation, type Relations } from './relations.ts'
import { scoreAll, scoreTerms } from './score.ts'

/** The results of a search, before paging. */
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
  const suggestions = (unknown.length === 0 ? [] : correctQuery(text, unknown, library)).filter((correction) =>
    search.hasResults(correction.text),
  )
  const [likeliest] = suggestions
  const isCorrected = likeliest !== undefined && (likeliest.isSure || !search.hasResults(text))
  const results = search.find(isCorrected ? search.read(likeliest.text) : typed)
  return {
    ...results,
    corrected: isCorrected ? likeliest.text : null,
    suggestions: suggestions.map((correction) => correction.text),
  }
}

/** A parsed query with the records that it names and the hits of its terms. */
interface AnalysedQuery {
  readonly query: ParsedQuery
  readonly terms: readonly ScoredTerm[]
  readonly expanded: readonly Expansion[]
  readonly relations: Relations
  /** An identifier that no record has. */
  readonly unknownName: string | null
}

/** Terms that no record has and that may be misspelt. */
function unknownTerms({ terms, relations, unknownName, query }: AnalysedQuery): readonly Term[] {
  if (unknownName !== null || isOnlyRestricted(query) || !namesNoRecord(relations)) return []
  return terms.flatMap(({ term, maxScore }) => (maxScore === 0 ? [term] : []))
}

/** The results for one spelling of the query. */
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
    this.#products = getOrMake(products, library.owners, () => productNames(library.owners.values()))
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
    const relations = findRelations(query, library, { defenses: this.#defenses, isCountered })
    const isNamed = relations.known.size > 0 || !relations.linked.isEmpty
    const name = isNamed ? null : identifierIn(query)
    const unknownName = name === null || occurs(library, query) ? null : name
    return {
      query,
      terms: lessenFamilyTerms(scoreableTerms(library, withAssociates(terms, library))),
      expanded,
      relations,
      unknownName,
    }
  }

  find(analysed: AnalysedQuery): SpellingResults {
    const library = this.#library
    const { query, terms, expanded, relations, unknownName } = analysed
    if (unknownName !== null) return this.#neighbours(query, unknownName)
    const candidates = rank({
      scores: isOnlyRestricted(query) ? scoreAll(library) : scoreTerms(library, terms),
      relations,
      factors: this.#factorsFor(query),
      allowed: recordFilter(query),
      preferredSeverity: severityNumber(query.preferred),
      deprecated: library.knowledge.deprecated,
      placeOf: (key) => library.placeOf(key),
      kindFactors: kindFactors(library, terms),
    })
    const attacks = attacksIn(relations, library)
    const ownTerms = terms.map(({ term }) => term)
    return { query, terms: ownTerms, candidates, relations, expanded, attacks, unknownName: null }
  }

  /** Checks for single words first, because nearly always the first record with one of them is a result. */
  hasResults(text: string): boolean {
    if (this.#hasSingleWord(parseQuery(text))) return true
    return this.find(this.read(text)).candidates.keys.length > 0
  }

  /** Skips queries of one word, which may be an identifier with neighbours. */
  #hasSingleWord({ tokens, required, excluded, severities }: ParsedQuery): boolean {
    if (tokens.length < 2 || required.length + excluded.length + severities.length > 0) return false
    const single = tokens.filter(({ isStop, words }) => !isStop && words.length === 1)
    return single.some(({ words }) => this.#occurs(words))
  }

  #occurs(words: readonly string[]): boolean {
    return this.#library.all.some(({ deleted, segment }) => {
      const { owners } = segment
      return hitsOf(segment, { words, prefix: false }).records.some(
        (record) => deleted[record] === 0 && (this.#factors[owners[record] ?? 0] ?? 0) > 0,
      )
    })
  }

  /** Finds records whose identifiers are like one that does not exist. */
  #neighbours(query: ParsedQuery, name: string): SpellingResults {
    const isSearched = (owner: number): boolean => (this.#factors[owner] ?? 0) > 0
    const neighbours = neighboursOf(nameOf(name), this.#library, isSearched)
    const known = neighbours.map((key, index) => [key, neighbourRelation(index)] as const)
    const relations = { known: new Map(known), linked: LinkedRecords.EMPTY }
    const candidates = rank({
      scores: scoreTerms(this.#library, []),
      relations,
      factors: this.#factors,
      allowed: () => null,
      preferredSeverity: 0,
      deprecated: this.#library.knowledge.deprecated,
      placeOf: (key) => this.#library.placeOf(key),
      kindFactors: kindFactors(this.#library, []),
    })
    return { query, candidates, relations, terms: [], expanded: [], attacks: [], unknownName: name }
  }

  #factorsFor({ tokens }: ParsedQuery): OwnerFactors {
    const words = tokens.flatMap((token) => (token.isStop ? [] : token.words))
    return preferProducts(namedProducts(words, this.#products), this.#factors, this.#products)
  }
}

/** Ranks the most similar neighbour first. */
function neighbourRelation(index: number): Relation {
  return { named: 0, linked: 1 - index / 1000, isLabelMatch: false, through: [] }
}

/** Recognises a query of filters alone: it finds every record that passes them. */
function isOnlyRestricted({ tokens, severities, excluded }: ParsedQuery): boolean {
  return tokens.length === 0 && (severities.length > 0 || excluded.length > 0)
}

/** Recognises an identifier that no record has but that occurs in texts, such as `RFC-3339`. */
function occurs(library: Library, { tokens }: ParsedQuery): boolean {
  const words = tokens.flatMap((token) => token.words)
  return library.all.some((part) => countLiveHits(part, hitsOf(part.segment, { words, prefix: false })) > 0)
}

function namesNoRecord({ known }: Relations): boolean {
  return [...known.values()].every(({ named }) => named === 0)
}

const products = new WeakMap<Library['owners'], ProductNames>()
