import type { Row } from '../../../graph/graph.ts'
import { jsonLdDocument, REFERENCES_CONTEXT, type JsonLdDocument } from '../../../graph/json-ld.ts'
import { readQuery } from '../../../graph/query.ts'
import { compareCodeUnits } from '../../../graph/term.ts'
import { d3f } from '../../../graph/vocabulary.ts'
import { getOrMake } from '../../../platform/get-or-make.ts'
import type { Release } from '../../release/release.ts'
import { statement } from '../statements.ts'

const REFERENCES = readQuery(new URL('./references.rq', import.meta.url), [
  'reference',
  'type_label',
  'predicate',
  'object',
])

type ReferenceRow = Row<(typeof REFERENCES.columns)[number]>

export function findReferences(release: Release, technique: string): Promise<readonly ReferenceRow[]> {
  return release.graph.select(REFERENCES, { technique: [technique] })
}

/** The references with the label of their type as `d3f:reference-type-label`. */
export function shapeReferences(rows: readonly ReferenceRow[]): JsonLdDocument {
  const statements = rows.flatMap(({ reference, type_label: label, predicate, object }) => [
    statement(reference.value, predicate.value, object),
    statement(reference.value, d3f.referenceTypeLabel, label),
  ])
  return jsonLdDocument(statements, { values: 'compact', context: REFERENCES_CONTEXT })
}

/** Counts the references by the label of their type. */
export function countReferences(rows: readonly ReferenceRow[]): Readonly<Record<string, number>> {
  const byType = new Map<string, Set<string>>()
  for (const { type_label: label, reference } of rows) {
    getOrMake(byType, label.value, () => new Set()).add(reference.value)
  }
  const counts = [...byType].map(([label, references]) => [label, references.size] as const)
  return Object.fromEntries(counts.sort(([a], [b]) => compareCodeUnits(a, b)))
}
