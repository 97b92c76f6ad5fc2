import { append } from '../../../../platform/append.ts'
import type { AuthoredRule } from '../../../authoring/rules/reader.ts'
import { oneLine } from '../../../catalogue/xccdf/node.ts'
import { displayedName } from '../../../database/rule-names.ts'
import { stigIdKey } from '../../spreadsheets/reading/values.ts'
import type { FileRule } from '../reading/merge-file.ts'
import { isSame } from './exported-forms.ts'

/** The columns that identify a rule. */
export type NamedRule = Pick<
  AuthoredRule,
  ('id' | 'prefix' | 'number' | 'version' | 'title' | 'document_type') | ('vuln_id' | 'source_rule_id' | 'legacy_ids')
>

/** A rule of the component, with the corresponding rule of the file. */
export interface MatchedRule<R extends NamedRule> {
  readonly rule: R
  readonly fileRule: FileRule
  /** Whether the rule has another STIG id in the file. */
  readonly isRenumbered: boolean
}

export const MISMATCH_REASONS = ['unknown', 'repeated', 'ambiguous', 'contradiction'] as const

/** A rule of the file without a rule in the component. */
interface UnmatchedRule {
  readonly fileRule: FileRule
  readonly reason: (typeof MISMATCH_REASONS)[number]
}

export interface MatchResult<R extends NamedRule> {
  readonly matched: readonly MatchedRule<R>[]
  readonly unmatched: readonly UnmatchedRule[]
  /** Rules of the component that are not in the file. */
  readonly missing: readonly R[]
}

/**
 * Finds the component's rule for each rule of a file: by STIG id, unless the SRG ids differ; else by the number of a
 * published rule or group, if only one rule has it; else by SRG id, if it has only one rule, or only one with this
 * title. If several rules of the file match one rule, the first gets it, and the others are repeated.
 */
export function matchRules<R extends NamedRule>(rules: readonly R[], fileRules: readonly FileRule[]): MatchResult<R> {
  const finder = new Finder(rules)
  const matches = new Map<FileRule, MatchedRule<R>>()
  const assign = (fileRule: FileRule, rule: R): void => {
    finder.assign(rule)
    const isRenumbered =
      fileRule.stigId !== '' && rule.document_type === 'stig' && keyOf(rule) !== stigIdKey(fileRule.stigId)
    matches.set(fileRule, { rule, fileRule, isRenumbered })
  }
  for (const fileRule of fileRules) {
    const named = finder.named(fileRule)
    if (named !== null && finder.isUnassigned(named)) assign(fileRule, named)
  }
  for (const find of [
    (fileRule: FileRule) => finder.numbered(fileRule),
    (fileRule: FileRule) => finder.bySrgId(fileRule),
  ]) {
    for (const fileRule of fileRules) {
      const rule = matches.has(fileRule) || finder.named(fileRule) !== null ? null : find(fileRule)
      if (rule !== null && finder.isUnassigned(rule)) assign(fileRule, rule)
    }
  }
  const unmatched = fileRules.filter((fileRule) => !matches.has(fileRule))
  return {
    matched: fileRules.flatMap((fileRule) => matches.get(fileRule) ?? []),
    unmatched: unmatched.map((fileRule) => ({ fileRule, reason: finder.reasonFor(fileRule) })),
    missing: rules.filter((rule) => finder.isUnassigned(rule)),
  }
}

export function titleOf({ title, values }: FileRule): string | null {
  return title ?? (typeof values.title === 'string' ? values.title : null)
}

function keyOf({ prefix, number }: NamedRule): string {
  return stigIdKey(displayedName(prefix, number))
}

/** The numbers of a rule: those of the published rule from which it was made, and those that exports write. */
function numbersOf(rule: NamedRule): ReadonlySet<string> {
  const { vuln_id, source_rule_id, legacy_ids } = rule
  const name = displayedName(rule.prefix, rule.number)
  const numbers = [
    vuln_id ?? '',
    source_rule_id ?? '',
    ...(legacy_ids ?? '').split(/[,\s]+/),
    `V-${name}`,
    `SV-${name}`,
  ]
  return new Set(numbers.filter((number) => number !== '').map(numberKey))
}

/** `SV-257777r925318_rule` is revision 925318 of `SV-257777`. */
function numberKey(number: string): string {
  return number
    .trim()
    .toUpperCase()
    .replace(/^(SV-\d+)R\d+(?:_RULE)?$/, '$1')
}

class Finder<R extends NamedRule> {
  readonly #byName: ReadonlyMap<string, R>
  readonly #byNumber = new Map<string, R[]>()
  readonly #bySrgId = new Map<string, R[]>()
  readonly #assigned = new Set<R>()

  constructor(rules: readonly R[]) {
    this.#byName = new Map(rules.map((rule) => [keyOf(rule), rule]))
    for (const rule of rules) if (rule.version !== null) append(this.#bySrgId, rule.version, rule)
    for (const rule of rules) for (const number of numbersOf(rule)) append(this.#byNumber, number, rule)
  }

  assign(rule: R): void {
    this.#assigned.add(rule)
  }

  isUnassigned(rule: R): boolean {
    return !this.#assigned.has(rule)
  }

  /** The rule with the STIG id, unless its requirement is another one. */
  named({ stigId, srgId }: FileRule): R | null {
    const rule = this.#byName.get(stigIdKey(stigId))
    return rule !== undefined && (srgId === '' || srgId === rule.version) ? rule : null
  }

  /** The only rule with one of the numbers. */
  numbered({ numbers = [] }: FileRule): R | null {
    for (const number of numbers) {
      const [first, second] = this.#byNumber.get(numberKey(number)) ?? []
      if (first !== undefined && second === undefined) return first
    }
    return null
  }

  bySrgId(fileRule: FileRule): R | null {
    const { srgId, stigId } = fileRule
    const rules = this.#bySrgId.get(srgId) ?? []
    const free = rules.filter((rule) => this.isUnassigned(rule))
    if (rules.length === 1 || (stigId === '' && free.length === 1)) return free[0] ?? null
    const title = oneLine(titleOf(fileRule) ?? '')
    const [first, second] = free.filter((rule) => isSame(oneLine(rule.title), title))
    return second === undefined ? (first ?? null) : null
  }

  reasonFor(fileRule: FileRule): UnmatchedRule['reason'] {
    if (this.named(fileRule) !== null || this.numbered(fileRule) !== null) return 'repeated'
    const rules = this.#bySrgId.get(fileRule.srgId) ?? []
    if (rules.some((rule) => this.isUnassigned(rule))) return 'ambiguous'
    return this.#byName.has(stigIdKey(fileRule.stigId)) ? 'contradiction' : 'unknown'
  }
}
