import type { Document } from '../../../http/answer/answers.ts'
import { guardedCsvLines } from '../../../platform/csv/csv.ts'
import { toCsv } from '../benchmarks/csv.ts'
import type { FieldChange } from './compare.ts'

interface RuleRef {
  readonly rule_id: string
  readonly version: string | null
  readonly title: string
}

/** The row repeats the change of a rule in the JSON answers. */
export interface ComparedRule {
  readonly status: string
  readonly matched_by: string | null
  readonly before: RuleRef | null
  readonly after: RuleRef | null
  readonly changes: readonly FieldChange[]
}

type VersionName = 'STIG ID' | 'SRG ID'

/**
 * A comparison as CSV, one row for each field that differs. `versionName` heads the column with the versions of rules.
 */
export function comparisonTable(fileName: string, rules: readonly ComparedRule[], versionName: VersionName): Document {
  return {
    mediaType: 'text/csv; charset=utf-8; header=present',
    fileName,
    body: [...comparisonPieces(rules, versionName)].join(''),
  }
}

/** Yields the table rule by rule. */
export function* comparisonPieces(rules: readonly ComparedRule[], versionName: VersionName): Generator<string, void> {
  const header = [
    'Status',
    'Matched By',
    'Rule ID Before',
    'Rule ID After',
    `${versionName} Before`,
    `${versionName} After`,
    'Title',
    'Field',
    'Before',
    'After',
  ]
  yield toCsv([header])
  for (const rule of rules) yield guardedCsvLines(rowsOf(rule))
}

/** An added or removed rule is one row without a field. */
function rowsOf({ before, after, changes, ...comparison }: ComparedRule): readonly string[][] {
  const rule = [
    comparison.status,
    comparison.matched_by,
    before?.rule_id,
    after?.rule_id,
    before?.version,
    after?.version,
    (after ?? before)?.title,
  ]
  const fields = changes.map((change) => [change.field, change.before, change.after])
  const rows = fields.length === 0 ? [[null, null, null]] : fields
  return rows.map((field) => [...rule, ...field].map((value) => value ?? ''))
}
