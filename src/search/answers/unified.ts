import { z } from 'zod'
import type { SearchFeed } from '../../contracts/search-feed.ts'
import type { SearchAnswer, SearchRequest, SearchResult } from '../../contracts/search.ts'
import {
  GUIDANCE_KINDS,
  type GuidanceKind,
  type GuidanceMatch,
  type Kind,
  type RecordText,
} from '../../contracts/sources.ts'
import { Refusal } from '../../platform/errors.ts'
import { jsonIn } from '../../platform/json.ts'
import { recordOf } from '../index/keys.ts'
import type { Library } from '../index/library.ts'
import { filterAndFold, foldTactic, type Filters, type FoldedResult } from '../ranking/filter.ts'
import { find, type Found } from '../ranking/find.ts'
import type { Defenses } from '../ranking/named.ts'
import type { Ranked } from '../ranking/rank.ts'
import { explain } from './explain.ts'
import { shownName } from './reasons.ts'
import { shapeResult, type ShownRecord } from './result.ts'

/** Records of other products that are listed with a result. */
const MOST_FOLDED = 10

interface Asked {
  readonly library: Library
  readonly feed: Pick<SearchFeed, 'matches' | 'texts'>
  readonly request: SearchRequest
  /** Of attacks and weaknesses that the query names; null: not asked for yet. */
  readonly defenses: Defenses | null
}

/** What has to be known first: what defends against these attacks and weaknesses (IRIs). */
export interface Needs {
  readonly defensesOf: readonly string[]
}

/** One page of what was found, and what there is besides. */
export async function answerSearch(asked: Asked): Promise<SearchAnswer | Needs> {
  const { library, request, defenses } = asked
  const scope = { releases: releasesOf(request), defenses: defenses ?? new Map() }
  const found = find(library, request.text, scope)
  if (defenses === null && found.attacks.length > 0) return { defensesOf: found.attacks }
  const { results, facets } = filterAndFold(found.ranked, {
    ...{ library, filters: filtersOf(request) },
    // Whoever asks for all releases of a product wants to tell them apart.
    isFolded: request.isFolded && request.releases === null,
  })
  const { page, perPage } = request
  const behind = behindCursor(results, request.cursor)
  const last = Math.max(1, Math.ceil(behind.length / perPage))
  if (page > last)
    throw new Refusal('page_out_of_range', `Page ${page} is out of range (1..${last}).`)
  const { query, expanded, corrected, suggestions } = found
  const shownPage = behind.slice((page - 1) * perPage, page * perPage)
  return {
    query: {
      text: request.text,
      used: query.used,
      expanded: [...expanded],
      unknown: found.unknownName,
      corrected,
    },
    ontology: library.knowledge.release,
    results: await shown(shownPage, found, asked),
    facets,
    suggestions: [...suggestions],
    pagination: {
      ...{ page, per_page: perPage, total: results.length, total_is: 'exact' },
      next: page < last ? cursorBehind(shownPage.at(-1)) : null,
    },
  }
}

/** Where a result is in the order, which holds for one state of the library. */
function cursorBehind(last: FoldedResult | undefined): string | null {
  if (last === undefined) return null
  const { score, key } = last.ranked
  return Buffer.from(JSON.stringify([score, key])).toString('base64url')
}

const cursorParts = z.tuple([z.number(), z.int().nonnegative()])

function behindCursor(
  results: readonly FoldedResult[],
  cursor: string | null,
): readonly FoldedResult[] {
  if (cursor === null) return results
  const parts = cursorParts.safeParse(jsonIn(Buffer.from(cursor, 'base64url').toString())).data
  if (parts === undefined)
    throw new Refusal('parameter_invalid', 'cursor: no answer has given this one.', {
      parameter: 'cursor',
    })
  const [score, key] = parts
  return results.filter(
    ({ ranked }) => ranked.score < score || (ranked.score === score && ranked.key > key),
  )
}

function releasesOf({ benchmarks, releases }: SearchRequest): ReadonlySet<number> {
  return new Set([...(benchmarks ?? []), ...(releases ?? [])])
}

function filtersOf({ kinds, severities, benchmarks, tactics }: SearchRequest): Filters {
  return {
    ...{ kinds: new Set(kinds), severities: new Set(severities) },
    ...{ benchmarks: new Set(benchmarks), tactics: new Set(tactics.map(foldTactic)) },
  }
}

/** What is gone meanwhile is left out. */
async function shown(
  page: readonly FoldedResult[],
  { terms, ranked: all }: Found,
  { library, feed, request }: Asked,
): Promise<readonly SearchResult[]> {
  const keys = page.flatMap(({ ranked, others }) =>
    [ranked, ...others.slice(0, MOST_FOLDED)].flatMap(guidanceKey),
  )
  const matches = new Map((await feed.matches(keys)).map((match) => [nameOfMatch(match), match]))
  const named = namesOf(all, library)
  const texts = await feed.texts(page.flatMap(({ ranked }) => guidanceKey(ranked)))
  return page.flatMap(({ ranked, others }) => {
    const record = shownRecord(ranked, { library, matches, texts })
    if (record === null) return []
    const folded = others.slice(0, MOST_FOLDED).flatMap((other) => foldedRecord(other, matches))
    const why = request.isExplained ? { explanation: explain(ranked, terms) } : {}
    return [
      {
        ...shapeResult(ranked, record, { library, terms, named }),
        folded: { count: others.length, records: folded },
        ...why,
      },
    ]
  })
}

function namesOf(ranked: readonly Ranked[], library: Library): ReadonlySet<string> {
  const named = ranked.filter(
    ({ relation }) => relation !== null && (relation.named > 0 || relation.isCalled),
  )
  const documents = named.flatMap(({ key }) => library.document(key) ?? [])
  return new Set(documents.flatMap(({ id, name }) => [id ?? '', name ?? '']))
}

type Matches = ReadonlyMap<string, GuidanceMatch>

function shownRecord(
  ranked: Ranked,
  from: {
    readonly library: Library
    readonly matches: Matches
    readonly texts: ReadonlyMap<string, readonly RecordText[]>
  },
): ShownRecord | null {
  const record = from.library.document(ranked.key)
  if (record !== null) return { of: 'ontology', record }
  const name = recordName(recordOf(ranked.key))
  const match = from.matches.get(name)
  return match === undefined ? null : { of: 'guidance', match, texts: from.texts.get(name) ?? [] }
}

function foldedRecord({ key }: Ranked, matches: Matches): SearchResult['folded']['records'] {
  const match = matches.get(recordName(recordOf(key)))
  if (match === undefined) return []
  const { iri, path, title, benchmark } = match
  return [{ iri, id: shownName(match), path, label: title, benchmark: benchmark?.title ?? null }]
}

function guidanceKey({ key }: Ranked): readonly { kind: GuidanceKind; id: number }[] {
  const { kind, id } = recordOf(key)
  return isGuidance(kind) ? [{ kind, id }] : []
}

function isGuidance(kind: Kind): kind is GuidanceKind {
  return GUIDANCE_KINDS.some((one) => one === kind)
}

function nameOfMatch({ kind, recordId }: GuidanceMatch): string {
  return recordName({ kind, id: recordId })
}

function recordName({ kind, id }: { readonly kind: Kind; readonly id: number }): string {
  return `${kind} ${id}`
}
