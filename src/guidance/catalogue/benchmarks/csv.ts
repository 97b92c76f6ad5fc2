import { guardedCsvLines } from '../../../platform/csv/csv.ts'
import { DISCUSSION_FIELDS } from '../../../tables/field-lists.ts'
import type { Catalogue } from './catalogues.ts'
import { nistControlsOf } from './nist-controls.ts'
import type { StoredBenchmark, StoredRule } from './reader.ts'
import { joinTexts } from './rule-texts.ts'
import { identOf, inOrder, legacyIdsOf } from './shape.ts'

interface Column {
  readonly header: string
  readonly value: (rule: StoredRule) => string | null
  /** Whether the column is written if the request chooses none. */
  readonly isDefault: boolean
}

const defaultColumn = (header: string, value: Column['value']): Column => ({ header, value, isDefault: true })
const furtherColumn = (header: string, value: Column['value']): Column => ({ header, value, isDefault: false })

const ON_REQUEST = DISCUSSION_FIELDS.filter((field) => field.csv !== null)

/** The columns of a catalogue's CSV in their order. */
function columnsOf({ kind }: Catalogue): Readonly<Record<string, Column>> {
  const ofStig = {
    srg_id: defaultColumn('SRG ID', (rule) => rule.groupTitle),
    vuln_id: defaultColumn('Vuln ID', (rule) => rule.groupId),
  }
  return {
    rule_id: defaultColumn('Rule ID', (rule) => rule.ruleId),
    version: defaultColumn(kind === 'srg' ? 'SRG ID' : 'STIG ID', (rule) => rule.version),
    ...(kind === 'stig' && ofStig),
    rule_severity: defaultColumn('Severity', (rule) => rule.severity),
    title: defaultColumn('Title', (rule) => rule.title),
    vuln_discussion: defaultColumn('Description', (rule) => rule.discussion.vuln_discussion),
    check_content: defaultColumn('Check', ({ checks }) => joinTexts(checks.map(({ content }) => content))),
    fixtext: defaultColumn('Fix', ({ fixes }) => joinTexts(fixes.map(({ text }) => text))),
    ident: defaultColumn('CCI', identOf),
    nist_control_family: defaultColumn('800-53 Controls', nistControlsOf),
    legacy_ids: defaultColumn('Legacy IDs', legacyIdsOf),
    status: furtherColumn('Status', (rule) => rule.status),
    rule_weight: furtherColumn('Weight', (rule) => rule.weight),
    ...Object.fromEntries(
      ON_REQUEST.map(({ name, csv }) => [name, furtherColumn(csv, (rule) => rule.discussion[name])]),
    ),
  }
}

/**
 * The rules as CSV (RFC 4180, with a byte order mark for spreadsheets), one row each. `chosen` names columns,
 * comma-separated, in the requested order; unknown ones are ignored, and without any known one the default columns are
 * written. Values that a spreadsheet would take for formulas get an apostrophe.
 */
export function rulesToCsv(benchmark: StoredBenchmark, catalogue: Catalogue, columnKeys: string | undefined): string {
  const columns = new Map(Object.entries(columnsOf(catalogue)))
  const requested = (columnKeys ?? '').split(',').flatMap((key) => columns.get(key.trim()) ?? [])
  const selected = requested.length > 0 ? requested : [...columns.values()].filter((column) => column.isDefault)
  const rows = inOrder(benchmark.rules).map((rule) => selected.map(({ value }) => value(rule) ?? ''))
  return toCsv([selected.map(({ header }) => header), ...rows])
}

export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${guardedCsvLines(rows)}`
}
