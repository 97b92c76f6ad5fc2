import { compareCodeUnits, type Term } from '../../../graph/term.ts'
import type { Release } from '../../release/release.ts'
import { frameworkOf, withFramework } from '../framework.ts'
import { distinct, joinRow, results, type ResultRow, type Results } from '../rows.ts'

const DA_TO_OFF = [
  'off_artifact_label',
  'off_artifact_rel_label',
  'off_tech_label',
  'off_tech_id',
  'off_tactic_rel_label',
  'off_tactic_label',
  'off_artifact',
  'off_artifact_rel',
  'off_tech',
  'off_tactic_rel',
  'off_tactic',
] as const

const DA_TO_DEF = [
  'def_tactic_label',
  'def_tactic_rel_label',
  'def_tech_parent_is_toplevel',
  'def_tech_parent_label',
  'def_tech_label',
  'def_artifact_rel_label',
  'def_artifact_label',
  'def_tactic',
  'def_tactic_rel',
  'def_tech',
  'def_artifact_rel',
  'def_artifact',
] as const

/** The offensive techniques that touch an artifact or anything below it, by artifact label. */
export function findOffenses(release: Release, artifact: string): Results {
  const columns = withFramework(release.hierarchy, DA_TO_OFF)
  const rows = [...release.hierarchy.down(artifact)].flatMap((below) =>
    (release.offensiveByArtifact.get(below) ?? []).map((row) =>
      joinRow(columns, row, frameworkOf(release.hierarchy, row)),
    ),
  )
  return results(columns, orderBy('off_artifact_label', distinct(rows)))
}

/** The defensive techniques that touch an artifact, or anything above or below it, by label. */
export function findDefenses(release: Release, artifact: string): Results {
  const { hierarchy } = release
  const relatives = new Set([...hierarchy.up(artifact), ...hierarchy.down(artifact)])
  const rows = Array.from(relatives).flatMap((relative) =>
    (release.defensiveByArtifact.get(relative) ?? []).map((row) => joinRow(DA_TO_DEF, row)),
  )
  return results(DA_TO_DEF, orderBy('def_artifact_label', distinct(rows)))
}

function orderBy(column: string, rows: readonly ResultRow[]): readonly ResultRow[] {
  const value = (term: Term | undefined): string => term?.value ?? ''
  return [...rows].sort((a, b) => compareCodeUnits(value(a[column]), value(b[column])))
}
