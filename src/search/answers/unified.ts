import type { GuidanceMatch, RecordText } from '../../contracts/guidance-records.ts'
import type { SearchAnswer, SearchGroup, SearchResult } from '../../contracts/search-answer.ts'
import type { SearchFeed } from '../../contracts/search-feed.ts'
import type { SearchRequest } from '../../contracts/search.ts'
import { GUIDANCE_KINDS, type GuidanceKind, type RecordKind } from '../../contracts/sources.ts'
import { Refusal } from '../../platform/errors.ts'
import { keyOf, recordOf } from '../index/keys.ts'
import type { Library } from '../index/library.ts'
import { firstOf, type Candidates, type Ranked } from '../ranking/candidates.ts'
import type { Filters } from '../ranking/facets.ts'
import { filterAndFold } from '../ranking/filter.ts'
import { find, type SearchResults } from '../ranking/find.ts'
import type { CountermeasuresByAttack, Relation, Relations } from '../ranking/relations.ts'
import { foldTactic } from '../ranking/tactics.ts'
import { resultsAfterCursor, cursorAfter } from './cursor.ts'
import { explain } from './explain.ts'
import { groupByKind, type KindGroup } from './kind-groups.ts'
import { shapeResult, type ResultRecord } from './result.ts'
import { displayName } from './technique-links.ts'

/** Records of other products that are listed with a result. */
const MAX_FOLDED = 10

interface SearchContext {
  readonly library: Library
  readonly feed: Pick<SearchFeed, 'matches' | 'texts'>
  readonly request: SearchRequest
  /** Countermeasures of the attacks and weaknesses that the query names; null: not loaded yet. */
  readonly defenses: CountermeasuresByAttack | null
}

/** Tells the caller to load the countermeasures of these attacks and weaknesses (IRIs), and to search again. */
export interface MissingCountermeasures {
  readonly defensesOf: readonly string[]
}

/** One page of results, with facets and suggestions. */
export async function answerSearch(context: SearchContext): Promise<SearchAnswer | MissingCountermeasures> {
  const { library, request, defenses } = context
  const spelling = find(library, request.text, {
    releases: requestedReleases(request),
    defenses: defenses ?? new Map(),
  })
  if (defenses === null && spelling.attacks.length > 0) return { defensesOf: spelling.attacks }
  const { results, facets, sharing } = filterAndFold(spelling.candidates, {
    library,
    filters: readFilters(request),
    // A search in several releases of a product shows the rules of each.
    isFolded: request.isFolded && request.releases === null,
  })
  const { page, perPage } = request
  const behind = resultsAfterCursor(results, request, spelling.candidates)
  const last = Math.max(1, Math.ceil(behind.length / perPage))
  if (page > last) throw new Refusal('page_out_of_range', `Page ${page} is out of range (1..${last}).`)
  const first = firstOf(spelling.candidates, behind, page * perPage)
  const shownPage = foldedResults(first.slice((page - 1) * perPage), spelling.candidates, sharing)
  const kinds = requestedGroups(request, spelling.candidates, results)
  const best = kinds.map((group) => foldedResults(group.best, spelling.candidates, sharing))
  const { query, expanded, corrected, suggestions } = spelling
  const shaped = await shapePage(shownPage, spelling, context)
  const shapedBest = best.length === 0 ? [] : await shapePage(best.flat(), spelling, context)
  return {
    query: {
      text: request.text,
      used: query.used,
      expanded: [...expanded],
      unknown: spelling.unknownName,
      corrected,
      operators: [...query.operators],
    },
    ontology: library.knowledge.release,
    answer: namedResult(shaped, shownPage, context.request, spelling.relations),
    results: shaped,
    ...(kinds.length > 0 && { groups: kinds.map((group) => shapeGroup(group, shapedBest)) }),
    facets,
    suggestions: [...suggestions],
    pagination: {
      page,
      per_page: perPage,
      total: results.length,
      total_is: 'exact',
      next: page < last ? cursorAfter(request, shownPage.at(-1)?.ranked) : null,
    },
  }
}

/** Groups are only on the first page. */
function requestedGroups(request: SearchRequest, candidates: Candidates, results: Uint32Array): readonly KindGroup[] {
  return request.isGrouped && isFirstPage(request) ? groupByKind(candidates, results) : []
}

function shapeGroup({ kind, total }: KindGroup, best: readonly SearchResult[]): SearchGroup {
  return { kind, total, results: best.filter((result) => result.kind === kind) }
}

function isFirstPage({ page, cursor }: SearchRequest): boolean {
  return page === 1 && cursor === null
}

/** The first result, if the query names it and no other result. Only on the first page. */
function namedResult(
  results: readonly SearchResult[],
  page: readonly FoldedResult[],
  request: SearchRequest,
  relations: Relations,
): SearchResult | null {
  // A record that was deleted meanwhile is missing from the results.
  if (!isFirstPage(request) || results.length !== page.length) return null
  return firstIsNamed(page, relations) || firstIsTitled(results, request.text) ? (results[0] ?? null) : null
}

