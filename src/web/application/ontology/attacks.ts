import { distinct, groupBy } from './distinct.ts'
import { cell, nameOf, type NamedRecord, type Row } from './json-ld.ts'

/** An attack, and the artifacts by which it is met. */
export interface MetAttack {
  readonly id: string
  readonly label: string
  readonly parent: string | null
  readonly tactics: readonly string[]
  readonly artifacts: readonly (NamedRecord & { readonly relation: string })[]
}

/** One for each attack; the same is met by several artifacts, and belongs to several tactics. */
export function shapeAttacks(rows: readonly Row[]): readonly MetAttack[] {
  const groups = groupBy(rows, (row) => cell(row, 'off_tech_id'))
  const attacks = Array.from(groups, ([id, attackRows]) => shapeAttack(id, attackRows))
  return attacks.sort((a, b) => (a.id < b.id ? -1 : 1))
}

function shapeAttack(id: string, rows: readonly Row[]): MetAttack {
  const [first = {}] = rows
  const parent = cell(first, 'off_tech_parent_label')
  // Some answers do not say what is above it.
  const isTop = cell(first, 'off_tech_parent_is_toplevel') === 'true' || parent === ''
  return {
    id,
    label: cell(first, 'off_tech_label'),
    parent: isTop ? null : parent,
    tactics: [...new Set(rows.map((row) => cell(row, 'off_tactic_label')))].sort(),
    artifacts: distinct(
      rows.map((row) => ({
        name: nameOf(cell(row, 'off_artifact')),
        label: cell(row, 'off_artifact_label'),
        relation: cell(row, 'off_artifact_rel_label').replaceAll('-', ' '),
      })),
    ),
  }
}
