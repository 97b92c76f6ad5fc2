import type { NewRule } from '../archives/new-rules.ts'
import { someOf } from '../components/releasable.ts'
import type { RuleStatus } from '../database/schema/rules.ts'
import { limitOf } from '../rules/content.ts'
import { grouped } from '../xccdf/limits.ts'
import { MAX_WARNINGS } from './limits.ts'
import type { SheetRecord } from './records.ts'
import { quoted, unusable } from './refusals.ts'
import type { Requirement } from './requirements.ts'
import { numberOf, severityOf, statusOf } from './values.ts'

/** What a sheet makes of the requirements of an SRG. */
export interface SheetRules {
  /** The beginning of its first STIGID. */
  readonly prefix: string
  readonly rules: readonly NewRule[]
  /** Ids of the requirements that no row has. */
  readonly missing: readonly string[]
  readonly warnings: readonly string[]
}

const PREFIX = /^\w{4}-\w{2}$/
const PREFIX_LENGTH = 7
/** The number of a rule has six digits. */
const MAX_NUMBER = 999_999

/** Refuses requirements that the SRG has not, and numbers that are there twice. */
export function rulesOf(
  records: readonly SheetRecord[],
  requirements: ReadonlyMap<string, Requirement>,
): SheetRules {
  const prefix = prefixOf(records)
  requireKnown(records, requirements)
  const numbers = numbersOf(records)
  const warnings: string[] = []
  const used = new Set<string>()
  const rules = records.flatMap((record, index) => {
    const version = srgIdOf(record)
    const requirement = requirements.get(version)
    if (requirement === undefined) return []
    used.add(version)
    return [ruleOf(record, requirement, { number: numbers[index] ?? 0, warnings })]
  })
  const missing = [...requirements.keys()].filter((version) => version !== '' && !used.has(version))
  return { prefix, rules, missing, warnings: warnings.slice(0, MAX_WARNINGS) }
}

function srgIdOf({ values }: SheetRecord): string {
  return values.srg_id?.trim() ?? ''
}

function stigIdOf({ values }: SheetRecord): string {
  return values.stig_id?.trim() ?? ''
}

function prefixOf(records: readonly SheetRecord[]): string {
  const first = records.find((record) => stigIdOf(record) !== '')
  const prefix = first === undefined ? '' : stigIdOf(first).slice(0, PREFIX_LENGTH)
  if (PREFIX.test(prefix)) return prefix.toUpperCase()
  const where = first === undefined ? 'There is no STIGID; one' : `The STIGID in row ${first.row}`
  throw unusable(`${where} must begin with a prefix of the form AAAA-00.`)
}

function requireKnown(
  records: readonly SheetRecord[],
  requirements: ReadonlyMap<string, Requirement>,
): void {
  const blank = records.find((record) => srgIdOf(record) === '')
  if (blank !== undefined) throw unusable(`Row ${blank.row} has no SRGID.`)
  const unknown = new Set(records.map(srgIdOf).filter((version) => !requirements.has(version)))
  if (unknown.size === 0) return
  const names = someOf([...unknown].map((version) => quoted(version)))
  throw unusable(`The security requirements guide has no requirements with these ids: ${names}.`)
}

/** Of each row, in their order; rows without one are numbered on from the highest. */
function numbersOf(records: readonly SheetRecord[]): readonly number[] {
  const rows = new Map<number, number>()
  const given = records.map((record) => {
    const number = numberOf(stigIdOf(record).slice(PREFIX_LENGTH))
    if (number === null) return null
    const other = rows.get(number)
    if (other !== undefined)
      throw unusable(`Rows ${other} and ${record.row} have STIGIDs with the same number.`)
    rows.set(number, record.row)
    return number
  })
  let last = Math.max(0, ...rows.keys())
  const numbers = given.map((number) => number ?? (last += 1))
  if (last <= MAX_NUMBER) return numbers
  throw unusable(`The number of a STIGID is higher than ${MAX_NUMBER}.`)
}

interface As {
  readonly number: number
  readonly warnings: string[]
}

/** What is not said, or cannot be known, is as the requirement has it. */
function ruleOf(record: SheetRecord, { row, checks }: Requirement, as: As): NewRule {
  const text = (field: TextField): string | null => textOf(record, field)
  const content = text('check')
  const [first] = checks
  const check = { system: null, content_ref_name: null, content_ref_href: null, ...first, content }
  return {
    row: {
      ...row,
      number: as.number,
      title: text('title') ?? row.title,
      status: statusIn(record, as.warnings),
      rule_severity: severityIn(record, as.warnings) ?? row.rule_severity,
      vuln_discussion: text('vuln_discussion'),
      fixtext: text('fix'),
      status_justification: text('status_justification'),
      artifact_description: text('artifact_description'),
      vendor_comments: text('vendor_comments'),
      mitigations: text('mitigations') ?? row.mitigations ?? null,
      inspec_control_body: text('inspec_control_body'),
      ident: text('ident') ?? row.ident ?? null,
    },
    checks: content === null ? [] : [check],
    descriptions: [],
  }
}

/** The columns of texts, each with the field of a rule whose limit holds for it. */
const TEXTS = {
  title: 'title',
  vuln_discussion: 'vuln_discussion',
  check: 'content',
  fix: 'fixtext',
  status_justification: 'status_justification',
  artifact_description: 'artifact_description',
  vendor_comments: 'vendor_comments',
  mitigations: 'mitigations',
  inspec_control_body: 'inspec_control_body',
  ident: 'ident',
} as const

type TextField = keyof typeof TEXTS

function textOf({ row, values }: SheetRecord, field: TextField): string | null {
  const text = values[field]?.trim() ?? ''
  const max = limitOf(TEXTS[field])
  if (text.length > max)
    throw unusable(`Row ${row}: ${field} is longer than the limit of ${grouped(max)} characters.`)
  return text === '' ? null : text
}

function statusIn({ row, values: { status = '' } }: SheetRecord, warnings: string[]): RuleStatus {
  const known = statusOf(status)
  if (known === null && status !== '')
    warnings.push(`Row ${row}: status ${quoted(status)} is not known; it is Not Yet Determined.`)
  return known ?? 'Not Yet Determined'
}

function severityIn(
  { row, values: { severity = '' } }: SheetRecord,
  warnings: string[],
): NewRule['row']['rule_severity'] | null {
  const known = severityOf(severity)
  if (known === null && severity !== '')
    warnings.push(`Row ${row}: severity ${quoted(severity)} is not known; it is as in the SRG.`)
  return known
}
