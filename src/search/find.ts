import { parseQuery, type ParsedQuery } from './query.ts'
import { rank, type Ranked } from './rank.ts'
import { Retrieval } from './retrieve.ts'
import type { SearchContext } from './scope.ts'
import { corrections } from './spelling.ts'
import { termsOf, type Expansion, type Term } from './terms.ts'

/** All that was found, the best first. */
export interface FoundRecords {
  readonly query: ParsedQuery
  readonly terms: readonly Term[]
  readonly ranked: readonly Ranked[]
  readonly expanded: readonly Expansion[]
  /** The corrected query, if only that one finds something. */
  readonly corrected: string | null
  /** Other spellings that find something, the corrected one among them. */
  readonly suggestions: readonly string[]
  /** Whether there may be more. */
  readonly isCut: boolean
}

/** Searches for a text: as typed, else with corrected spelling, else for most of its words. */
export async function findAll<Asker>(
  context: SearchContext<Asker>,
  text: string,
): Promise<FoundRecords> {
  const prepared = prepare(text, context)
  const retrieval = new Retrieval(context)
  await retrieval.byName(prepared.query)
  await retrieval.byWords(prepared.terms)
  if (retrieval.candidates.size > 0) return finish(prepared, retrieval, prepared.terms)
  if (prepared.terms.some(({ end }) => end !== null)) {
    const ends = prepared.terms.map((term) => term.end ?? term)
    await retrieval.byWords(ends)
    if (retrieval.candidates.size > 0) return finish(prepared, retrieval, ends)
  }
  const loose = loosened(prepared.terms)
  const unknown = await retrieval.unknownOf(loose)
  const meant = unknown.length === 0 ? null : await corrected(context, text, unknown)
  if (meant !== null) return meant
  return finish(
    prepared,
    retrieval,
    loose.filter((term) => !unknown.includes(term)),
  )
}

interface PreparedQuery {
  readonly query: ParsedQuery
  readonly terms: readonly Term[]
  readonly expanded: readonly Expansion[]
}

function prepare<Asker>(text: string, { index }: SearchContext<Asker>): PreparedQuery {
  const query = parseQuery(text)
  return { query, ...termsOf(query, index) }
}

/** Terms of several words, such as `multi-factor`, become one term for each word. */
function loosened(terms: readonly Term[]): readonly Term[] {
  return terms.flatMap((term) => (term.parts.length > 0 ? term.parts : [term]))
}

/** The first correction that finds something. */
async function corrected<Asker>(
  context: SearchContext<Asker>,
  text: string,
  unknown: readonly Term[],
): Promise<FoundRecords | null> {
  const words = new Set(unknown.flatMap(({ ways }) => ways.flatMap((way) => way.words)))
  for (const meant of await corrections(text, words, context)) {
    const prepared = prepare(meant, context)
    const retrieval = new Retrieval(context)
    await retrieval.byWords(prepared.terms)
    if (retrieval.candidates.size === 0) continue
    const found = await finish(prepared, retrieval, prepared.terms)
    return { ...found, corrected: meant, suggestions: [meant] }
  }
  return null
}

async function finish<Asker>(
  { query, expanded }: PreparedQuery,
  retrieval: Retrieval<Asker>,
  terms: readonly Term[],
): Promise<FoundRecords> {
  if (retrieval.candidates.size === 0) await retrieval.byWords(terms)
  await retrieval.relax(terms)
  const ranked = rank(retrieval.candidates.all(), terms)
  const { isCut } = retrieval
  return { query, terms, ranked, expanded, corrected: null, suggestions: [], isCut }
}
