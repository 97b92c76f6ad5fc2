import type { NewRule } from '../../../authoring/rule-editing/new-rules.ts'
import { displayedName } from '../../../database/rule-names.ts'
import { nameSome } from '../../../parts/name-some.ts'
import { srgIdOf, stigIdOf, type SheetRecord } from '../reading/records.ts'
import { quoted, unusable } from '../reading/refusals.ts'
import { numberOf, stigIdKey } from '../reading/values.ts'
import { linksOf, type NumberedRow } from './new-links.ts'
import { PREFIX } from './prefix.ts'
import type { Requirement } from './requirements.ts'
import { RowReader } from './row-reader.ts'
import { RowWarnings } from './row-warnings.ts'

/** The rules that a sheet makes from the requirements of an SRG. */
export interface SheetRules {
  /** The requested prefix, else the beginning of the sheet's first STIGID. */
  readonly prefix: string
  readonly rules: readonly NewRule[]
  readonly links: readonly SheetLink[]
  /** Ids of requirements without a row. */
  readonly missing: readonly string[]
  readonly warnings: readonly string[]
}

/** The numbers of two rules. */
interface SheetLink {
  readonly number: number
  readonly satisfiedBy: number
}

const PREFIX_LENGTH = 7
/** The highest number with six digits. */
const MAX_NUMBER = 999_999

/**
 * Makes the rules. A blank cell means a blank text in a working copy, which has all columns, and the SRG's text in
 * other sheets. Refuses requirements that are not in the SRG, and duplicate numbers.
 */
export function rulesOf(
  records: readonly SheetRecord[],
  requirements: ReadonlyMap<string, Requirement>,
  givenPrefix: string | null,
): SheetRules {
  const prefix = givenPrefix ?? prefixOf(records)
  requireKnown(records, requirements)
  const numbers = numbersOf(records)
  const warnings = new RowWarnings()
  const rows = records.map((record, index) => ({ record, number: numbers[index] ?? 0 }))
  for (const row of rows) warnAboutNewName(row, prefix, warnings)
  const links = linksOf(rows, prefix, warnings)
  const used = new Set<string>()
  const rules = rows.flatMap(({ record, number }) => {
    const version = srgIdOf(record)
    const requirement = requirements.get(version)
    if (requirement === undefined) return []
    used.add(version)
    const satisfiers = (links.get(number) ?? []).map((satisfier) => satisfier.record)
    return [new RowReader({ record, requirement, satisfiers, warnings }).rule(number)]
  })
  const missing = [...requirements.keys()].filter((version) => version !== '' && !used.has(version))
  return { prefix, rules, links: pairsOf(links), missing, warnings: warnings.all }
}

function warnAboutNewName({ record, number }: NumberedRow, prefix: string, warnings: RowWarnings): void {
  const [stigId, name] = [stigIdOf(record), displayedName(prefix, number)]
  if (stigId === '' || stigIdKey(stigId) === stigIdKey(name)) return
  warnings.add(record.row, `the STIGID ${quoted(stigId)} becomes ${name}.`)
}

function pairsOf(links: ReadonlyMap<number, readonly NumberedRow[]>): readonly SheetLink[] {
  return [...links].flatMap(([number, satisfiers]) =>
    satisfiers.map((satisfier) => ({ number, satisfiedBy: satisfier.number })),
  )
}

function prefixOf(records: readonly SheetRecord[]): string {
  const first = records.find((record) => stigIdOf(record) !== '')
  const prefix = first === undefined ? '' : stigIdOf(first).slice(0, PREFIX_LENGTH)
  if (PREFIX.test(prefix)) return prefix.toUpperCase()
  throw unusable(
    first === undefined
      ? 'There is no STIGID. Give a prefix of the form AAAA-00 for the ids.'
      : `The STIGID in row ${first.row} must begin with a prefix of the form AAAA-00. Give a prefix, or change the STIGID.`,
  )
}

function requireKnown(records: readonly SheetRecord[], requirements: ReadonlyMap<string, Requirement>): void {
  const blank = records.find((record) => srgIdOf(record) === '')
  if (blank !== undefined) throw unusable(`Row ${blank.row} has no SRGID.`)
  const unknown = records.filter((record) => !requirements.has(srgIdOf(record)))
  if (unknown.length === 0) return
  const names = nameSome(unknown.map((record) => `${quoted(srgIdOf(record))} (row ${record.row})`))
  throw unusable(`The security requirements guide has no requirements with these ids: ${names}.`)
}

/** The number for each row, in order. Rows without one get numbers after the highest. */
function numbersOf(records: readonly SheetRecord[]): readonly number[] {
  const rows = new Map<number, number>()
  const givenNumbers = records.map((record) => {
    const number = numberOf(stigIdOf(record).slice(PREFIX_LENGTH))
    if (number === null) return null
    const other = rows.get(number)
    if (other !== undefined) throw unusable(`Rows ${other} and ${record.row} have STIGIDs with the same number.`)
    rows.set(number, record.row)
    return number
  })
  let last = Math.max(0, ...rows.keys())
  const numbers = givenNumbers.map((number) => number ?? (last += 1))
  if (last <= MAX_NUMBER) return numbers
  throw unusable(`The number of a STIGID is higher than ${MAX_NUMBER}.`)
}