/** Whether the query names the first result better than any other. */
function firstIsNamed(page: readonly FoldedResult[], { known }: Relations): boolean {
  const [first = 0, ...others] = page.map(({ ranked }) => namedBy(known.get(ranked.key)))
  return first > 0 && others.every((other) => other < first)
}

/** Whether the query is the title of the first result, and of no other one. */
function firstIsTitled([first, ...otherResults]: readonly SearchResult[], text: string): boolean {
  const title = text.trim().toLowerCase()
  const isTitled = ({ label }: SearchResult): boolean => label.toLowerCase() === title
  return first !== undefined && isTitled(first) && !otherResults.some(isTitled)
}

/** 2 if the query is the identifier of the record, 1 if it is its label or a synonym, else 0. */
function namedBy(relation: Relation | undefined): number {
  if (relation?.named === 1) return 2
  return relation?.isLabelMatch === true ? 1 : 0
}

/** A result, with equal rules of other products. */
interface FoldedResult {
  readonly ranked: Ranked
  /** The number of other records, and the keys of the first of them. */
  readonly otherCount: number
  readonly others: readonly number[]
}

function foldedResults(
  page: readonly number[],
  candidates: Candidates,
  sharing: (results: readonly number[]) => ReadonlyMap<number, Uint32Array>,
): readonly FoldedResult[] {
  const alike = sharing(page)
  return page.map((candidate) => {
    const identical = alike.get(candidate) ?? Uint32Array.of(candidate)
    const [, ...otherIndexes] = firstOf(candidates, identical, MAX_FOLDED + 1)
    return {
      ranked: candidates.toRanked(candidate),
      otherCount: identical.length - 1,
      others: otherIndexes.map((other) => candidates.keys[other] ?? 0),
    }
  })
}

function requestedReleases({ benchmarks, releases }: SearchRequest): ReadonlySet<number> {
  return new Set([...(benchmarks ?? []), ...(releases ?? [])])
}

function readFilters({ kinds, severities, benchmarks, tactics, domains }: SearchRequest): Filters {
  return {
    kinds: new Set(kinds),
    severities: new Set(severities),
    benchmarks: new Set(benchmarks),
    tactics: new Set(tactics.map(foldTactic)),
    domains: new Set(domains),
  }
}

/** Leaves out records that were deleted after they were found. */
async function shapePage(
  page: readonly FoldedResult[],
  { terms, relations }: SearchResults,
  { library, feed, request }: SearchContext,
): Promise<readonly SearchResult[]> {
  const keys = page.flatMap(({ ranked, others }) => [ranked.key, ...others].flatMap(guidanceKey))
  const matches = new Map((await feed.matches(keys)).map((match) => [keyOf(match.kind, match.recordId), match]))
  const namedDocuments = namedDocumentNames(relations, library)
  const texts = await feed.texts(page.flatMap(({ ranked }) => guidanceKey(ranked.key)))
  return page.flatMap(({ ranked, others, otherCount }) => {
    const record = findResultRecord(ranked, { library, matches, texts })
    if (record === null) return []
    const folded = others.flatMap((other) => {
      const match = matches.get(other)
      return match === undefined ? [] : foldedRecord(match)
    })
    const explanation = request.isExplained ? { explanation: explain(ranked, terms) } : {}
    return [
      {
        ...shapeResult(ranked, record, { library, terms, named: namedDocuments }),
        folded: { count: otherCount, records: folded },
        ...explanation,
      },
    ]
  })
}

/** Ids and names of the records of the ontology that the query names. */
function namedDocumentNames({ known: relationsByKey }: Relations, library: Library): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [key, { named, isLabelMatch }] of relationsByKey) {
    const document = named > 0 || isLabelMatch ? library.document(key) : null
    if (document !== null) names.add(document.id ?? '').add(document.name ?? '')
  }
  return names
}

/** By `keyOf`. */
type MatchesByKey = ReadonlyMap<number, GuidanceMatch>

function findResultRecord(
  ranked: Ranked,
  from: {
    readonly library: Library
    readonly matches: MatchesByKey
    readonly texts: ReadonlyMap<string, readonly RecordText[]>
  },
): ResultRecord | null {
  const record = from.library.document(ranked.key)
  if (record !== null) return { of: 'ontology', record }
  const match = from.matches.get(ranked.key)
  if (match === undefined) return null
  return { of: 'guidance', match, texts: from.texts.get(`${match.kind} ${match.recordId}`) ?? [] }
}

type FoldedRecord = SearchResult['folded']['records'][number]

function foldedRecord(match: GuidanceMatch): FoldedRecord {
  const { iri, path, title, benchmark } = match
  return { iri, id: displayName(match), path, label: title, benchmark: benchmark?.title ?? null }
}

function guidanceKey(key: number): readonly { kind: GuidanceKind; id: number }[] {
  const { kind, id } = recordOf(key)
  return isGuidance(kind) ? [{ kind, id }] : []
}

function isGuidance(kind: RecordKind): kind is GuidanceKind {
  return GUIDANCE_KINDS.some((guidanceKind) => guidanceKind === kind)
}
