import { compareCodeUnits } from '../../../graph/term.ts'
import { defensiveTechniques, type Release } from '../../release/release.ts'
import type { Assertion } from '../../release/tables.ts'

/**
 * Finds the assertions of a technique about artifacts: its own, those of its descendants, and those that it inherits. An
 * inherited relation counts only if no technique at or below this one asserts that relation to any artifact. The more
 * general of two candidates with the same relation wins: the one whose technique and artifact are both strict
 * ancestors. Sorted by technique, then by the order of its assertions.
 */
export function findCandidates(release: Release, technique: string): readonly Assertion[] {
  const { hierarchy } = release
  const family = defensiveTechniques(release)
  const assertions = assertionsOf(release, hierarchy.down(technique))
  const ownRelations = new Set(assertions.map((assertion) => assertion.artifact_rel.value))
  const ancestors = [...hierarchy.up(technique)].filter((iri) => family.has(iri))
  const inherited = assertionsOf(release, ancestors).filter(
    ({ subject, artifact_rel: relation }) => subject.value !== technique && !ownRelations.has(relation.value),
  )
  const union = [...new Set([...assertions, ...inherited])]
  return union
    .filter((candidate) => !union.some((other) => isMoreGeneral(release, other, candidate)))
    .sort((a, b) => compareCodeUnits(a.subject.value, b.subject.value))
}

function assertionsOf(release: Release, techniques: Iterable<string>): readonly Assertion[] {
  return Array.from(techniques).flatMap((iri) => release.assertionsBySubject.get(iri) ?? [])
}

function isMoreGeneral({ hierarchy }: Release, other: Assertion, candidate: Assertion): boolean {
  return (
    other.artifact_rel.value === candidate.artifact_rel.value &&
    isAbove(hierarchy.up(candidate.subject.value), other.subject.value, candidate.subject.value) &&
    isAbove(hierarchy.up(candidate.artifact.value), other.artifact.value, candidate.artifact.value)
  )
}

function isAbove(closure: ReadonlySet<string>, ancestor: string, iri: string): boolean {
  return ancestor !== iri && closure.has(ancestor)
}
