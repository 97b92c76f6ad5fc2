import type { RuleStatus } from '../../../tables/statuses.ts'
import { findBenchmark } from '../../catalogue/benchmarks/reader.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Reader } from '../../database/transaction.ts'
import { matchRequirements, type RequirementMatches } from './requirement-matches.ts'
import { haveEqualTexts } from './requirement-texts.ts'

/** On a new SRG, a rule keeps its texts, takes those of the SRG, or is removed. */
export const FATES = ['keep', 'take', 'remove'] as const
export type RuleOutcome = (typeof FATES)[number]

export interface PlannedRule {
  readonly id: number
  readonly number: number
  /** The catalogue rows of its requirement in the old SRG and in the new one. */
  readonly before: number | null
  readonly after: number | null
  /** The outcomes that people can choose from, the default first; empty for rules of another SRG. */
  readonly choices: readonly RuleOutcome[]
}

type StoredBenchmark = Awaited<ReturnType<typeof findBenchmark>>

export interface RebasePlan {
  readonly from: StoredBenchmark
  readonly to: StoredBenchmark
  readonly rules: readonly PlannedRule[]
  /** Catalogue rows of the requirements that become new rules. */
  readonly added: readonly number[]
}

export interface PlannedRebase {
  readonly componentId: number
  readonly kind: BenchmarkKind
  /** The ids of the two SRGs. */
  readonly before: number
  readonly after: number
}

/** Authors write the content of rules with this status themselves. */
export const CONFIGURABLE: RuleStatus = 'Applicable - Configurable'

/**
 * Plans for each rule how a component is based on another SRG. A rule keeps its texts unless its requirement has other
 * texts now and its status says that its author did not write them.
 */
export async function planRebase(
  reader: Reader,
  { componentId, kind, before, after }: PlannedRebase,
): Promise<RebasePlan> {
  const matches = await matchRequirements(reader, { before, after })
  const [from, to] = [await findBenchmark(reader, before, 'srg'), await findBenchmark(reader, after, 'srg')]
  const sides = { old: from.rules.toSorted(byId), newer: to.rules.toSorted(byId) }
  const oldRules = new Map(sides.old.map((rule) => [rule.id, rule]))
  const newerRules = new Map(sides.newer.map((rule) => [rule.id, rule]))
  const successorOf = successors(matches, sides)
  const rules = (await findRuleRows(reader, componentId)).map((row): PlannedRule => {
    const { id, number, status, srg_rule_id: source } = row
    const old = oldRules.get(source ?? 0)
    const successor = successorOf(row)
    const choices = successor === null ? (old === undefined ? [] : OUTCOMES_OF_REMOVED) : LINKED
    const isKept = kind === 'srg' || status === CONFIGURABLE || haveEqualTexts(old, newerRules.get(successor ?? 0))
    const ordered = isKept ? choices : choices.toReversed()
    return { id, number, before: old?.id ?? null, after: successor, choices: ordered }
  })
  const usedIds = new Set(rules.map((rule) => rule.after))
  return { from, to, rules, added: addedRequirements(sides, matches).filter((id) => !usedIds.has(id)) }
}

interface RequirementLists {
  readonly old: readonly RequirementRow[]
  readonly newer: readonly RequirementRow[]
}

/** Finds the requirement of the new SRG for a rule; null without one. */
function successors(
  { pairs, removed: removedIds }: RequirementMatches,
  { old, newer }: RequirementLists,
): (rule: Pick<RuleRow, 'srg_rule_id' | 'version'>) => number | null {
  const direct = new Map([...newer.map(({ id }) => [id, id] as const), ...pairs])
  const keptIds = new Set(old.map(({ id }) => id).filter((id) => !removedIds.includes(id)))
  // Reversed, so that the first of several requirements with one id wins.
  const byVersion = new Map(newer.toReversed().map(({ id, version }) => [version, id]))
  return ({ srg_rule_id, version }) => {
    const from = srg_rule_id ?? 0
    const successor = version !== null && keptIds.has(from) ? byVersion.get(version) : undefined
    return direct.get(from) ?? successor ?? null
  }
}

function addedRequirements({ old, newer }: RequirementLists, { added }: RequirementMatches): readonly number[] {
  const oldVersions = new Set(old.map(({ version }) => version ?? ''))
  return newer.filter(({ id, version }) => added.includes(id) || !oldVersions.has(version ?? '')).map(({ id }) => id)
}

const LINKED: readonly RuleOutcome[] = ['keep', 'take']
const OUTCOMES_OF_REMOVED: readonly RuleOutcome[] = ['keep', 'remove']

interface RequirementRow {
  readonly id: number
  readonly version: string | null
}

function byId(a: RequirementRow, b: RequirementRow): number {
  return a.id - b.id
}

interface RuleRow {
  readonly id: number
  readonly number: number
  readonly status: RuleStatus
  readonly version: string | null
  readonly srg_rule_id: number | null
}

function findRuleRows(reader: Reader, componentId: number): Promise<RuleRow[]> {
  return reader
    .selectFrom('rules')
    .select(['id', 'number', 'status', 'version', 'srg_rule_id'])
    .where('component_id', '=', componentId)
    .where('deleted_at', 'is', null)
    .orderBy('number')
    .execute()
}
