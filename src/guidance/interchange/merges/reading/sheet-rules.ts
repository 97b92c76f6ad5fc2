import { SHEET_FIELDS } from '../../../../tables/field-lists.ts'
import type { Sheet } from '../../spreadsheets/reading/read.ts'
import { srgIdOf, stigIdOf, type SheetRecord } from '../../spreadsheets/reading/records.ts'
import { quoted } from '../../spreadsheets/reading/refusals.ts'
import { severityOf, statusOf } from '../../spreadsheets/reading/values.ts'
import type { FieldValue, MergedField } from '../planning/fields.ts'
import type { MergeFile, FileRule } from './merge-file.ts'

type SheetRules = Pick<MergeFile, 'form' | 'rules' | 'warnings' | 'encoding'>

/** The rules of a spreadsheet. Cells that mean nothing for their field are left out, with a warning. */
export function sheetRules({ records, warnings, encoding }: Sheet): SheetRules {
  const valueWarnings: string[] = []
  const rules = records.map((record) => ruleOf(record, valueWarnings))
  // DISA's vendor sheet has only the columns that DISA needs.
  const isVendor = records.every(({ values }) => values.vendor_comments === undefined && values.satisfies === undefined)
  return {
    form: isVendor ? 'vendor sheet' : 'working copy',
    rules,
    warnings: [...warnings, ...valueWarnings],
    encoding,
  }
}

function ruleOf(record: SheetRecord, warnings: string[]): FileRule {
  const values: Partial<Record<MergedField, FieldValue>> = {}
  for (const { name, sheet } of SHEET_FIELDS) {
    const text = record.values[sheet.name]
    const value = text === undefined ? undefined : valueOf(name, text)
    if (value !== undefined) values[name] = value
    else if (text !== undefined && text !== '')
      warnings.push(`Row ${record.row}: ${sheet.name} ${quoted(text)} is not known; it stays as it is.`)
  }
  if (record.values.check !== undefined) values.check_content = record.values.check || null
  return { place: `Row ${record.row}`, srgId: srgIdOf(record), stigId: stigIdOf(record), values }
}

/** Undefined if the text is not a value of the field. */
function valueOf(name: (typeof SHEET_FIELDS)[number]['name'], text: string): string | null | undefined {
  if (name === 'title') return text.trim() === '' ? undefined : text.trim()
  if (name === 'status') return statusOf(text) ?? undefined
  if (name === 'rule_severity') return severityOf(text) ?? undefined
  return text === '' ? null : text
}
