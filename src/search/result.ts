import type { SearchResult } from '../contracts/search.ts'
import type { GuidanceMatch, Kind, RecordText } from '../contracts/sources.ts'
import type { Candidate } from './candidates.ts'
import type { OntologyIndex } from './ontology-index.ts'
import type { Ranked } from './rank.ts'
import { linksOf, shownName, tacticsOf } from './reasons.ts'
import { snippetOf } from './snippet.ts'
import type { Term } from './terms.ts'

const MOST_LINKS = 5

export interface ResultContext {
  readonly index: OntologyIndex
  readonly terms: readonly Term[]
  readonly texts: readonly RecordText[]
}

export function shapeResult(
  { candidate, by }: Ranked,
  { index, terms, texts }: ResultContext,
): SearchResult {
  const links = linksOf(candidate, index)
  const head = headOf(candidate)
  const names = { field: 'identifier', text: head.identifiers.join(', ') }
  const shownTexts = by === 'identifier' ? [names, ...texts] : texts
  const { field, snippet } = snippetOf(shownTexts, terms) ?? emptySnippet(candidate)
  return {
    ...head,
    kind: candidate.kind,
    label: candidate.title,
    matched: { by, field, snippet },
    tactics: tacticsOf(candidate, index),
    links: links.slice(0, MOST_LINKS),
    links_total: links.length,
  }
}

function emptySnippet({ title }: Candidate): ReturnType<typeof snippetOf> & object {
  return { field: 'title', snippet: { text: title, highlights: [] } }
}

type ResultHead = Pick<
  SearchResult,
  'iri' | 'id' | 'path' | 'identifiers' | 'severity' | 'status' | 'benchmark' | 'component'
>

function headOf({ source }: Candidate): ResultHead {
  return source.of === 'guidance' ? guidanceHead(source.match) : ontologyHead(source.record)
}

function guidanceHead(match: GuidanceMatch): ResultHead {
  const { iri, path, names, ccis, benchmark, severity, status, component } = match
  return {
    ...{ iri, path, severity, status, component },
    id: shownName(match),
    identifiers: [...names, ...ccis],
    benchmark: benchmark && {
      ...{ id: benchmark.id, kind: benchmark.kind, benchmark_id: benchmark.benchmarkId },
      ...{ title: benchmark.title, version: benchmark.version },
    },
  }
}

function ontologyHead(record: OntologyIndex['records'][number]): ResultHead {
  const { iri, id, name } = record
  const none = { severity: null, status: null, benchmark: null, component: null }
  const identifiers = [id, name].filter((one) => one !== null)
  return { ...none, iri, id: id ?? name, path: pathOf(record), identifiers }
}

/** Where the ontology publishes a record of this kind. */
export function pathOf({ kind, id, name }: OntologyIndex['records'][number]): string | null {
  if (name === null) return null
  const described = `/api/ontology/describe/${name}.json`
  const paths: Readonly<Partial<Record<Kind, string>>> = {
    technique: `/api/technique/${name}.json`,
    // Offensive tactics have no view of their own.
    tactic: id === null ? `/api/tactic/${name}.json` : described,
    artifact: `/api/dao/artifact/${name}.json`,
    'offensive-technique': `/api/offensive-technique/attack/${id ?? name}.json`,
    weakness: `/api/weakness/cwe/${id ?? name}.json`,
  }
  return paths[kind] ?? described
}

/** Texts of a record of the ontology to cut a snippet from. */
export function ontologyTexts({
  label,
  synonyms,
  text,
}: OntologyIndex['records'][number]): RecordText[] {
  const all = [
    { field: 'label', text: label },
    ...synonyms.map((synonym) => ({ field: 'synonym', text: synonym })),
    { field: 'definition', text },
  ]
  return all.filter((one) => one.text !== '')
}
