import { append } from '../../../../platform/append.ts'
import type { AuthoredRule } from '../../../authoring/rules/reader.ts'
import { displayedName } from '../../../database/rule-names.ts'
import { nameSome } from '../../../parts/name-some.ts'
import { srgIdOf, stigIdOf, type SheetRecord } from '../reading/records.ts'
import { quoted, unusable } from '../reading/refusals.ts'
import { stigIdKey } from '../reading/values.ts'

/** A row of the sheet with its rule. */
export interface RecordRulePair {
  readonly record: SheetRecord
  readonly rule: AuthoredRule
  /** The satisfying rule, if there is one and it is known. */
  readonly parent: AuthoredRule | null
}

interface MatchResult {
  readonly pairs: readonly RecordRulePair[]
  readonly warnings: readonly string[]
}

/** The rules and requirements to which rows can refer. */
export interface ComponentRules {
  /** The component's rules. */
  readonly rules: readonly AuthoredRule[]
  /** Rules of other components that satisfy the component's rules. */
  readonly parents: readonly AuthoredRule[]
  /** Ids of all requirements of its SRGs, including those without a rule. */
  readonly requirements: ReadonlySet<string>
}

/**
 * Finds the rule of each row by its complete STIGID, or else by its SRGID if only one rule has it. Leaves out rows that
 * do not identify a rule, with a warning. If several rows have the same rule, the first row counts. Refuses a sheet
 * with SRGIDs of other SRGs, with a row whose two ids contradict each other, or without any row for a rule.
 */
export function matchRecords(records: readonly SheetRecord[], subjects: ComponentRules): MatchResult {
  const finder = new Finder(subjects)
  requireOwn(records, finder)
  const warnings = new Map<number, string>()
  const pairs = new Map<number, RecordRulePair>()
  // Rows with a STIGID come first, so that a row with only an SRGID does not take their rule.
  for (const isNamed of [true, false]) {
    for (const record of records) {
      if (finder.isNamed(record) !== isNamed) continue
      const rule = finder.find(record)
      const warning = typeof rule === 'string' ? rule : takenWarning(rule, pairs.get(rule.id)?.record.row)
      if (typeof rule === 'string' || warning !== null) warnings.set(record.row, `Row ${record.row}: ${warning ?? ''}`)
      else pairs.set(rule.id, { record, rule, parent: finder.parentOf(rule) })
    }
  }
  const sortedWarnings = [...warnings].sort(([a], [b]) => a - b).map(([, warning]) => warning)
  if (pairs.size === 0) throw unusable(`${NO_MATCH_MESSAGE} ${sortedWarnings.slice(0, MAX_REASONS).join(' ')}`.trim())
  return {
    pairs: [...pairs.values()].sort((a, b) => a.record.row - b.record.row),
    warnings: sortedWarnings,
  }
}

const NO_MATCH_MESSAGE = 'No row of the spreadsheet matches a rule of the component.'
/** The number of warnings that a refusal quotes. */
const MAX_REASONS = 3

function takenWarning({ prefix, number }: AuthoredRule, row: number | undefined): string | null {
  if (row === undefined) return null
  return `${displayedName(prefix, number)} is already in row ${row}; this row is left out.`
}

function requireOwn(records: readonly SheetRecord[], finder: Finder): void {
  const foreignRecords = records.filter((record) => finder.isForeign(record))
  if (foreignRecords.length > 0) {
    const ids = foreignRecords.map((record) => `${quoted(srgIdOf(record))} (row ${record.row})`)
    throw unusable(`The SRGs of the component have no requirements with these ids: ${nameSome(ids)}.`)
  }
  const contradictions = records.flatMap((record) => finder.contradictionOf(record) ?? [])
  if (contradictions.length > 0) throw unusable(`${nameSome(contradictions)}.`)
}

class Finder {
  readonly #requirements: ReadonlySet<string>
  readonly #byId: ReadonlyMap<number, AuthoredRule>
  readonly #byName: ReadonlyMap<string, AuthoredRule>
  readonly #byVersion = new Map<string, AuthoredRule[]>()

  constructor({ rules, parents, requirements }: ComponentRules) {
    this.#requirements = requirements
    this.#byId = new Map([...parents, ...rules].map((rule) => [rule.id, rule]))
    this.#byName = new Map(rules.map((rule) => [stigIdKey(displayedName(rule.prefix, rule.number)), rule]))
    for (const rule of rules) if (rule.version !== null) append(this.#byVersion, rule.version, rule)
  }

  parentOf({ satisfiedBy: [parent] }: AuthoredRule): AuthoredRule | null {
    return parent === undefined ? null : (this.#byId.get(parent.id) ?? null)
  }

  isNamed(record: SheetRecord): boolean {
    return this.#named(record) !== undefined
  }

  isForeign(record: SheetRecord): boolean {
    const srgId = srgIdOf(record)
    return srgId !== '' && !this.#byVersion.has(srgId) && !this.#requirements.has(srgId)
  }

  /** The contradiction between STIGID and SRGID; null without one. */
  contradictionOf(record: SheetRecord): string | null {
    const [rule, srgId] = [this.#named(record), srgIdOf(record)]
    if (rule === undefined || srgId === '' || srgId === rule.version) return null
    const name = displayedName(rule.prefix, rule.number)
    const version = rule.version ?? 'no requirement'
    return `Row ${record.row}: ${name} belongs to ${version}, not to ${quoted(srgId)}`
  }

  /** The rule, or the reason why there is none. */
  find(record: SheetRecord): AuthoredRule | string {
    const named = this.#named(record)
    if (named !== undefined) return named
    const [stigId, srgId] = [stigIdOf(record), srgIdOf(record)]
    if (stigId + srgId === '') return 'it has neither a STIGID nor an SRGID.'
    const [first, second] = this.#byVersion.get(srgId) ?? []
    if (second !== undefined) return `several rules belong to ${quoted(srgId)}; name the STIGID.`
    return first ?? `no rule has the STIGID ${quoted(stigId)} or the SRGID ${quoted(srgId)}.`
  }

  #named(record: SheetRecord): AuthoredRule | undefined {
    return this.#byName.get(stigIdKey(stigIdOf(record)))
  }
}
