import type { RuleStatus } from '../../../tables/statuses.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import { tokenOf } from './mint.ts'

/** The data that a release checks (docs/contract.md, Components). */
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

/** A reason why a component cannot be released. The rule is null if the reason is about the component as a whole. */
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

/** All reasons why a component cannot be released. Readiness shows them, and a release enforces them. */
export function obstaclesOf(component: Releasable, rules: readonly ReleasableRule[]): readonly Obstacle[] {
  const { released, document_type } = component
  const obstacles: readonly Obstacle[] = [
    ...(released === 1 ? [{ code: 'already_released', ruleId: null } as const] : []),
    ...obstaclesOfName(component),
  ]
  const unlocked = rules.filter(({ locked }) => locked === 0)
  const ofRules = unlocked.map(({ id }): Obstacle => ({ code: 'rule_unlocked', ruleId: id }))
  return document_type === 'stig'
    ? [...obstacles, ...ofRules]
    : [...obstacles, ...obstaclesOfSrg(component, rules), ...ofRules]
}

/** Checks the version and the release number, which name a release. */
function obstaclesOfName({ version, release }: Pick<Releasable, 'version' | 'release'>): readonly Obstacle[] {
  return [
    ...(version === null ? [{ code: 'version_missing', ruleId: null } as const] : []),
    ...(release === null ? [{ code: 'release_missing', ruleId: null } as const] : []),
  ]
}

/** Checks the conditions for SRGs. Their final ids contain the token of the prefix. */
function obstaclesOfSrg({ prefix }: Releasable, rules: readonly ReleasableRule[]): readonly Obstacle[] {
  const missing: Obstacle[] = []
  if (tokenOf(prefix) === null) missing.push({ code: 'prefix_without_token', ruleId: null })
  if (!rules.some(({ status }) => status === 'Applicable')) missing.push({ code: 'nothing_applicable', ruleId: null })
  const undetermined = rules.filter(({ status }) => status === 'Not Yet Determined')
  return [...missing, ...undetermined.map(({ id }): Obstacle => ({ code: 'rule_undetermined', ruleId: id }))]
}
