import type { CounterPath, NamedRecord, ClassRelative } from '../../contracts/sources.ts'
import { d3f } from '../../graph/vocabulary.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { defensiveTechniques, type Release } from '../release/release.ts'
import type { Assertion } from '../release/tables.ts'
import { findCandidates } from '../views/technique/candidates.ts'
import { takeDistinct, labelledRecord, namedRecord, relationName, relativeOf, relatives } from './naming.ts'

/**
 * Finds the offensive techniques and weaknesses that some techniques counter: those of their `def_to_off`, and those
 * whose `weak_to_def` contains them, each path once. Within the limit, every target has one path before any has two.
 * Only defensive techniques counter anything.
 */
export function findCounters(release: Release, techniques: readonly string[], limit: number): readonly CounterPath[] {
  const defensive = techniques.filter((iri) => defensiveTechniques(release).has(iri))
  const paths = [...new Set(defensive)].flatMap((technique) => [
    ...counteredAttacks(release, technique),
    ...counteredWeaknesses(release, technique),
  ])
  return takeDistinct(paths, keyOf, limit).map(createPathSharer())
}

/**
 * Shares equal parts of several paths as one object. The paths are sent to another thread, where each object has its
 * own copies of texts: without sharing, all paths of a release would take four times the memory.
 */
function createPathSharer(): (path: CounterPath) => CounterPath {
  const relative = sharer<ClassRelative>()
  const record = sharer<NamedRecord>()
  const other = sharer<CounterPath['other']>()
  return (path) => ({
    ...path,
    by: relative(path.by),
    artifact: record(path.artifact),
    otherArtifact: relative(path.otherArtifact),
    otherBy: relative(path.otherBy),
    other: other(path.other),
  })
}

/** Returns the first of equal objects. */
function sharer<T extends object>(): (one: T) => T {
  const firstByKey = new Map<string, T>()
  return (value) => getOrMake(firstByKey, JSON.stringify(value), () => value)
}

function keyOf(counter: CounterPath): readonly [string, ...string[]] {
  const { technique, other, by, relation, artifact, otherArtifact, otherRelation, otherBy } = counter
  const ownSide = [technique, by.iri, relation, artifact.iri]
  return [other.iri, ...ownSide, otherArtifact.iri, otherRelation, otherBy.iri]
}

function counteredAttacks(release: Release, technique: string): readonly CounterPath[] {
  return findCandidates(release, technique).flatMap((assertion) => {
    const side = defensiveSide(release, technique, assertion)
    return [...release.hierarchy.down(side.artifact.iri)].flatMap((artifact) =>
      (release.offensiveByArtifact.get(artifact) ?? []).map((row) => {
        const other = namedRecord(row.off_tech, row.off_tech_label)
        const touched = namedRecord(row.off_artifact, row.off_artifact_label)
        return {
          ...side,
          otherArtifact: relativeOf(release, side.artifact.iri, touched),
          otherRelation: relationName(release, row.off_artifact_rel.value),
          otherBy: { ...other, is: 'itself' as const },
          other: { ...other, kind: 'offensive-technique' as const, id: row.off_tech_id.value },
        }
      }),
    )
  })
}

/** Only the technique's own assertions count, as in `weak_to_def`. */
function counteredWeaknesses(release: Release, technique: string): readonly CounterPath[] {
  const assertions = release.assertionsBySubject.get(technique) ?? []
  return assertions.flatMap((assertion) => {
    const side = defensiveSide(release, technique, assertion)
    return [...release.hierarchy.down(side.artifact.iri)].flatMap((artifact) =>
      (release.weaknessesByArtifact.get(artifact) ?? []).flatMap(({ weakness, relation }) => {
        const path = {
          ...side,
          otherArtifact: relativeOf(release, side.artifact.iri, labelledRecord(release, artifact)),
          otherRelation: relationName(release, relation.value),
        }
        return weaknessesAround(release, weakness.value).map((target) => ({ ...path, ...target }))
      }),
    )
  })
}

/** A statement about a weakness counts for all weaknesses above and below it. */
function weaknessesAround(release: Release, weakness: string): readonly Pick<CounterPath, 'other' | 'otherBy'>[] {
  return relatives(release, weakness).flatMap((iri) => {
    const id = release.summaries.values(iri, d3f.cweId)[0]?.value
    if (id === undefined) return []
    const other = { ...labelledRecord(release, iri), kind: 'weakness' as const, id }
    return [{ other, otherBy: relativeOf(release, iri, labelledRecord(release, weakness)) }]
  })
}

function defensiveSide(
  release: Release,
  technique: string,
  { subject, artifact_rel: relation, artifact, artifact_label: label }: Assertion,
): Pick<CounterPath, 'technique' | 'by' | 'relation' | 'artifact'> {
  return {
    technique,
    by: relativeOf(release, technique, labelledRecord(release, subject.value)),
    relation: relationName(release, relation.value),
    artifact: namedRecord(artifact, label),
  }
}
