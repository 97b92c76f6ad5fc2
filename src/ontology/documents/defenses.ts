import type { Defense, ArtifactEffect } from '../../contracts/sources.ts'
import { d3f } from '../../graph/vocabulary.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { domainsIn } from '../release/domains.ts'
import { artifacts, type Release } from '../release/release.ts'
import type { DefensiveRow } from '../release/tables.ts'
import { defensesOf } from '../views/defended.ts'
import { takeDistinct, labelledRecord, namedRecord, relationName, relativeOf, relatives } from './naming.ts'

/**
 * Finds the techniques that defend some subjects: the rows of `off_to_def` for an offensive technique, of
 * `weak_to_def` for a weakness and of `da_to_def` for an artifact, without drafts. Other subjects have no defenses.
 * Each path is returned once. Within the limit, every technique has one path before any has two.
 */
export function findDefenses(release: Release, subjects: readonly string[], limit: number): readonly Defense[] {
  const rowsByArtifact = new Map<string, readonly DefensiveRow[]>()
  const rowsOf = (artifact: string): readonly DefensiveRow[] =>
    getOrMake(rowsByArtifact, artifact, () => defensesOf(release, artifact))
  const defenses = [...new Set(subjects)].flatMap((subject) => {
    if (artifacts(release).has(subject)) return defensesAround(release, subject)
    return effectsOf(release, subject).flatMap((attack) =>
      rowsOf(attack.artifact.iri).flatMap((row) =>
        shapeDefense(release, row, { subject, defended: attack.artifact.iri, attack }),
      ),
    )
  })
  return takeDistinct(defenses, keyOf, limit)
}

function keyOf({ subject, technique, relation, artifact, attack }: Defense): readonly [string, ...string[]] {
  const attackPath = attack === null ? [] : [attack.by.iri, attack.relation, attack.artifact.iri]
  return [technique, subject, artifact.iri, relation, ...attackPath]
}

/** Artifacts that an attack or a weakness touches, by itself or by the classes that count for it in its view. */
function effectsOf(release: Release, subject: string): readonly ArtifactEffect[] {
  return classesCountedFor(release, subject)
    .flatMap((iri) => release.assertionsBySubject.get(iri) ?? [])
    .map((assertion) => ({
      by: relativeOf(release, subject, labelledRecord(release, assertion.subject.value)),
      relation: relationName(release, assertion.artifact_rel.value),
      artifact: namedRecord(assertion.artifact, assertion.artifact_label),
    }))
}

/** For an offensive technique: all below it, and its parents but for the class of a whole tactic. */
function classesCountedFor(release: Release, subject: string): readonly string[] {
  const { hierarchy, summaries, tacticsByTechnique } = release
  if (domainsIn(hierarchy).techniques.has(subject)) {
    const parents = hierarchy
      .parents(subject)
      .filter((parent) => [...hierarchy.up(parent)].some((iri) => iri !== parent && tacticsByTechnique.has(iri)))
    return [...new Set([...hierarchy.down(subject), ...parents])]
  }
  return summaries.has(subject, d3f.cweId) ? relatives(release, subject) : []
}

function defensesAround(release: Release, subject: string): readonly Defense[] {
  return relatives(release, subject)
    .flatMap((iri) => release.defensiveByArtifact.get(iri) ?? [])
    .flatMap((row) => shapeDefense(release, row, { subject, defended: subject, attack: null }))
}

interface DefendedArtifact extends Pick<Defense, 'subject' | 'attack'> {
  /** IRI of the artifact that is to be defended. */
  readonly defended: string
}

function shapeDefense(
  release: Release,
  row: DefensiveRow,
  { subject, defended, attack }: DefendedArtifact,
): readonly Defense[] {
  if (row.def_tech_id === undefined) return []
  const artifact = namedRecord(row.def_artifact, row.def_artifact_label)
  return [
    {
      subject,
      technique: row.def_tech.value,
      relation: relationName(release, row.def_artifact_rel.value),
      artifact: relativeOf(release, defended, artifact),
      attack,
    },
  ]
}
