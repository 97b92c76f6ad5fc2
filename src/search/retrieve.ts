import {
  GUIDANCE_KINDS,
  type GuidanceKind,
  type GuidanceMatch,
  type GuidanceQuestion,
  type Meaning,
} from '../contracts/sources.ts'
import { append } from '../platform/append.ts'
import { Candidates } from './candidates.ts'
import { findByName } from './named.ts'
import type { ParsedQuery } from './query.ts'
import type { SearchContext } from './scope.ts'
import type { Term } from './terms.ts'

const MOST_ROWS = 400
const MOST_NAMED = 150
/** With so many results, those that lack a word are not searched for. */
const ENOUGH = 10
/** Questions to guidance that leave words out, and those that ask whether a word occurs at all. */
const MOST_RELAXED = 4
const MOST_PROBES = 4
/** How much of the importance of all words a record of the ontology has to match: usually, and with few results. */
const MOSTLY = 0.6
const PARTLY = 0.4

const NAMED: readonly (readonly GuidanceKind[])[] = [
  ['requirement'],
  ['rule', 'authored-rule', 'component'],
]

type WhereToLook = Pick<GuidanceQuestion, 'where' | 'limit'> & {
  readonly kinds?: readonly GuidanceKind[]
}

/** Gathers candidates, in steps that each ask a bounded number of questions. */
export class Retrieval<Asker> {
  readonly candidates = new Candidates()
  readonly #context: SearchContext<Asker>
  #isCut = false

  constructor(context: SearchContext<Asker>) {
    this.#context = context
  }

  /** Whether there may be more than what was found. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Adds the records that the query names, and those related to them. */
  async byName(query: ParsedQuery): Promise<void> {
    // Requirements separately: the rules that cite one may fill the limit.
    const ask = async (wanted: Meaning): Promise<readonly GuidanceMatch[]> => {
      const named = NAMED.map((kinds) =>
        this.#ask([wanted], { where: 'names', limit: MOST_NAMED, kinds }),
      )
      return (await Promise.all(named)).flat()
    }
    await findByName(query, { ...this.#context, candidates: this.candidates, ask })
  }

  /** Adds the records that have all terms. */
  async byWords(terms: readonly Term[]): Promise<void> {
    if (terms.length === 0) return
    this.#ontology(terms, 1)
    await this.#guidance(terms)
  }

  /** The terms that neither the ontology nor guidance has. */
  async unknownOf(terms: readonly Term[]): Promise<readonly Term[]> {
    const { index } = this.#context
    const strange = terms.filter((term) => index.words.find([term], null).length === 0)
    const probed = strange.slice(0, MOST_PROBES)
    const counts = await Promise.all(
      probed.map((term) => this.#ask([term], { where: 'anywhere', limit: 1 })),
    )
    return probed.filter((_, place) => counts[place]?.length === 0)
  }

  /** Adds records that have most terms, where too few have all. */
  async relax(terms: readonly Term[]): Promise<void> {
    const isFew = this.candidates.size < ENOUGH
    this.#ontology(terms, isFew ? PARTLY : MOSTLY)
    if (!isFew || terms.length < 2) return
    const byImportance = terms.toSorted((a, b) => a.importance - b.importance)
    for (const left of byImportance.slice(0, MOST_RELAXED)) {
      await this.#guidance(terms.filter((term) => term !== left))
      if (this.candidates.size >= ENOUGH) return
    }
    const most = byImportance.slice(-Math.ceil(terms.length / 2))
    if (most.length < terms.length - 1) await this.#guidance(most)
  }

  #ontology(terms: readonly Term[], least: number): void {
    const { index, scope } = this.#context
    const met = new Map<number, Term[]>()
    for (const term of terms)
      for (const number of index.words.find([term], null)) append(met, number, term)
    const enough = least * weightOf(terms) - 1e-9
    for (const [number, own] of met) {
      const kind = index.records[number]?.kind
      if (kind === undefined || !scope.kinds.has(kind) || weightOf(own) < enough) continue
      const candidate = this.candidates.ofOntology(index, number)
      for (const term of own) candidate?.met.add(term)
    }
  }

  /** Searches titles separately only where more records match than the limit. */
  async #guidance(terms: readonly Term[]): Promise<void> {
    const found = await this.#ask(terms, { where: 'anywhere', limit: MOST_ROWS })
    const isMore = found.length >= MOST_ROWS
    const titled = isMore ? await this.#ask(terms, { where: 'title', limit: MOST_ROWS }) : []
    for (const match of [...found, ...titled]) {
      const { met } = this.candidates.ofGuidance(match)
      for (const term of terms) for (const one of [term, ...term.parts]) met.add(one)
    }
  }

  async #ask(
    wanted: readonly Meaning[],
    { where, limit, kinds: asked = GUIDANCE_KINDS }: WhereToLook,
  ): Promise<readonly GuidanceMatch[]> {
    const { asker, guidance, scope } = this.#context
    const { severities, benchmarks } = scope
    const severity = severities.size === 1 ? ([...severities][0] ?? null) : null
    const kinds = asked.filter((kind) => scope.kinds.has(kind))
    if (kinds.length === 0) return []
    const question = { wanted, where, kinds, severity, limit }
    const found = await guidance.find(asker, { ...question, benchmarks })
    // Authored records belong to no benchmark: where some are named, they are left out.
    const more =
      benchmarks === null || !scope.isAllReleases
        ? []
        : await guidance.find(asker, { ...question, benchmarks: null, kinds: authored(kinds) })
    if (limit > 1 && found.length >= limit) this.#isCut = true
    return [...found, ...more]
  }
}

function authored(kinds: readonly GuidanceKind[]): readonly GuidanceKind[] {
  return kinds.filter((kind) => kind === 'authored-rule' || kind === 'component')
}

function weightOf(terms: readonly Term[]): number {
  return terms.reduce((sum, { importance }) => sum + importance, 0)
}
