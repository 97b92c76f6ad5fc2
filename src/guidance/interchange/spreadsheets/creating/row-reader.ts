import { inOrder, recordOf } from '../../../../platform/records.ts'
import { namesOf, SHEET_TEXTS } from '../../../../tables/field-lists.ts'
import type { RuleStatus } from '../../../../tables/statuses.ts'
import type { NewRule } from '../../../authoring/rule-editing/new-rules.ts'
import { joinChecks } from '../../../authoring/rules/join-checks.ts'
import { limitOf } from '../../../authoring/rules/text-limits.ts'
import { groupDigits } from '../../../catalogue/files/limits.ts'
import { nameSome } from '../../../parts/name-some.ts'
import { separateChecks } from '../../exports/component/check-text.ts'
import { isTruncated, restoreTruncated } from '../../exports/tables/cell.ts'
import type { SheetRecord } from '../reading/records.ts'
import { quoted, unusable } from '../reading/refusals.ts'
import { isSameText, severityOf, statusOf, stigIdKey } from '../reading/values.ts'
import type { Requirement } from './requirements.ts'
import type { RowWarnings } from './row-warnings.ts'

interface RowContext {
  readonly record: SheetRecord
  readonly requirement: Requirement
  /** The rows of the rules that satisfy this one. */
  readonly satisfiers: readonly SheetRecord[]
  readonly warnings: RowWarnings
}

type SheetText = (typeof SHEET_TEXTS)[number]['name']

/** Texts of a row without title and fix. The order is that in which faults are reported. */
const TEXTS = [
  ...inOrder<SheetText, SheetText>(
    ['vuln_discussion', 'status_justification', 'artifact_description', 'vendor_comments', 'inspec_control_body'],
    namesOf(SHEET_TEXTS),
  ).filter((name) => name !== 'fixtext'),
  'ident' as const,
]

/**
 * Columns that a sheet may lack. If such a cell is blank and the sheet is not a working copy, the SRG's text is used.
 */
const OPTIONAL: ReadonlySet<string> = new Set([...namesOf(SHEET_TEXTS.filter(({ sheet }) => !sheet.required)), 'ident'])

const OWN_TEXTS = 'another rule satisfies it; its own check and fix are those of the SRG.'

/** Makes a rule from one row of a sheet. */
export class RowReader {
  readonly #record: SheetRecord
  readonly #requirement: Requirement
  readonly #satisfiers: readonly SheetRecord[]
  readonly #warnings: RowWarnings

  constructor({ record, requirement, satisfiers, warnings }: RowContext) {
    this.#record = record
    this.#requirement = requirement
    this.#satisfiers = satisfiers
    this.#warnings = warnings
  }

  rule(number: number): NewRule {
    const { row, checks } = this.#requirement
    const inherits = this.#inherits()
    if (inherits) this.#warn(OWN_TEXTS)
    return {
      row: {
        ...row,
        number,
        title: this.#text('title') ?? row.title,
        status: this.#status(),
        rule_severity: this.#severity() ?? row.rule_severity,
        ...this.#texts(),
        fixtext: inherits ? (row.fixtext ?? null) : this.#text('fixtext'),
      },
      checks: inherits ? checks : this.#checks(),
      descriptions: [],
    }
  }

  #texts(): Partial<NewRule['row']> {
    const { row } = this.#requirement
    const isPlain = !this.#isWorkingCopy()
    const isKnown = (name: SheetText | 'ident'): boolean => OPTIONAL.has(name) && (isPlain || this.#isAbsent(name))
    return recordOf(TEXTS, (name) => this.#text(name) ?? (isKnown(name) ? row[name] : null) ?? null)
  }

  /**
   * Whether the sheet lacks a column. A working copy exported by an earlier version lacks the columns of newer fields.
   */
  #isAbsent(name: SheetText | 'ident'): boolean {
    return this.#record.values[name === 'fixtext' ? 'fix' : name] === undefined
  }

