import { append } from '../../../platform/append.ts'
import type { AuthoredRule } from '../rules/reader.ts'

export interface RulePair<R> {
  readonly before: R
  readonly after: R
  /** The number that copies keep, or the requirement of the SRG. */
  readonly by: 'rule_id' | 'srg_id'
}

/**
 * Pairs the rules of two components: by number and requirement; then by requirement, in the order of their numbers,
 * because several rules can have the same; then, in releases of one component, by number alone.
 */
export function pairRules<R extends Pick<AuthoredRule, 'number' | 'version' | 'prefix'>>(
  before: readonly R[],
  after: readonly R[],
): ReadonlyMap<R, RulePair<R>> {
  const open = { before: new Set(before), after: new Set(after) }
  const pairs = new Map<R, RulePair<R>>()
  const take = (by: RulePair<R>['by'], keyOf: (rule: R) => string | null): void => {
    const old = new Map<string, R[]>()
    for (const rule of open.before) {
      const key = keyOf(rule)
      if (key !== null) append(old, key, rule)
    }
    for (const rule of open.after) {
      const partner = old.get(keyOf(rule) ?? '')?.shift()
      if (partner === undefined) continue
      open.before.delete(partner)
      open.after.delete(rule)
      pairs.set(rule, { before: partner, after: rule, by })
    }
  }
  take('rule_id', ({ number, version }) => `${number} ${version}`)
  take('srg_id', ({ version }) => version)
  take('rule_id', ({ number, prefix }) => `${prefix} ${number}`)
  return pairs
}
