import { z } from 'zod'
import { append } from '../../../platform/append.ts'
import { Pauses } from '../../../platform/concurrency/turns.ts'
import { recordOf } from '../../../platform/records.ts'
import { namesOf } from '../../../tables/field-lists.ts'
import { FIELDS } from '../../../tables/fields.ts'
import {
  changesBetween,
  collapseSpaces,
  type ComparedFields,
  joinTexts,
} from '../../catalogue/benchmark-diff/compare.ts'
import { changeCounts, comparedRule, countsOf } from '../../catalogue/benchmark-diff/rule-name.ts'
import { displayedName, ruleIdOf } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'
import { findAllRules } from '../components/portions.ts'
import { requireRecord } from '../components/reader.ts'
import type { AuthoredRule } from '../rules/reader.ts'

interface RulePair<R> {
  readonly before: R
  readonly after: R
  /** Rules are paired by their number, which copies keep, or by the requirement of the SRG. */
  readonly by: 'rule_id' | 'srg_id'
}

const number = z.int().nullable()
const side = z.object({
  id: z.int(),
  name: z.string(),
  prefix: z.string(),
  version: number,
  release: number,
  released: z.boolean(),
})
const ruleRef = z
  .object({ id: z.int(), rule_id: z.string(), version: z.string().nullable(), title: z.string(), severity: z.string() })
  .nullable()

/** Has the form of a comparison of catalogue releases, so that clients can show both in one way. */
export const comparison = z.object({
  from: side,
  to: side,
  counts: changeCounts,
  rules: z.array(
    comparedRule.extend({ matched_by: z.enum(['rule_id', 'srg_id']).nullable(), before: ruleRef, after: ruleRef }),
  ),
})

type Comparison = z.infer<typeof comparison>
type RuleChange = Comparison['rules'][number]

/** Every reader of a rule sees these fields; InSpec is among them because exports contain it. */
const READABLE_FIELDS = FIELDS.filter(({ name, shown }) => shown !== 'to editors' || name === 'inspec_control_body')

const COMPARED_FIELDS: ComparedFields<AuthoredRule> = {
  ...recordOf(namesOf(READABLE_FIELDS), (field) => (rule: AuthoredRule) => writtenValue(rule[field])),
  check_content: ({ checks }) => joinTexts(checks.map(({ content }) => content)),
  satisfied_by: ({ satisfiedBy }) => joinTexts([satisfiedBy.map((rule) => ruleIdOf(rule.number)).join(', ') || null]),
}

/** Flags are stored as numbers. */
function writtenValue(value: string | number | null): string | null {
  return typeof value === 'number' ? (value === 1 ? 'yes' : 'no') : value
}

/** Compares two components: lists the rules of the second in their order, then the rules that it lacks. */
export async function compareComponents(
  reader: Reader,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Comparison> {
  const rules = await compareRules(await findAllRules(reader, from), await findAllRules(reader, to))
  return {
    from: await findSide(reader, from),
    to: await findSide(reader, to),
    counts: countsOf(rules),
    rules,
  }
}

/** Lists the second rules in their order, then the first rules that have no partner. */
export async function compareRules(
  before: readonly AuthoredRule[],
  after: readonly AuthoredRule[],
): Promise<RuleChange[]> {
  const pairs = pairRules(before, after)
  const matched = new Set([...pairs.values()].map((pair) => pair.before))
  const rules: RuleChange[] = []
  const pauses = new Pauses()
  for (const rule of after) {
    rules.push(changeOf(rule, pairs.get(rule)))
    await pauses.rest()
  }
  const removed = before.filter((rule) => !matched.has(rule))
  rules.push(...removed.map((rule) => oneSided('removed', { before: nameRule(rule), after: null })))
  return rules
}

function changeOf(rule: AuthoredRule, pair: RulePair<AuthoredRule> | undefined): RuleChange {
  if (pair === undefined) return oneSided('added', { before: null, after: nameRule(rule) })
  const { before, after, by } = pair
  const changes = changesBetween(COMPARED_FIELDS, pair).filter(
    (change) => withoutPrefix(change.before, before) !== withoutPrefix(change.after, after),
  )
  return {
    status: changes.length === 0 ? 'unchanged' : 'changed',
    matched_by: by,
    before: nameRule(before),
    after: nameRule(after),
    changes,
  }
}

/** Removes the prefix from the names of rules in a text. */
function withoutPrefix(value: string | null, { prefix }: AuthoredRule): string {
  return collapseSpaces(value).replaceAll(`${prefix}-`, '')
}

function oneSided(status: 'added' | 'removed', sides: Pick<RuleChange, 'before' | 'after'>): RuleChange {
  return { status, matched_by: null, ...sides, changes: [] }
}

/** The names of a rule in a comparison. */
export function nameRule(rule: AuthoredRule): RuleChange['after'] {
  const { id, prefix, version, title, rule_severity: severity } = rule
  return { id, rule_id: displayedName(prefix, rule.number), version, title, severity }
}

async function findSide(reader: Reader, componentId: number): Promise<Comparison['from']> {
  const { id, name, prefix, version, release, released } = await requireRecord(reader, componentId)
  return { id, name, prefix, version, release, released }
}

/**
 * Pairs the rules of two components in three rounds: by number and requirement; by requirement, in the order of their
 * numbers, because several rules can share one; and by number, in releases of one component.
 */
export function pairRules<R extends Pick<AuthoredRule, 'number' | 'version' | 'prefix'>>(
  before: readonly R[],
  after: readonly R[],
): ReadonlyMap<R, RulePair<R>> {
  const open = { before: new Set(before), after: new Set(after) }
  const pairs = new Map<R, RulePair<R>>()
  const pairBy = (by: RulePair<R>['by'], keyOf: (rule: R) => string | null): void => {
    const candidates = new Map<string, R[]>()
    for (const rule of open.before) {
      const key = keyOf(rule)
      if (key !== null) append(candidates, key, rule)
    }
    for (const rule of open.after) {
      const partner = candidates.get(keyOf(rule) ?? '')?.shift()
      if (partner === undefined) continue
      open.before.delete(partner)
      open.after.delete(rule)
      pairs.set(rule, { before: partner, after: rule, by })
    }
  }
  pairBy('rule_id', ({ number, version }) => `${number} ${version}`)
  pairBy('srg_id', ({ version }) => version)
  pairBy('rule_id', ({ number, prefix }) => `${prefix} ${number}`)
  return pairs
}
