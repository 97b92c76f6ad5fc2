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
  readonly usual: boolean
}

const usual = (header: string, value: Column['value']): Column => ({ header, value, usual: true })
const extra = (header: string, value: Column['value']): Column => ({ header, value, usual: false })

const ON_REQUEST = DISCUSSION_FIELDS.filter((field) => field.csv !== null)

/** The columns of a catalogue's CSV in their order. */
function columnsOf({ kind }: Catalogue): Readonly<Record<string, Column>> {
  const ofStig = {
    srg_id: usual('SRG ID', (rule) => rule.groupTitle),
    vuln_id: usual('Vuln ID', (rule) => rule.groupId),
  }
  return {
    rule_id: usual('Rule ID', (rule) => rule.ruleId),
    version: usual(kind === 'srg' ? 'SRG ID' : 'STIG ID', (rule) => rule.version),
    ...(kind === 'stig' && ofStig),
    rule_severity: usual('Severity', (rule) => rule.severity),
    title: usual('Title', (rule) => rule.title),
    vuln_discussion: usual('Description', (rule) => rule.discussion.vuln_discussion),
    check_content: usual('Check', ({ checks }) => joinTexts(checks.map(({ content }) => content))),
    fixtext: usual('Fix', ({ fixes }) => joinTexts(fixes.map(({ text }) => text))),
    ident: usual('CCI', identOf),
    nist_control_family: usual('800-53 Controls', nistControlsOf),
    legacy_ids: usual('Legacy IDs', legacyIdsOf),
    status: extra('Status', (rule) => rule.status),
    rule_weight: extra('Weight', (rule) => rule.weight),
    ...Object.fromEntries(ON_REQUEST.map(({ name, csv }) => [name, extra(csv, (rule) => rule.discussion[name])])),
  }
}

/**
 * The rules as CSV (RFC 4180, with a byte order mark for spreadsheets), one row each. `chosen` names columns,
 * comma-separated, in the order wanted; unknown ones are ignored, and without any known one the usual columns are
 * written. Values that a spreadsheet would take for formulas get an apostrophe.
 */
export function rulesToCsv(benchmark: StoredBenchmark, catalogue: Catalogue, columnKeys: string | undefined): string {
  const columns = new Map(Object.entries(columnsOf(catalogue)))
  const requested = (columnKeys ?? '').split(',').flatMap((key) => columns.get(key.trim()) ?? [])
  const selected = requested.length > 0 ? requested : [...columns.values()].filter((one) => one.usual)
  const rows = inOrder(benchmark.rules).map((rule) => selected.map(({ value }) => value(rule) ?? ''))
  return toCsv([selected.map(({ header }) => header), ...rows])
}

export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${guardedCsvLines(rows)}`
}
