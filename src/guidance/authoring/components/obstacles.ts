import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { RuleStatus } from '../../database/schema/rules.ts'
import { tokenOf } from './mint.ts'

/** What a release looks at (contract §13, reference, operations B). */
export interface Releasable {
  readonly document_type: BenchmarkKind
  readonly prefix: string
  readonly version: number | null
  readonly release: number | null
  /** 0 or 1. */
  readonly released: number
}

export interface ReleasableRule {
  readonly id: number
  readonly status: RuleStatus
  /** 0 or 1. */
  readonly locked: number
}

/** Something without which a component cannot be released; the rule is null where it is the component. */
export interface Obstacle {
  readonly code:
    | 'already_released'
    | 'rule_unlocked'
    | 'rule_undetermined'
    | 'version_missing'
    | 'release_missing'
    | 'prefix_without_token'
    | 'nothing_applicable'
  readonly ruleId: number | null
}

/** Everything that keeps a component from being released. Readiness shows it, a release enforces it. */
export function obstaclesOf(
  component: Releasable,
  rules: readonly ReleasableRule[],
): readonly Obstacle[] {
  const { released, document_type } = component
  const own: readonly Obstacle[] = [
    ...(released === 1 ? [{ code: 'already_released', ruleId: null } as const] : []),
    ...obstaclesOfName(component),
  ]
  const unlocked = rules.filter(({ locked }) => locked === 0)
  const ofRules = unlocked.map(({ id }): Obstacle => ({ code: 'rule_unlocked', ruleId: id }))
  return document_type === 'stig'
    ? [...own, ...ofRules]
    : [...own, ...obstaclesOfSrg(component, rules), ...ofRules]
}

/** A release is called by these, and told apart from the others. */
function obstaclesOfName({
  version,
  release,
}: Pick<Releasable, 'version' | 'release'>): readonly Obstacle[] {
  return [
    ...(version === null ? [{ code: 'version_missing', ruleId: null } as const] : []),
    ...(release === null ? [{ code: 'release_missing', ruleId: null } as const] : []),
  ]
}

/** The requirements of an SRG get their final ids from the prefix. */
function obstaclesOfSrg(
  { prefix }: Releasable,
  rules: readonly ReleasableRule[],
): readonly Obstacle[] {
  const missing: Obstacle[] = []
  if (tokenOf(prefix) === null) missing.push({ code: 'prefix_without_token', ruleId: null })
  if (!rules.some(({ status }) => status === 'Applicable'))
    missing.push({ code: 'nothing_applicable', ruleId: null })
  const undetermined = rules.filter(({ status }) => status === 'Not Yet Determined')
  return [
    ...missing,
    ...undetermined.map(({ id }): Obstacle => ({ code: 'rule_undetermined', ruleId: id })),
  ]
}
