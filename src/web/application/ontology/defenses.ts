import { distinct, groupBy } from './distinct.ts'
import { cell, nameOf, type NamedRecord, type Row } from './json-ld.ts'

/** A defensive technique, and how it works on what is looked at. */
export interface Defense extends NamedRecord {
  readonly tactic: NamedRecord
  readonly parent: string | null
  readonly ways: readonly CounterPath[]
}

/** A technique acts on an artifact, and the attack or weakness touches it or a kind of it. */
interface CounterPath {
  readonly relation: string
  readonly artifact: NamedRecord
  /** How the attack touches which artifacts, in words; empty where the rows do not tell. */
  readonly touches: readonly string[]
}

/** The techniques of a tactic. */
export interface DefenseGroup {
  readonly tactic: NamedRecord
  readonly defenses: readonly Defense[]
}

/** The order of the matrix; other tactics come last. */
const TACTICS = ['Model', 'Harden', 'Detect', 'Isolate', 'Deceive', 'Evict', 'Restore']

export function groupDefenses(defenses: readonly Defense[]): readonly DefenseGroup[] {
  const groups = groupBy(defenses, ({ tactic }) => tactic.name)
  return Array.from(groups.values(), (tacticDefenses) => ({
    tactic: tacticDefenses[0]?.tactic ?? { name: '', label: '' },
    defenses: tacticDefenses,
  })).toSorted((a, b) => rankOf(a.tactic) - rankOf(b.tactic))
}

function rankOf({ label }: NamedRecord): number {
  const index = TACTICS.indexOf(label)
  return index < 0 ? TACTICS.length : index
}

/** One for each technique that the rows name; some rows name none. */
export function shapeDefenses(rows: readonly Row[]): readonly Defense[] {
  const techniqueRows = rows.filter((row) => cell(row, 'def_tech') !== '')
  const groups = groupBy(techniqueRows, (row) => cell(row, 'def_tech') + cell(row, 'def_tactic'))
  return Array.from(groups.values(), shapeDefense).sort(
    (a, b) => a.tactic.label.localeCompare(b.tactic.label) || a.label.localeCompare(b.label),
  )
}

function shapeDefense(rows: readonly Row[]): Defense {
  const [first = {}] = rows
  const parent = cell(first, 'def_tech_parent_label')
  const label = cell(first, 'def_tech_label')
  return {
    name: nameOf(cell(first, 'def_tech')),
    label,
    tactic: { name: nameOf(cell(first, 'def_tactic')), label: cell(first, 'def_tactic_label') },
    parent: parent === '' || parent === label ? null : parent,
    ways: Array.from(
      groupBy(rows, (row) => `${cell(row, 'def_artifact_rel_label')} ${cell(row, 'def_artifact')}`).values(),
      shapeCounterPath,
    ),
  }
}

function shapeCounterPath(rows: readonly Row[]): CounterPath {
  const [first = {}] = rows
  const label = cell(first, 'def_artifact_label')
  return {
    relation: cell(first, 'def_artifact_rel_label'),
    artifact: { name: nameOf(cell(first, 'def_artifact')), label },
    touches: distinct(rows.flatMap((row) => touchedArtifacts(row, label))),
  }
}

/** `accesses it` for the same artifact, `accesses Password` for a kind of it. */
function touchedArtifacts(row: Row, artifact: string): readonly string[] {
  const relation = cell(row, 'off_artifact_rel_label').replaceAll('-', ' ')
  if (relation === '') return []
  const touched = cell(row, 'off_artifact_label')
  return [`${relation} ${touched === artifact ? 'it' : touched}`]
}
