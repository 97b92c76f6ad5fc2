import { text } from '../../../graph/term.ts'
import { append } from '../../../platform/append.ts'
import { getOrMake } from '../../../platform/get-or-make.ts'
import type { Release } from '../../release/release.ts'
import { frameworkOf, withFramework } from '../framework.ts'
import { joinRow, prefixColumns, type PartialRow, type ResultRow } from '../rows.ts'
import { findCandidates } from './candidates.ts'
import { topTechniques } from './subtechniques.ts'

const DIGITAL_ARTIFACTS = [
  'query_def_tech_label',
  'top_def_tech_label',
  'def_tech_label',
  'def_artifact_rel_label',
  'def_artifact_label',
  'def_tactic',
  'def_tactic_rel',
  'def_tech',
  'def_artifact_rel',
  'def_artifact',
] as const

const DEF_TO_OFF = [
  'query_def_tech_label',
  'top_def_tech_label',
  'def_tactic_label',
  'def_tactic_rel_label',
  'def_tech_label',
  'def_artifact_rel_label',
  'def_artifact_label',
  'off_artifact_label',
  'off_artifact_rel_label',
  'off_tech_label',
  'off_tech_id',
  'off_tech_parent_label',
  'off_tech_parent_is_toplevel',
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
  'off_tech_parent',
  'off_tactic_rel',
  'off_tactic',
] as const

/** The two mappings of a technique as result rows, and their columns in published order. */
export interface Mappings {
  readonly digitalArtifacts: readonly ResultRow[]
  readonly defToOff: readonly ResultRow[]
}

/** Columns of the two mappings. If a release has attacks of several domains, the second has a column for the domain. */
export function mappingColumns({ hierarchy }: Release): Readonly<Record<keyof Mappings, readonly string[]>> {
  return { digitalArtifacts: DIGITAL_ARTIFACTS, defToOff: withFramework(hierarchy, DEF_TO_OFF) }
}

/**
 * Finds the artifacts that a technique touches (`digital_artifacts`) and, through these artifacts and all below them,
 * the offensive techniques that it meets (`def_to_off`).
 */
export function findMappings(release: Release, technique: string): Mappings {
  const sides = defensiveSides(release, technique)
  const columns = mappingColumns(release).defToOff
  return {
    digitalArtifacts: sides.map(({ row }) => joinRow(DIGITAL_ARTIFACTS, row)),
    defToOff: sides.flatMap(({ row, artifact }) =>
      [...release.hierarchy.down(artifact)].flatMap((below) =>
        (release.offensiveByArtifact.get(below) ?? []).map((offensive) =>
          joinRow(columns, row, offensive, frameworkOf(release.hierarchy, offensive)),
        ),
      ),
    ),
  }
}

interface DefensiveSide {
  readonly artifact: string
  readonly row: PartialRow
}

/** Every candidate once for each tactic of every top technique above it, and for each label of the technique. */
function defensiveSides(release: Release, technique: string): readonly DefensiveSide[] {
  return release.summaries.labels(technique).flatMap((label) =>
    findCandidates(release, technique).flatMap((assertion) =>
      topRows(release, assertion.subject.value).map((top) => ({
        artifact: assertion.artifact.value,
        row: {
          query_def_tech_label: label,
          def_tech: assertion.subject,
          ...prefixColumns('def_', assertion),
          ...top,
        },
      })),
    ),
  )
}

/** The top techniques at or above a technique with the tactics they enable, and its own label. */
function topRows(release: Release, technique: string): readonly PartialRow[] {
  const above = release.hierarchy.up(technique)
  const tops = topTechniques(release).filter((top) => above.has(top))
  return tops.flatMap((top) =>
    (release.tacticsByTechnique.get(top) ?? []).flatMap((tactic) =>
      release.summaries.labels(top).flatMap((topLabel) =>
        release.summaries.labels(technique).map((label) => ({
          top_def_tech_label: topLabel,
          def_tech_label: label,
          ...prefixColumns('def_', tactic),
        })),
      ),
    ),
  )
}

/**
 * The rows as a matrix of offensive tactics and groups of techniques. A technique directly below its tactic is a group of
 * its own; a sub-technique belongs to the group of its parent. If tactics of several domains have the same label, the
 * later ones get their identifiers added.
 */
export function shapeOffensiveMatrix(
  rows: readonly ResultRow[],
): Readonly<Record<string, readonly (readonly [string, readonly ResultRow[]])[]>> {
  const titles = new Map<string, string>()
  const matrix = new Map<string, Map<string, ResultRow[]>>()
  for (const row of rows) {
    const title = titleOf(row, titles, matrix)
    const groups = getOrMake(matrix, title, () => new Map())
    const isTopLevel = value(row, 'off_tech_parent_is_toplevel') === 'true'
    const group = value(row, isTopLevel ? 'off_tech_label' : 'off_tech_parent_label')
    append(groups, group, row)
  }
  return Object.fromEntries([...matrix].map(([tactic, groups]) => [tactic, [...groups]]))
}

/** The title of a row's tactic; `titles` has the titles so far, by IRI and label. */
function titleOf(row: ResultRow, titles: Map<string, string>, usedTitles: ReadonlyMap<string, unknown>): string {
  const tactic = value(row, 'off_tactic')
  const label = value(row, 'off_tactic_label')
  const key = `${tactic} ${label}`
  return getOrMake(titles, key, () => (usedTitles.has(label) ? `${label} (${tactic.replace(/^.*[#/]/, '')})` : label))
}

function value(row: ResultRow, column: string): string {
  return (row[column] ?? text('')).value
}
