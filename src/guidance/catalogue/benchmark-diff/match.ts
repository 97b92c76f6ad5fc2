import { append } from '../../../platform/append.ts'
import { Pauses } from '../../../platform/concurrency/turns.ts'
import { LEGACY } from '../benchmarks/shape.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import { matchByText, type RulePair, type ReleasePair } from './match-text.ts'
import { RuleSimilarity } from './rule-similarity.ts'

/** The criteria by which rules of two releases are matched. */
export const MATCHES = ['rule_id', 'legacy_id', 'stig_id', 'srg_id', 'text'] as const

export interface Match {
  readonly before: Rule
  readonly after: Rule
  readonly by: (typeof MATCHES)[number]
}

/** Two rules with the same id but a lower similarity are different rules: the id was reused. */
const MIN_SIMILARITY = { stig_id: 0.15, srg_id: 0.4 }

/**
 * Pairs the rules of two releases: by rule id without its revision, then by legacy ids, by STIG id, by words, and
 * finally by requirement. A key must be unique in both releases. For STIG ids and requirements, the texts must also be
 * similar. The remaining rules were removed or added.
 */
export async function matchRules(before: readonly Rule[], after: readonly Rule[]): Promise<readonly Match[]> {
  const open = { before: new Set(before), after: new Set(after) }
  const sides = {
    before: { rules: before, open: open.before },
    after: { rules: after, open: open.after },
  }
  const matches: Match[] = []
  const addMatches = (by: Match['by'], pairs: readonly RulePair[]): void => {
    for (const [oldRule, newRule] of pairs) {
      open.before.delete(oldRule)
      open.after.delete(newRule)
      matches.push({ before: oldRule, after: newRule, by })
    }
  }
  const pauses = new Pauses()
  addMatches('rule_id', await byKeys(sides, ({ ruleId }) => [withoutRevision(ruleId)], pauses))
  addMatches('legacy_id', await byKeys(sides, legacyKeys, pauses))
  if (open.before.size * open.after.size === 0) return matches
  const similarity = await RuleSimilarity.of([before, after], pauses)
  const withSimilarity = (minimum: number, pairs: readonly RulePair[]): readonly RulePair[] =>
    pairs.filter(([oldRule, newRule]) => similarity.between(oldRule, newRule) >= minimum)
  addMatches('stig_id', withSimilarity(MIN_SIMILARITY.stig_id, await byKeys(sides, stigKeys, pauses)))
  addMatches('text', await matchByText(sides, { similarity, pauses }))
  const uniquePairs = await byKeys(withAllRules(sides), requirementKeys, pauses)
  const openPairs = uniquePairs.filter(([oldRule, newRule]) => open.before.has(oldRule) && open.after.has(newRule))
  const similarPairs = withSimilarity(MIN_SIMILARITY.srg_id, openPairs)
  addMatches(
    'srg_id',
    similarPairs.filter(
      ([oldRule, newRule]) => isRequirement(oldRule) || haveSameTitleWords(similarity, oldRule, newRule),
    ),
  )
  return matches
}

function stigKeys({ version }: Rule): readonly string[] {
  return version === null ? [] : [version]
}

/**
 * Uses all rules of both releases, matched ones too: a requirement identifies a rule only if no other rule of the
 * release has it.
 */
function withAllRules({ before, after }: ReleasePair): ReleasePair {
  return {
    before: { rules: before.rules, open: new Set(before.rules) },
    after: { rules: after.rules, open: new Set(after.rules) },
  }
}

/** Whether the rule belongs to an SRG: its version then begins with the id of the requirement. */
function isRequirement({ version, groupTitle }: Rule): boolean {
  return version !== null && groupTitle !== null && version.startsWith(groupTitle)
}

/**
 * Whether neither title has a word that is missing from the other rule. Rules of a STIG can share a requirement, and
 * one of them may be removed while another is added.
 */
function haveSameTitleWords(similarity: RuleSimilarity, a: Rule, b: Rule): boolean {
  const differentWords = [...similarity.titleWordsOnlyIn(a, b), ...similarity.titleWordsOnlyIn(b, a)]
  return differentWords.length === 0
}

function requirementKeys({ groupTitle }: Rule): readonly string[] {
  return groupTitle === null ? [] : [groupTitle]
}

/** `SV-257777r991589_rule` and `xccdf_mil.disa.stig_rule_SV-257777r1_rule` → `SV-257777`. */
export function withoutRevision(ruleId: string): string {
  return ruleId.replace(/^xccdf_[^_]+_rule_/, '').replace(/(?:r\d+)?_(?:rule|dep)$/, '')
}

/** Returns the ids of a rule that a later release may list as legacy ids. */
function legacyKeys({ ruleId, groupId, idents }: Rule): readonly string[] {
  const legacy = idents.filter(({ system }) => system === LEGACY).map(({ value }) => value)
  return [...new Set([...legacy, withoutRevision(ruleId), ...(groupId === null ? [] : [groupId])])]
}

/** Pairs rules by a key that is unique on both sides. */
async function byKeys(
  { before, after }: ReleasePair,
  keysOf: (rule: Rule) => readonly string[],
  pauses: Pauses,
): Promise<readonly RulePair[]> {
  const oldByKey = await index(before.open, keysOf, pauses)
  const newByKey = await index(after.open, keysOf, pauses)
  const paired = new Set<Rule>()
  const pairs: RulePair[] = []
  for (const [key, [oldRule, ...otherOldRules]] of oldByKey) {
    const [newRule, ...otherNewRules] = newByKey.get(key) ?? []
    if (oldRule === undefined || newRule === undefined || otherOldRules.length + otherNewRules.length > 0) continue
    if (paired.has(oldRule) || paired.has(newRule)) continue
    paired.add(oldRule).add(newRule)
    pairs.push([oldRule, newRule])
  }
  await pauses.rest()
  return pairs
}

async function index(
  rules: ReadonlySet<Rule>,
  keysOf: (rule: Rule) => readonly string[],
  pauses: Pauses,
): Promise<ReadonlyMap<string, readonly Rule[]>> {
  const groups = new Map<string, Rule[]>()
  for (const rule of rules) {
    for (const key of keysOf(rule)) append(groups, key, rule)
    await pauses.rest()
  }
  return groups
}
