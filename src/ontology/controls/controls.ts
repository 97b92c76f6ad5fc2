import type { ControlAssertion, ControlAssertions, NamedTechnique } from '../../contracts/sources.ts'
import type { Row } from '../../graph/graph.ts'
import { readQuery } from '../../graph/query.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { d3f } from '../../graph/vocabulary.ts'
import type { Release } from '../release/release.ts'
import { enabledTactics } from '../views/tactic/enabled.ts'

const CONTROLS = readQuery(new URL('./controls.rq', import.meta.url), [
  'kind',
  'control',
  'label',
  'relation',
  'technique',
])

/** Finds the statements that link controls to techniques. Many releases have none. */
export async function findControls(release: Release): Promise<ControlAssertions> {
  const { version, sha256: digest, releaseDate } = release.manifest
  const rows = await release.graph.select(CONTROLS)
  const assertions = rows.map(shapeAssertion).sort(compareAssertions)
  return { version, digest, releaseDate, techniques: namedTechniques(release), assertions }
}

function namedTechniques(release: Release): readonly NamedTechnique[] {
  const { hierarchy, summaries } = release
  return hierarchy.below(d3f.DefensiveTechnique).map((iri) => ({
    iri,
    label: summaries.labels(iri)[0]?.value ?? null,
    d3fendId: summaries.values(iri, d3f.d3fendId)[0]?.value ?? null,
    tactics: enabledTactics(release, iri),
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
