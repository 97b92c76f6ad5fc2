import { append } from '../../platform/append.ts'
import { displayedName } from '../rules/names.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import type { SheetRecord } from './records.ts'
import { quoted } from './refusals.ts'
import { numberOf } from './values.ts'

/** A row of the sheet, and the rule that it is about. */
export interface Pair {
  readonly record: SheetRecord
  readonly rule: AuthoredRule
  /** The rule of the same component that satisfies it; null where there is none. */
  readonly parent: AuthoredRule | null
}

interface Matched {
  readonly pairs: readonly Pair[]
  readonly warnings: readonly string[]
}

/**
 * Finds the rule of each row by the digits of its STIGID, else by its SRGID (operations H). A rule that
 * several rows mean is what the first of them says.
 */
export function matchRecords(
  records: readonly SheetRecord[],
  rules: readonly AuthoredRule[],
): Matched {
  const finder = new Finder(rules)
  const pairs = new Map<number, Pair>()
  const warnings: string[] = []
  for (const record of records) {
    const rule = finder.find(record)
    if (typeof rule === 'string') {
      warnings.push(`Row ${record.row}: ${rule}`)
      continue
    }
    const name = displayedName(rule.prefix, rule.number)
    const other = pairs.get(rule.id)
    if (other !== undefined) {
      const first = `row ${other.record.row}`
      warnings.push(`Row ${record.row}: ${name} is in ${first} already; this row is left out.`)
      continue
    }
    const srgId = record.values.srg_id?.trim() ?? ''
    if (srgId !== '' && srgId !== rule.version)
      warnings.push(
        `Row ${record.row}: ${name} belongs to ${rule.version ?? 'no requirement'}, not to ${quoted(srgId)}.`,
      )
    pairs.set(rule.id, { record, rule, parent: finder.parentOf(rule) })
  }
  return { pairs: [...pairs.values()], warnings }
}

class Finder {
  readonly #byId: ReadonlyMap<number, AuthoredRule>
  readonly #byNumber: ReadonlyMap<number, AuthoredRule>
  readonly #byVersion = new Map<string, AuthoredRule[]>()

  constructor(rules: readonly AuthoredRule[]) {
    this.#byId = new Map(rules.map((rule) => [rule.id, rule]))
    this.#byNumber = new Map(rules.map((rule) => [rule.number, rule]))
    for (const rule of rules) if (rule.version !== null) append(this.#byVersion, rule.version, rule)
  }

  parentOf({ satisfiedBy: [parent] }: AuthoredRule): AuthoredRule | null {
    return parent === undefined ? null : (this.#byId.get(parent.id) ?? null)
  }

  /** The rule, or why there is none. */
  find({ values }: SheetRecord): AuthoredRule | string {
    const stigId = values.stig_id?.trim() ?? ''
    const srgId = values.srg_id?.trim() ?? ''
    const numbered = this.#byNumber.get(numberOf(stigId) ?? 0)
    if (numbered !== undefined) return numbered
    return stigId + srgId === ''
      ? 'it has neither a STIGID nor an SRGID.'
      : this.#belonging(stigId, srgId)
  }

  #belonging(stigId: string, srgId: string): AuthoredRule | string {
    const [first, second] = this.#byVersion.get(srgId) ?? []
    if (second !== undefined) return `several rules belong to ${quoted(srgId)}; name the STIGID.`
    return first ?? `no rule has the STIGID ${quoted(stigId)} or the SRGID ${quoted(srgId)}.`
  }
}
