import type { ControlLink, CounterPath, OntologyDocument } from '../contracts/sources.ts'
import type { MeasuredRule, Measurement } from './measure.ts'
import { compact } from './names.ts'
import type { OntologyPaths } from './ontology-paths.ts'
import { titleOf } from './sums.ts'

const HEADERS = [
  'source',
  'rule_id',
  'severity',
  'status',
  'rule_title',
  'cci',
  'relation',
  'def_tech',
  'def_tech_id',
  'def_tech_label',
  'def_tech_tactics',
  'by',
  'by_is',
  'def_artifact_rel',
  'def_artifact',
  'off_artifact',
  'off_artifact_rel',
  'off_tech',
  'off_tech_id',
  'off_tech_label',
  'off_tech_tactics',
  'off_tech_domain',
]

type Row = readonly string[]

/**
 * Every path from a rule by a CCI, a technique and an artifact to an attack, one row each, rule by rule. A link to a
 * technique that counters no attack has one row that ends there; a rule without a link has one row with only the rule.
 */
export function* pathsOf(measured: Measurement): Generator<readonly Row[]> {
  yield [HEADERS]
  for (const rule of measured.rules) yield rowsOf(measured, rule)
}

function rowsOf({ paths, sources }: Measurement, { rule, source, links }: MeasuredRule): Row[] {
  const ruleSource = sources[source]
  const { ruleId, severity, status, title } = rule
  const head = [ruleSource === undefined ? '' : titleOf(ruleSource), ruleId, severity ?? '', status ?? '', title]
  if (links.length === 0) return [padRow(head)]
  return links.flatMap((link) => {
    const linked = [...head, link.control, link.relation, ...techniqueCells(paths, link)]
    const counterPaths = paths.counterPaths.get(link.technique) ?? []
    if (counterPaths.length === 0) return [padRow(linked)]
    return counterPaths.map((path) => [...linked, ...counterCells(path), ...attackCells(paths, path)])
  })
}

function techniqueCells({ techniques }: OntologyPaths, { technique }: ControlLink): Row {
  const document = techniques.get(technique)
  return document === undefined ? [compact(technique), '', '', ''] : documentCells(document)
}

function attackCells({ attacks }: OntologyPaths, { other }: CounterPath): Row {
  const document = attacks.get(other.iri)
  return document === undefined
    ? [compact(other.iri), '', other.label, '', '']
    : [...documentCells(document), document.domain ?? '']
}

function documentCells({ name, id, label, tactics }: OntologyDocument): Row {
  return [name, id ?? '', label, tactics.map(({ iri }) => compact(iri)).join(' ')]
}

function counterCells({ by, relation, artifact, otherArtifact, otherRelation }: CounterPath): Row {
  const artifacts = [compact(artifact.iri), compact(otherArtifact.iri)]
  return [compact(by.iri), by.is, relation, ...artifacts, otherRelation]
}

function padRow(cells: Row): Row {
  return HEADERS.map((_, index) => cells[index] ?? '')
}
