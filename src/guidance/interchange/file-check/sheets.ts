import { Refusal } from '../../../platform/errors.ts'
import { rulesOf } from '../spreadsheets/creating/new-rules.ts'
import type { Requirement } from '../spreadsheets/creating/requirements.ts'
import type { SheetEncoding } from '../spreadsheets/reading/encoding.ts'
import { srgIdOf, stigIdOf, toParts, type SheetRecord } from '../spreadsheets/reading/records.ts'
import { readTables } from '../spreadsheets/reading/rows.ts'
import { adviseOnRules, type AdvisedRule } from './advice.ts'
import { citedControls, shapeWrittenRule } from './new-rule-texts.ts'
import { problemAt } from './problem-at.ts'
import type { FileCheck, Problem } from './problem.ts'

/** The sheet does not contain the requirements of its SRG. */
const UNKNOWN_REQUIREMENT: Requirement = {
  row: {
    title: '',
    rule_severity: 'unknown',
    rule_weight: '10.0',
    status: 'Not Yet Determined',
    locked_fields: '{}',
    created_at: '',
    updated_at: '',
  },
  checks: [],
}

/**
 * Checks a spreadsheet of rules as if a component were made from it: its table, its rows, and their words. Without an
 * encoding, the bytes of a CSV file show it, and any other than UTF-8 causes a warning.
 */
export async function checkSheet(
  file: string,
  { name, encoding = null }: { readonly name: string; readonly encoding?: SheetEncoding | null },
): Promise<FileCheck> {
  const records: SheetRecord[] = []
  const problems: Problem[] = []
  for await (const part of toParts(readTables(file, encoding))) {
    if (part.kind === 'records') records.push(...part.records)
    else {
      if (part.encoding !== null && encoding === null)
        problems.push(toWarning(`The file is not in UTF-8. It is read as ${part.encoding.name}.`))
      problems.push(...part.warnings.map(toWarning))
    }
  }
  const document = { kind: 'sheet', member: null, name, version: null, title: null, rules: records.length } as const
  const rules = readRules(records, problems)
  return { type: 'spreadsheet', documents: [document], problems: [...problems, ...(await adviseOnRules(rules))] }
}

/** The rules that would be made from the rows; none if a component could not be made. */
function readRules(records: readonly SheetRecord[], problems: Problem[]): readonly AdvisedRule[] {
  const requirements = new Map(
    records.flatMap((record) => (srgIdOf(record) === '' ? [] : [[srgIdOf(record), UNKNOWN_REQUIREMENT] as const])),
  )
  try {
    const { rules, warnings } = rulesOf(records, requirements, null)
    problems.push(...warnings.map(toWarning))
    return rules.flatMap((rule, index) => {
      const record = records[index]
      if (record === undefined) return []
      const name = stigIdOf(record) === '' ? srgIdOf(record) : stigIdOf(record)
      return [
        { name, written: shapeWrittenRule(rule, 'stig'), cited: citedControls(rule), location: { row: record.row } },
      ]
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems.push(problemAt('error', error.code, error.message))
    return []
  }
}

function toWarning(message: string): Problem {
  return problemAt('warning', 'spreadsheet_remark', message)
}
