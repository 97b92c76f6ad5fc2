import type { GuidanceMatch, RecordText } from '../../contracts/guidance-records.ts'
import type { SearchResult } from '../../contracts/search-answer.ts'
import type { RecordKind } from '../../contracts/sources.ts'
import type { Library } from '../index/library.ts'
import { findingsOf } from '../knowledge/checker-findings.ts'
import type { OntologyRecord } from '../knowledge/ontology-records.ts'
import type { Term } from '../query/terms.ts'
import type { Ranked } from '../ranking/candidates.ts'
import { tacticsOf } from '../ranking/tactics.ts'
import { snippetOf } from './snippet.ts'
import { linksOf, displayName, stepsOfDocument, stepsOfRule } from './technique-links.ts'

/** A record as it is shown: of the ontology or of guidance. */
export type ResultRecord =
  | { readonly of: 'ontology'; readonly record: OntologyRecord }
  | {
      readonly of: 'guidance'
      readonly match: GuidanceMatch
      readonly texts: readonly RecordText[]
    }

export interface ResultContext {
  readonly library: Library
  readonly terms: readonly Term[]
  /** Ids and names of the records of the ontology that the query names. */
  readonly named: ReadonlySet<string>
}

export function shapeResult(
  ranked: Ranked,
  record: ResultRecord,
  { library, terms, named: namedDocuments }: ResultContext,
): Omit<SearchResult, 'folded' | 'explanation'> {
  const head = record.of === 'ontology' ? ontologyHead(record.record) : guidanceHead(record.match)
  return {
    ...head,
    kind: ranked.kind,
    matched: matchedBy(ranked, { shown: record, head, terms }),
    tactics: tacticsOf(ranked, library),
    ...linksOf(stepsToTechniques(ranked, record, library), namedDocuments, library.knowledge),
  }
}

type ResultHead = Pick<
  SearchResult,
  | 'iri'
  | 'id'
  | 'label'
  | 'path'
  | 'identifiers'
  | 'severity'
  | 'status'
  | 'benchmark'
  | 'component'
  | 'domain'
  | 'deprecated'
  | 'successors'
>

function stepsToTechniques(
  ranked: Ranked,
  record: ResultRecord,
  { knowledge }: Library,
): ReturnType<typeof stepsOfRule> {
  if (record.of === 'ontology') return stepsOfDocument(record.record, ranked.relation?.through ?? [], knowledge)
  const { match } = record
  return stepsOfRule({ match, called: displayName(match) ?? match.title }, knowledge)
}

function matchedBy(
  ranked: Ranked,
  {
    shown: record,
    head,
    terms,
  }: { readonly shown: ResultRecord; readonly head: ResultHead; readonly terms: readonly Term[] },
): SearchResult['matched'] {
  const by = matchedField(ranked)
  const texts = record.of === 'ontology' ? ontologyTexts(record.record) : record.texts
  const names = { field: 'identifier', text: head.identifiers.join(', ') }
  const snippet = snippetOf(by === 'identifier' ? [names, ...texts] : texts, terms)
  if (snippet !== null) return { by, ...snippet }
  return { by, field: 'title', snippet: { text: head.label, highlights: [] } }
}

/** The field that has the best word. */
function matchedField({ relation, place }: Ranked): SearchResult['matched']['by'] {
  const namedCount = relation?.named ?? 0
  const linked = relation?.linked ?? 0
  return namedCount > 0 || (linked > 0 && place === 'text') ? 'identifier' : place
}

function guidanceHead(match: GuidanceMatch): ResultHead {
  const { iri, path, names, ccis, benchmark, severity, status, component, title } = match
  return {
    iri,
    path,
    severity,
    status,
    component,
    label: title,
    id: displayName(match),
    identifiers: [...names, ...ccis],
    domain: null,
    deprecated: false,
    successors: [],
    benchmark: benchmark && {
      id: benchmark.id,
      kind: benchmark.kind,
      benchmark_id: benchmark.benchmarkId,
      title: benchmark.title,
      version: benchmark.version,
    },
  }
}

function ontologyHead(record: OntologyRecord): ResultHead {
  const { iri, id, name, label, domain, deprecated } = record
  const none = { severity: null, status: null, benchmark: null, component: null }
  const identifiers = [id, name].filter((identifier) => identifier !== null)
  const successors = record.successors.map((successor) => ({
    iri: successor.iri,
    id: successor.id ?? successor.name,
    label: successor.label,
    path: pathOf({ ...record, ...successor }),
  }))
  return { ...none, iri, id: id ?? name, label, path: pathOf(record), identifiers, domain, deprecated, successors }
}

/** The path at which the ontology publishes the record, or the catalogue where the ontology does not have it. */
export function pathOf({ kind, id, name, reference }: OntologyRecord): string | null {
  if (name === null) return reference?.path ?? null
  const described = `/api/ontology/describe/${name}.json`
  const paths: Readonly<Partial<Record<RecordKind, string>>> = {
    technique: `/api/technique/${name}.json`,
    // Offensive tactics have no view of their own.
    tactic: id === null ? `/api/tactic/${name}.json` : described,
    artifact: `/api/dao/artifact/${name}.json`,
    'offensive-technique': `/api/offensive-technique/attack/${id ?? name}.json`,
    weakness: `/api/weakness/cwe/${id ?? name}.json`,
  }
  return paths[kind] ?? described
}

/** Texts of a record to cut a snippet from. */
function ontologyTexts({ id, label, synonyms, text, reference }: OntologyRecord): RecordText[] {
  const texts = [
    { field: 'label', text: label },
    ...synonyms.map((synonym) => ({ field: 'synonym', text: synonym })),
    { field: 'definition', text },
    ...(reference?.texts ?? []),
    { field: 'finding', text: findingsOf(id) },
  ]
  return texts.filter((recordText) => recordText.text !== '')
}
