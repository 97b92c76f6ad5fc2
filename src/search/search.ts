import type { Search, SearchAnswer, SearchRequest, SearchResult } from '../contracts/search.ts'
import {
  GUIDANCE_KINDS,
  ONTOLOGY_KINDS,
  type GuidanceDocuments,
  type GuidanceMatch,
  type RecordText,
  type SearchSources,
} from '../contracts/sources.ts'
import { Refusal } from '../platform/errors.ts'
import type { Candidate } from './candidates.ts'
import { facetsOf } from './facets.ts'
import { findAll, type FoundRecords } from './find.ts'
import { IndexHolder } from './holder.ts'
import type { OntologyIndex } from './ontology-index.ts'
import { mixed, type Ranked } from './rank.ts'
import { tacticsOf } from './reasons.ts'
import { refine, REFINED } from './refine.ts'
import { ontologyTexts, shapeResult } from './result.ts'
import type { Scope } from './scope.ts'
import { suggest } from './suggest.ts'

/** One search across the ontology and guidance. */
export function createSearch<Asker>(sources: SearchSources<Asker>): Search<Asker> {
  const { ontology, guidance, abbreviations } = sources
  const ccis = guidance.allCcis()
  const controlsOf = (cci: string): readonly string[] => guidance.controlsOf(cci)
  const holder = new IndexHolder(ontology, { ccis, controlsOf, abbreviations })
  return {
    unified: async (asker, request) => {
      const index = await holder.index()
      return new Answering({ asker, guidance, index, request }).answer()
    },
    suggest: async (asker, text, limit) =>
      suggest({ asker, guidance, index: await holder.index() }, text, limit),
    prepare: async () => {
      await holder.index()
    },
  }
}

interface SearchQuestion<Asker> {
  readonly asker: Asker
  readonly guidance: GuidanceDocuments<Asker>
  readonly index: OntologyIndex
  readonly request: SearchRequest
}

type TextsByRecord = ReadonlyMap<string, readonly RecordText[]>

class Answering<Asker> {
  readonly #question: SearchQuestion<Asker>

  constructor(question: SearchQuestion<Asker>) {
    this.#question = question
  }

  async answer(): Promise<SearchAnswer> {
    const { asker, guidance, index, request } = this.#question
    const found = await findAll({ asker, guidance, index, scope: scopeOf(request) }, request.text)
    const fitting = found.ranked.filter(({ candidate }) => fits(candidate, request, index))
    const { page, perPage } = request
    const last = Math.max(1, Math.ceil(fitting.length / perPage))
    if (page > last)
      throw new Refusal('page_out_of_range', `Page ${page} is out of range (1..${last}).`)
    const candidates = fitting.map(({ candidate }) => candidate)
    return {
      query: {
        ...{ text: request.text, used: found.query.used },
        ...{ expanded: found.expanded, corrected: found.corrected },
      },
      ontology: index.release,
      results: await this.#shown(found, fitting),
      facets: facetsOf(candidates, index),
      suggestions: found.suggestions,
      pagination: {
        ...{ page, per_page: perPage, total: fitting.length },
        total_is: found.isCut ? 'at_least' : 'exact',
      },
    }
  }

  /** The page that was asked for. The best results are sorted again by their texts. */
  async #shown(found: FoundRecords, fitting: readonly Ranked[]): Promise<readonly SearchResult[]> {
    const { index, request } = this.#question
    const first = fitting.slice(0, REFINED)
    const from = (request.page - 1) * request.perPage
    const isFirst = from < REFINED
    const toRefine = isFirst ? first.filter(({ by }) => by === 'text') : []
    const refining = await this.#texts(toRefine)
    const refined = refine(first, found.query, (ranked) => textsFor(ranked, refining))
    const page = mixed([...refined, ...fitting.slice(REFINED)]).slice(from, from + request.perPage)
    const texts = await this.#texts(page.filter(({ candidate }) => !refining.has(candidate.key)))
    const all = new Map([...refining, ...texts])
    return page.map((ranked) =>
      shapeResult(ranked, { index, terms: found.terms, texts: textsFor(ranked, all) }),
    )
  }

  async #texts(ranked: readonly Ranked[]): Promise<TextsByRecord> {
    const matches: GuidanceMatch[] = []
    for (const { candidate } of ranked)
      if (candidate.source.of === 'guidance') matches.push(candidate.source.match)
    return matches.length === 0 ? new Map() : this.#question.guidance.texts(matches)
  }
}

function textsFor({ candidate }: Ranked, texts: TextsByRecord): readonly RecordText[] {
  const { source, key } = candidate
  return source.of === 'ontology' ? ontologyTexts(source.record) : (texts.get(key) ?? [])
}

/** Only rules belong to benchmarks and have a severity. */
function scopeOf({ kinds, severities, benchmarks, releases }: SearchRequest): Scope {
  const all = [...ONTOLOGY_KINDS, ...GUIDANCE_KINDS]
  const asked = kinds.length === 0 ? all : kinds
  return {
    kinds: new Set(asked),
    severities: new Set(severities),
    benchmarks: benchmarks ?? releases,
    isAllReleases: benchmarks === null && releases !== null,
  }
}

/** Filters that a source does not know, or that were not asked of it for records related to a named one. */
function fits(candidate: Candidate, request: SearchRequest, index: OntologyIndex): boolean {
  const { kinds, severities, benchmarks, tactics } = request
  return (
    isAmong(candidate.kind, kinds) &&
    isAmong(severityOf(candidate), severities) &&
    (benchmarks === null || benchmarks.includes(benchmarkOf(candidate))) &&
    (tactics.length === 0 || isFor(candidate, tactics, index))
  )
}

function severityOf({ source }: Candidate): string {
  return source.of === 'guidance' ? (source.match.severity ?? '') : ''
}

/** No record has the number 0. */
function benchmarkOf({ source }: Candidate): number {
  return source.of === 'guidance' ? (source.match.benchmark?.id ?? 0) : 0
}

/** An empty list allows every value. */
function isAmong<T>(value: T, list: readonly T[]): boolean {
  return list.length === 0 || list.includes(value)
}

function isFor(candidate: Candidate, tactics: readonly string[], index: OntologyIndex): boolean {
  const names = new Set(
    tacticsOf(candidate, index).flatMap(({ id, label }) => [folded(id), folded(label)]),
  )
  return tactics.some((tactic) => names.has(folded(tactic)))
}

/** `d3f:Harden` and `harden` are the same. */
function folded(text: string): string {
  return text.replace(/^(?:d3f:|https?:\/\/\S*#)/i, '').toLowerCase()
}
