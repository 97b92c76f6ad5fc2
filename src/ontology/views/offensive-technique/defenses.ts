import { d3f } from '../../../graph/vocabulary.ts'
import { domainsIn } from '../../release/domains.ts'
import type { Release } from '../../release/release.ts'
import type { TacticRow } from '../../release/tables.ts'
import { defensesOf } from '../defended.ts'
import { distinct, joinRow, prefixColumns, SUBCLASS_MARK, type PartialRow, type ResultRow } from '../rows.ts'

export const OFF_TO_DEF = [
  'def_tactic_label',
  'def_tactic_rel_label',
  'def_tech_parent_is_toplevel',
  'def_tech_parent_label',
  'def_tech_label',
  'def_tech_id',
  'def_artifact_rel_label',
  'def_artifact_label',
  'sc',
  'off_artifact_label',
  'off_artifact_rel_label',
  'off_tech_label',
  'off_tactic_rel_label',
  'off_tactic_label',
  'def_tactic',
  'def_tactic_rel',
  'def_tech',
  'def_artifact_rel',
  'def_artifact',
  'off_artifact',
  'off_artifact_rel',
  'off_tech',
  'off_tech_id',
  'off_tactic_rel',
  'off_tactic',
] as const

/** The columns of the offensive side of a row. */
const SIDE_COLUMNS = [
  'off_artifact_label',
  'off_artifact_rel_label',
  'off_tactic_rel_label',
  'off_tactic_label',
  'off_artifact',
  'off_artifact_rel',
  'off_tactic_rel',
  'off_tactic',
] as const

/**
 * The defenses of the artifacts that an offensive technique touches. First the bare offensive rows, then one row per
 * defense of each.
 */
export function findDefenses(release: Release, technique: string): readonly ResultRow[] {
  const sides = distinct([...ownSides(release, technique), ...inheritedSides(release, technique)])
  const offensive: readonly PartialRow[] = sides.flatMap((side) =>
    techniqueNames(release, technique).map((names) => ({ sc: SUBCLASS_MARK, ...side, ...names })),
  )
  const bare = offensive.map((row) => joinRow(OFF_TO_DEF, row))
  const defended = offensive.flatMap((row) =>
    defensesOf(release, row['off_artifact']?.value ?? '')
      .filter((defense) => defense.def_tech_id !== undefined)
      .map((defense) => joinRow(OFF_TO_DEF, defense, row)),
  )
  return [...bare, ...defended]
}

/**
 * Assertions of the technique and all below it, with every tactic that any technique of its domain enables. This is a
 * cross product, not the technique's own tactics.
 */
function ownSides(release: Release, technique: string): readonly ResultRow[] {
  const { hierarchy, offensiveTactics } = release
  const domain = domainsIn(hierarchy).of(technique) ?? 'enterprise-attack'
  return sidesOf(release, [...hierarchy.down(technique)], offensiveTactics.get(domain) ?? [])
}

/** Assertions of a direct parent, with the tactics that the classes above that parent enable. */
function inheritedSides(release: Release, technique: string): readonly ResultRow[] {
  return release.hierarchy.parents(technique).flatMap((parent) => {
    const tactics = [...release.hierarchy.up(parent)]
      .filter((ancestor) => ancestor !== parent)
      .flatMap((ancestor) => release.tacticsByTechnique.get(ancestor) ?? [])
    return sidesOf(release, [parent], tactics)
  })
}

function sidesOf(release: Release, subjects: readonly string[], tactics: readonly TacticRow[]): readonly ResultRow[] {
  const distinctTactics = distinct(tactics.map((row) => joinRow(SIDE_COLUMNS, prefixColumns('off_', row))))
  return subjects
    .flatMap((iri) => release.assertionsBySubject.get(iri) ?? [])
    .flatMap((assertion) =>
      distinctTactics.map((tactic) => joinRow(SIDE_COLUMNS, prefixColumns('off_', assertion), tactic)),
    )
}

function techniqueNames(release: Release, technique: string): readonly PartialRow[] {
  const identifiers = release.summaries.values(technique, d3f.attackId)
  return release.summaries.labels(technique).flatMap((label) =>
    identifiers.map((identifier) => ({
      off_tech: { type: 'uri', value: technique } as const,
      off_tech_label: label,
      off_tech_id: identifier,
    })),
  )
}
