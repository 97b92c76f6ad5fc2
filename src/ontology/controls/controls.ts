import type { Row } from '../../graph/graph.ts'
import { readQuery } from '../../graph/query.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { d3f } from '../../graph/vocabulary.ts'
import type { Release } from '../release/release.ts'

const CONTROLS = readQuery(new URL('./controls.rq', import.meta.url), [
  'kind',
  'control',
  'label',
  'relation',
  'technique',
])

/** A defensive technique: full IRI, first label, first identifier (`D3-AL`). */
export interface NamedTechnique {
  readonly iri: string
  readonly label: string | null
  readonly d3fendId: string | null
}

/** One statement of a control about a technique; IRIs are full. */
export interface ControlAssertion {
  /** The control's class: `d3f:CCIControl` or `d3f:NISTControl`. */
  readonly kind: string
  readonly control: string
  /** What others call the control: `CCI-000015`, `AC-2(1)`. */
  readonly label: string
  /** The property, such as `d3f:narrower`. */
  readonly relation: string
  readonly technique: string
}

/** What a release says of controls, and all techniques that it could say it of. Sorted by IRI. */
export interface ControlAssertions {
  readonly version: string
  /** SHA-256 (hex) of the release. */
  readonly digest: string
  readonly techniques: readonly NamedTechnique[]
  readonly assertions: readonly ControlAssertion[]
}

/** Asks a release which controls bear on which techniques. Many releases state none. */
export async function findControls(release: Release): Promise<ControlAssertions> {
  const { version, sha256: digest } = release.manifest
  const rows = await release.graph.select(CONTROLS)
  const assertions = rows.map(shapeAssertion).sort(compareAssertions)
  return { version, digest, techniques: namedTechniques(release), assertions }
}

function namedTechniques(release: Release): readonly NamedTechnique[] {
  const { hierarchy, summaries } = release
  return hierarchy.below(d3f.DefensiveTechnique).map((iri) => ({
    iri,
    label: summaries.labels(iri)[0]?.value ?? null,
    d3fendId: summaries.values(iri, d3f.d3fendId)[0]?.value ?? null,
  }))
}

function shapeAssertion(row: Row<(typeof CONTROLS.columns)[number]>): ControlAssertion {
  const { kind, control, label, relation, technique } = row
  return {
    kind: kind.value,
    control: control.value,
    label: label.value,
    relation: relation.value,
    technique: technique.value,
  }
}

function compareAssertions(a: ControlAssertion, b: ControlAssertion): number {
  return (
    compareCodeUnits(a.control, b.control) ||
    compareCodeUnits(a.label, b.label) ||
    compareCodeUnits(a.relation, b.relation) ||
    compareCodeUnits(a.technique, b.technique)
  )
}
