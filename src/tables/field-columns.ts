import type { FieldRow } from './field-row.ts'
import type { Severity } from './severities.ts'
import type { RuleStatus } from './statuses.ts'

/** The values of a column, by the kind of its field. A flag is 0, 1 or null. */
interface ColumnTypes {
  readonly text: string | null
  readonly required: string
  readonly flag: number | null
  readonly status: RuleStatus
  readonly severity: Severity
}

/** The columns of fields of a rule. */
export type FieldColumns<F extends Pick<FieldRow, 'name' | 'kind'>> = {
  [One in F as One['name']]: ColumnTypes[One['kind']]
}
