import { groupDigits } from '../../../catalogue/files/limits.ts'
import { displayedName } from '../../../database/rule-names.ts'
import { nameSome } from '../../../parts/name-some.ts'
import type { SheetRecord } from '../reading/records.ts'
import { quoted, unusable } from '../reading/refusals.ts'
import { satisfiedIds, stigIdKey } from '../reading/values.ts'
import type { RowWarnings } from './row-warnings.ts'

/** A row with the number of its new rule. */
export interface NumberedRow {
  readonly record: SheetRecord
  readonly number: number
}

/** More than any component has. */
const MAX_LINKS = 20_000

/**
 * Reads the column Satisfies: the satisfying rows by the number of the satisfied rule, in order. Leaves out impossible
 * links, with a warning.
 */
export function linksOf(
  rows: readonly NumberedRow[],
  prefix: string,
  warnings: RowWarnings,
): ReadonlyMap<number, readonly NumberedRow[]> {
  const byId = namesOf(rows, prefix)
  const rowsWithLinks = rows.map((row) => ({ row, satisfied: satisfiedBy(row, byId, warnings) }))
  const parents = new Set(rowsWithLinks.flatMap(({ row, satisfied }) => (satisfied.size > 0 ? row : [])))
  const links = new Map<number, NumberedRow[]>()
  let count = 0
  for (const { row, satisfied } of rowsWithLinks)
    for (const child of satisfied) {
      count += 1
      if (count > MAX_LINKS) throw unusable(`Satisfies names more than ${groupDigits(MAX_LINKS)} rules.`)
      if (parents.has(child)) warnAboutChain(row, displayedName(prefix, child.number), warnings)
      else links.set(child.number, [...(links.get(child.number) ?? []), row])
    }
  for (const satisfiers of links.values()) satisfiers.sort((a, b) => a.number - b.number)
  return links
}

function warnAboutChain({ record }: NumberedRow, name: string, warnings: RowWarnings): void {
  warnings.add(record.row, `${name} satisfies others, so that it cannot be satisfied itself.`)
}

/** Rows by their STIG id in the sheet, and by their new one. */
function namesOf(rows: readonly NumberedRow[], prefix: string): ReadonlyMap<string, NumberedRow> {
  return new Map([
    ...rows.map((row) => [stigIdKey(row.record.values.stig_id ?? ''), row] as const),
    ...rows.map((row) => [stigIdKey(displayedName(prefix, row.number)), row] as const),
  ])
}

function satisfiedBy(
  { record: { row, values } }: NumberedRow,
  byId: ReadonlyMap<string, NumberedRow>,
  warnings: RowWarnings,
): ReadonlySet<NumberedRow> {
  const linked = new Set<NumberedRow>()
  const unknown: string[] = []
  for (const id of satisfiedIds(values.satisfies ?? '')) {
    const child = byId.get(stigIdKey(id))
    if (child === undefined) unknown.push(quoted(id))
    else linked.add(child)
  }
  if (unknown.length > 0)
    warnings.add(row, `Satisfies names ${nameSome(unknown)}, but the spreadsheet has no such row.`)
  return linked
}
