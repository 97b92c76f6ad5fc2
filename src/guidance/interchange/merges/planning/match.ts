import { append } from '../../../../platform/append.ts'
import type { AuthoredRule } from '../../../authoring/rules/reader.ts'
import { oneLine } from '../../../catalogue/xccdf/node.ts'
import { displayedName } from '../../../database/rule-names.ts'
import { stigIdKey } from '../../spreadsheets/reading/values.ts'
import type { ReturnedRule } from '../reading/returned.ts'
import { isSame } from './shown.ts'

/** The columns by which a rule is found. */
export type NamedRule = Pick<AuthoredRule, 'id' | 'prefix' | 'number' | 'version' | 'title' | 'document_type'>

/** A rule of the component with what the file says about it. */
export interface MatchedRule<R extends NamedRule> {
  readonly rule: R
  readonly returned: ReturnedRule
  /** Whether the file has another STIG id for the rule. */
  readonly isRenumbered: boolean
}

export const UNMATCHED = ['unknown', 'repeated', 'ambiguous', 'contradiction'] as const

/** A rule of the file that is no rule of the component. */
interface UnmatchedRule {
  readonly returned: ReturnedRule
  readonly reason: (typeof UNMATCHED)[number]
}

export interface MatchResult<R extends NamedRule> {
  readonly matched: readonly MatchedRule<R>[]
  readonly unmatched: readonly UnmatchedRule[]
  /** Rules of the component that the file lacks. */
  readonly missing: readonly R[]
}

/**
 * Finds the rule of the component for each one of a file: first by STIG id, unless the SRG ids differ; then by SRG id, if
 * that has only one rule, or only one with this title. The first one in the file has a rule; later ones are repeated.
 */
export function matchRules<R extends NamedRule>(
  rules: readonly R[],
  returned: readonly ReturnedRule[],
): MatchResult<R> {
  const finder = new Finder(rules)
  const found = new Map<ReturnedRule, MatchedRule<R>>()
  const claim = (one: ReturnedRule, rule: R): void => {
    finder.claim(rule)
    const isRenumbered = one.stigId !== '' && rule.document_type === 'stig' && keyOf(rule) !== stigIdKey(one.stigId)
    found.set(one, { rule, returned: one, isRenumbered })
  }
  for (const one of returned) {
    const named = finder.named(one)
    if (named !== null && finder.isFree(named)) claim(one, named)
  }
  for (const one of returned) {
    const rule = found.has(one) || finder.named(one) !== null ? null : finder.bySrgId(one)
    if (rule !== null) claim(one, rule)
  }
  const unmatched = returned.filter((one) => !found.has(one))
  return {
    matched: returned.flatMap((one) => found.get(one) ?? []),
    unmatched: unmatched.map((one) => ({ returned: one, reason: finder.reasonFor(one) })),
    missing: rules.filter((rule) => finder.isFree(rule)),
  }
}

function keyOf({ prefix, number }: NamedRule): string {
  return stigIdKey(displayedName(prefix, number))
}

class Finder<R extends NamedRule> {
  readonly #byName: ReadonlyMap<string, R>
  readonly #bySrgId = new Map<string, R[]>()
  readonly #claimed = new Set<R>()

  constructor(rules: readonly R[]) {
    this.#byName = new Map(rules.map((rule) => [keyOf(rule), rule]))
    for (const rule of rules) if (rule.version !== null) append(this.#bySrgId, rule.version, rule)
  }

  claim(rule: R): void {
    this.#claimed.add(rule)
  }

  isFree(rule: R): boolean {
    return !this.#claimed.has(rule)
  }

  /** The rule with the STIG id, unless it belongs to another requirement. */
  named({ stigId, srgId }: ReturnedRule): R | null {
    const rule = this.#byName.get(stigIdKey(stigId))
    return rule !== undefined && (srgId === '' || srgId === rule.version) ? rule : null
  }

  bySrgId({ srgId, stigId, values }: ReturnedRule): R | null {
    const rules = this.#bySrgId.get(srgId) ?? []
    const free = rules.filter((rule) => this.isFree(rule))
    if (rules.length === 1 || (stigId === '' && free.length === 1)) return free[0] ?? null
    const title = typeof values.title === 'string' ? oneLine(values.title) : ''
    const [first, second] = free.filter((rule) => isSame(oneLine(rule.title), title))
    return second === undefined ? (first ?? null) : null
  }

  reasonFor(one: ReturnedRule): UnmatchedRule['reason'] {
    if (this.named(one) !== null) return 'repeated'
    const rules = this.#bySrgId.get(one.srgId) ?? []
    if (rules.some((rule) => this.isFree(rule))) return 'ambiguous'
    return this.#byName.has(stigIdKey(one.stigId)) ? 'contradiction' : 'unknown'
  }
}