  #isWorkingCopy(): boolean {
    const { satisfies, inspec_control_body, ident } = this.#record.values
    return satisfies !== undefined && inspec_control_body !== undefined && ident !== undefined
  }

  /**
   * Whether check and fix are those of the satisfying rule, or blank. Exports write both in place of the rule's own.
   */
  #inherits(): boolean {
    const { check = '', fix = '' } = this.#record.values
    const otherSatisfiers = this.#otherSatisfiers()
    if (otherSatisfiers.length > 0)
      this.#warn(`${nameSome(otherSatisfiers)} satisfies it, but the spreadsheet has no such row.`)
    if (this.#satisfiers.length + otherSatisfiers.length === 0) return false
    if (check === '' && fix === '') return true
    return this.#satisfiers.some(
      ({ values }) => isSameText(check, plainCheck(values.check ?? '')) && isSameText(fix, values.fix ?? ''),
    )
  }

  /** Satisfying rules in other components. Only the sentence that links write names them. */
  #otherSatisfiers(): readonly string[] {
    const { status_justification: text = '' } = this.#record.values
    const names = /^This requirement is satisfied by ([\w, -]+)\.$/.exec(text)?.[1]?.split(', ') ?? []
    const rowIds = new Set(this.#satisfiers.map(({ values }) => stigIdKey(values.stig_id ?? '')))
    return names.filter((name) => !rowIds.has(stigIdKey(name)))
  }

  /** The text of the cell, with blanks around it. */
  #text(name: SheetText | 'title' | 'ident'): string | null {
    const field = name === 'fixtext' ? 'fix' : name
    const srgValue = this.#requirement.row[name] ?? null
    const text = this.#fullText(this.#record.values[field] ?? '', field, srgValue)
    if (!isSameText(text, srgValue)) this.#requireShort(text, field, limitOf(name))
    return text === '' ? null : text
  }

  #checks(): NewRule['checks'] {
    const { checks } = this.#requirement
    const srgCheck = joinChecks({ checks: checks.map(({ content = null }) => ({ content })) })
    const cell = this.#fullText(this.#record.values.check ?? '', 'check', srgCheck)
    if (cell === '') return []
    if (isSameText(cell, srgCheck)) return checks
    return separateChecks(cell).map((content, index) => {
      const template = checks[index]
      if (!isSameText(content, template?.content ?? null)) this.#requireShort(content, 'check', limitOf('content'))
      return { ...NO_CHECK, ...template, content }
    })
  }

  /** The full text, if an export has cut the cell. */
  #fullText(cell: string, field: string, srgText: string | null): string {
    const fullText = restoreTruncated(cell, srgText)
    if (isTruncated(fullText)) this.#warn(`${field} was cut when it was exported; the CSV has all of it.`)
    return fullText
  }

  #requireShort({ length }: string, field: string, max: number): void {
    if (length <= max) return
    const limit = `the limit of ${groupDigits(max)} characters`
    throw unusable(`Row ${this.#record.row}: ${field} is longer than ${limit}.`)
  }

  #status(): RuleStatus {
    const { status = '' } = this.#record.values
    const knownStatus = statusOf(status)
    if (knownStatus === null && status !== '')
      this.#warn(`status ${quoted(status)} is not known; Not Yet Determined is used.`)
    return knownStatus ?? 'Not Yet Determined'
  }

  #severity(): NewRule['row']['rule_severity'] | null {
    const { severity = '' } = this.#record.values
    const knownSeverity = severityOf(severity)
    if (knownSeverity === null && severity !== '')
      this.#warn(`severity ${quoted(severity)} is not known; that of the SRG is used.`)
    return knownSeverity
  }

  #warn(text: string): void {
    this.#warnings.add(this.#record.row, text)
  }
}

const NO_CHECK = { system: null, content_ref_name: null, content_ref_href: null }

/** Removes the marks between checks. The exported check of a satisfied rule has none. */
function plainCheck(cell: string): string {
  return separateChecks(cell).join('\n\n')
}
