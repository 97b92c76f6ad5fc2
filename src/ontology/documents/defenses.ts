import { d3f } from '../../graph/vocabulary.ts'
import { artifacts, offensiveTechniques, type Release } from '../release/release.ts'
import type { DefensiveRow } from '../release/tables.ts'
import { defensesOf } from '../views/defended.ts'
import {
  distinct,
  labelled,
  named,
  relationName,
  relativeOf,
  relatives,
  type Named,
  type Relative,
} from './naming.ts'

/** What an attack or a weakness does to an artifact. */
interface Touch {
  /** Of whom the relation is stated. */
  readonly by: Relative
  /** `modifies` */
  readonly relation: string
  readonly artifact: Named
}

/** A technique that defends what a subject touches, or the subject itself where that is an artifact. */
export interface Defense {
  /** Full IRI, as it was asked for. */
  readonly subject: string
  /** Full IRI. */
  readonly technique: string
  readonly relation: string
  /** What the technique defends: what is touched or asked for, or a relative of that. */
  readonly artifact: Relative
  /** Null where the subject is an artifact. */
  readonly attack: Touch | null
}

/**
 * Which techniques defend some subjects: of an offensive technique those of its `off_to_def`, of a
 * weakness those of its `weak_to_def`, of an artifact those of its `da_to_def`; drafts are left out.
 * Each way once; every technique has one before any has two. Nothing defends anything else.
 */
export function findDefenses(
  release: Release,
  subjects: readonly string[],
  limit: number,
): readonly Defense[] {
  const rowsOf = memoized((artifact: string) => defensesOf(release, artifact))
  const found = [...new Set(subjects)].flatMap((subject) => {
    if (artifacts(release).has(subject)) return defensesAround(release, subject)
    return touchesOf(release, subject).flatMap((attack) =>
      rowsOf(attack.artifact.iri).flatMap((row) =>
        shapeDefense(release, row, { subject, place: attack.artifact.iri, attack }),
      ),
    )
  })
  return distinct(found, keyOf, limit)
}

function keyOf({
  subject,
  technique,
  relation,
  artifact,
  attack,
}: Defense): readonly [string, ...string[]] {
  const way = attack === null ? [] : [attack.by.iri, attack.relation, attack.artifact.iri]
  return [technique, subject, artifact.iri, relation, ...way]
}

function memoized<T>(work: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    const value = known.get(key) ?? work(key)
    known.set(key, value)
    return value
  }
}

/** What an attack or a weakness touches, by itself or by those that speak for it in its view. */
function touchesOf(release: Release, subject: string): readonly Touch[] {
  return spokesmenOf(release, subject)
    .flatMap((iri) => release.assertionsBySubject.get(iri) ?? [])
    .map((assertion) => ({
      by: relativeOf(release, subject, labelled(release, assertion.subject.value)),
      relation: relationName(release, assertion.artifact_rel.value),
      artifact: named(assertion.artifact, assertion.artifact_label),
    }))
}

/** For an offensive technique: all below it, and its parents but for the class of a whole tactic. */
function spokesmenOf(release: Release, subject: string): readonly string[] {
  const { hierarchy, summaries, tacticsByTechnique } = release
  if (offensiveTechniques(release).has(subject)) {
    const parents = hierarchy
      .parents(subject)
      .filter((parent) =>
        [...hierarchy.up(parent)].some((iri) => iri !== parent && tacticsByTechnique.has(iri)),
      )
    return [...new Set([...hierarchy.down(subject), ...parents])]
  }
  return summaries.has(subject, d3f.cweId) ? relatives(release, subject) : []
}

function defensesAround(release: Release, subject: string): readonly Defense[] {
  return relatives(release, subject)
    .flatMap((iri) => release.defensiveByArtifact.get(iri) ?? [])
    .flatMap((row) => shapeDefense(release, row, { subject, place: subject, attack: null }))
}

interface Place extends Pick<Defense, 'subject' | 'attack'> {
  /** The artifact that is to be defended. */
  readonly place: string
}

function shapeDefense(
  release: Release,
  row: DefensiveRow,
  { subject, place, attack }: Place,
): readonly Defense[] {
  if (row.def_tech_id === undefined) return []
  const artifact = named(row.def_artifact, row.def_artifact_label)
  return [
    {
      subject,
      technique: row.def_tech.value,
      relation: relationName(release, row.def_artifact_rel.value),
      artifact: relativeOf(release, place, artifact),
      attack,
    },
  ]
}
