import type { CounterPath, NamedRecord, ClassRelative } from '../../contracts/sources.ts'
import { d3f } from '../../graph/vocabulary.ts'
import { defensiveTechniques, type Release } from '../release/release.ts'
import type { Assertion } from '../release/tables.ts'
import { findCandidates } from '../views/technique/candidates.ts'
import { distinct, labelled, named, relationName, relativeOf, relatives } from './naming.ts'

/**
 * Finds the offensive techniques and weaknesses that some techniques counter: those of their `def_to_off`, and those
 * whose `weak_to_def` contains them, each way once. Within the limit, every target has one way before any has two.
 * Only defensive techniques counter anything.
 */
export function findCounters(release: Release, techniques: readonly string[], limit: number): readonly CounterPath[] {
  const defensive = techniques.filter((iri) => defensiveTechniques(release).has(iri))
  const found = [...new Set(defensive)].flatMap((technique) => [
    ...offensesMet(release, technique),
    ...weaknessesMet(release, technique),
  ])
  return distinct(found, keyOf, limit).map(sharing())
}

/**
 * Makes equal parts of several ways one object. The ways are sent to another thread, where every object has texts of
 * its own: without sharing, all ways of a release would take four times the memory.
 */
function sharing(): (way: CounterPath) => CounterPath {
  const relative = sharer<ClassRelative>()
  const record = sharer<NamedRecord>()
  const other = sharer<CounterPath['other']>()
  return (way) => ({
    ...way,
    by: relative(way.by),
    artifact: record(way.artifact),
    otherArtifact: relative(way.otherArtifact),
    otherBy: relative(way.otherBy),
    other: other(way.other),
  })
}

/** Gives, of objects that are alike, the first one. */
function sharer<T extends object>(): (one: T) => T {
  const known = new Map<string, T>()
  return (one) => {
    const key = JSON.stringify(one)
    const found = known.get(key)
    if (found === undefined) known.set(key, one)
    return found ?? one
  }
}

function keyOf(counter: CounterPath): readonly [string, ...string[]] {
  const { technique, other, by, relation, artifact } = counter
  const { otherArtifact, otherRelation, otherBy } = counter
  return [
    ...([other.iri, technique, by.iri, relation, artifact.iri] as const),
    otherArtifact.iri,
    otherRelation,
    otherBy.iri,
  ]
}

function offensesMet(release: Release, technique: string): readonly CounterPath[] {
  return findCandidates(release, technique).flatMap((assertion) => {
    const side = defensiveSide(release, technique, assertion)
    return [...release.hierarchy.down(side.artifact.iri)].flatMap((artifact) =>
      (release.offensiveByArtifact.get(artifact) ?? []).map((row) => {
        const other = named(row.off_tech, row.off_tech_label)
        const touched = named(row.off_artifact, row.off_artifact_label)
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
function weaknessesMet(release: Release, technique: string): readonly CounterPath[] {
  const own = release.assertionsBySubject.get(technique) ?? []
  return own.flatMap((assertion) => {
    const side = defensiveSide(release, technique, assertion)
    return [...release.hierarchy.down(side.artifact.iri)].flatMap((artifact) =>
      (release.weaknessesByArtifact.get(artifact) ?? []).flatMap(({ weakness, relation }) => {
        const way = {
          ...side,
          otherArtifact: relativeOf(release, side.artifact.iri, labelled(release, artifact)),
          otherRelation: relationName(release, relation.value),
        }
        return weaknessesAround(release, weakness.value).map((met) => ({ ...way, ...met }))
      }),
    )
  })
}

/** A statement about a weakness counts for all weaknesses above and below it. */
function weaknessesAround(release: Release, weakness: string): readonly Pick<CounterPath, 'other' | 'otherBy'>[] {
  return relatives(release, weakness).flatMap((iri) => {
    const id = release.summaries.values(iri, d3f.cweId)[0]?.value
    if (id === undefined) return []
    const other = { ...labelled(release, iri), kind: 'weakness' as const, id }
    return [{ other, otherBy: relativeOf(release, iri, labelled(release, weakness)) }]
  })
}

function defensiveSide(
  release: Release,
  technique: string,
  { subject, artifact_rel: relation, artifact, artifact_label: label }: Assertion,
): Pick<CounterPath, 'technique' | 'by' | 'relation' | 'artifact'> {
  return {
    technique,
    by: relativeOf(release, technique, labelled(release, subject.value)),
    relation: relationName(release, relation.value),
    artifact: named(artifact, label),
  }
}
