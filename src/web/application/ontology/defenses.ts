import { distinct, groupBy } from './distinct.ts'
import { cell, nameOf, type NamedRecord, type Row } from './json-ld.ts'

/** A defensive technique, and how it works on what is looked at. */
export interface Defense extends NamedRecord {
  readonly tactic: NamedRecord
  readonly parent: string | null
  readonly ways: readonly { readonly relation: string; readonly artifact: NamedRecord }[]
}

/** One for each technique that the rows name; some rows name none. */
export function shapeDefenses(rows: readonly Row[]): readonly Defense[] {
  const named = rows.filter((row) => cell(row, 'def_tech') !== '')
  const groups = groupBy(named, (row) => cell(row, 'def_tech') + cell(row, 'def_tactic'))
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
    ways: distinct(
      rows.map((row) => ({
        relation: cell(row, 'def_artifact_rel_label'),
        artifact: {
          name: nameOf(cell(row, 'def_artifact')),
          label: cell(row, 'def_artifact_label'),
        },
      })),
    ),
  }
}
