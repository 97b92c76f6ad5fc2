import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import { compareCodeUnits } from '../../../graph/term.ts'
import { notFound } from '../../../http/input.ts'
import { append } from '../../../platform/append.ts'
import { manyRows } from '../../database/many-rows.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { RuleChecksTable, RuleDescriptionsTable, RulesTable } from '../../database/schema/rules.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'

export interface LinkedRule {
  readonly id: number
  readonly number: number
  /** The id of the SRG requirement. */
  readonly version: string | null
  readonly fixtext: string | null
  /** The prefix of the component. */
  readonly prefix: string
}

export interface RuleAnswer {
  readonly id: number
  readonly additional_question_id: number
  readonly answer: string | null
}

/** A live rule with all its parts except reviews. */
export interface AuthoredRule extends Selectable<RulesTable> {
  /** The prefix of the component. */
  readonly prefix: string
  readonly document_type: BenchmarkKind
  readonly checks: readonly Selectable<RuleChecksTable>[]
  readonly descriptions: readonly Selectable<RuleDescriptionsTable>[]
  readonly answers: readonly RuleAnswer[]
  /** Rules that this one satisfies, and rules that satisfy it, sorted by number. */
  readonly satisfies: readonly LinkedRule[]
  readonly satisfiedBy: readonly LinkedRule[]
  /** The number of top-level comments: open ones, and all. */
  readonly comments: { readonly open: number; readonly total: number }
}

export type RuleCondition = (is: ExpressionBuilder<Schema, 'rules'>) => Expression<SqlBool>

export function ofComponent(componentId: number): RuleCondition {
  return (is) => is('rules.component_id', '=', componentId)
}

/**
 * Finds live rules with all their parts, sorted by version, number and id. Seven queries, however many rules there are.
 */
export async function findRules(reader: Reader, condition: RuleCondition): Promise<readonly AuthoredRule[]> {
  const rows = await reader
    .selectFrom('rules')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .selectAll('rules')
    .select(['components.prefix', 'components.document_type'])
    .where('rules.deleted_at', 'is', null)
    .where(condition)
    .withPlugin(manyRows)
    .execute()
  const checks = byRule(await findParts(reader, 'rule_checks', condition))
  const descriptions = byRule(await findParts(reader, 'rule_descriptions', condition))
  const answers = byRule(await findParts(reader, 'additional_answers', condition))
  const rules = rows.map((row) =>
    Object.assign(row, {
      checks: checks.get(row.id) ?? [],
      descriptions: descriptions.get(row.id) ?? [],
      answers: answers.get(row.id) ?? [],
    }),
  )
  return inOrder(await withLinks(reader, rules, condition))
}

async function withLinks<T extends { readonly id: number }>(
  reader: Reader,
  rules: readonly T[],
  condition: RuleCondition,
): Promise<(T & Pick<AuthoredRule, 'satisfies' | 'satisfiedBy' | 'comments'>)[]> {
  const satisfies = byRule(await findLinks(reader, condition, 'satisfies'))
  const satisfiedBy = byRule(await findLinks(reader, condition, 'satisfiedBy'))
  const comments = await countComments(reader, condition)
  return rules.map((rule) =>
    Object.assign(rule, {
      satisfies: satisfies.get(rule.id) ?? [],
      satisfiedBy: satisfiedBy.get(rule.id) ?? [],
      comments: comments.get(rule.id) ?? { open: 0, total: 0 },
    }),
  )
}

/** Sorts by version and number. */
function inOrder<T extends Pick<AuthoredRule, 'version' | 'number'>>(rules: T[]): T[] {
  return rules.sort((a, b) => compareCodeUnits(a.version ?? '', b.version ?? '') || a.number - b.number)
}

/** The fields of rules in lists, without their texts. */
export type RuleHead = Pick<
  AuthoredRule,
  (typeof HEAD_COLUMNS)[number] | 'prefix' | 'document_type' | 'satisfies' | 'satisfiedBy' | 'comments'
>

const HEAD_COLUMNS = [
  'id',
  'number',
  'title',
  'version',
  'status',
  'rule_severity',
  'locked',
  'changes_requested',
  'review_requestor_id',
  'lock_version',
  'locked_fields',
] as const

export interface RuleListHead extends RuleHead {
  /** Whether the rule has a status justification: 0 or 1. */
  readonly justified: number
}

/** Finds the heads of rules like `findRules`, with four queries. */
export async function findHeads(reader: Reader, condition: RuleCondition): Promise<readonly RuleListHead[]> {
  const rows = await reader
    .selectFrom('rules')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select(HEAD_COLUMNS.map((name) => `rules.${name}` as const))
    .select(['components.prefix', 'components.document_type'])
    .select((is) => is.case().when('rules.status_justification', 'is', null).then(0).else(1).end().as('justified'))
    .where('rules.deleted_at', 'is', null)
    .where(condition)
    .withPlugin(manyRows)
    .execute()
  return inOrder(await withLinks(reader, rows, condition))
}

/** Finds one live rule; 404 if it does not exist. */
export async function requireRule(reader: Reader, id: number): Promise<AuthoredRule> {
  const [rule] = await findRules(reader, (is) => is('rules.id', '=', id))
  if (rule === undefined) throw notFound()
  return rule
}

type PartTable = 'rule_checks' | 'rule_descriptions' | 'additional_answers'

function findParts<T extends PartTable>(
  reader: Reader,
  table: T,
  condition: RuleCondition,
): Promise<Selectable<Schema[T]>[]>
function findParts(reader: Reader, table: PartTable, condition: RuleCondition): Promise<unknown[]> {
  return reader
    .selectFrom(table)
    .selectAll()
    .where('rule_id', 'in', (is) => is.selectFrom('rules').select('rules.id').where(condition))
    .orderBy('id')
    .execute()
}

interface SatisfactionRow extends LinkedRule {
  readonly rule_id: number
}

async function findLinks(
  reader: Reader,
  condition: RuleCondition,
  direction: 'satisfies' | 'satisfiedBy',
): Promise<SatisfactionRow[]> {
  const [ownColumn, other] =
    direction === 'satisfies'
      ? (['link.satisfied_by_rule_id', 'link.rule_id'] as const)
      : (['link.rule_id', 'link.satisfied_by_rule_id'] as const)
  return reader
    .selectFrom('rule_satisfactions as link')
    .innerJoin('rules as other', 'other.id', other)
    .innerJoin('components', 'components.id', 'other.component_id')
    .select([`${ownColumn} as rule_id`, 'other.id', 'other.number', 'other.version', 'other.fixtext'])
    .select('components.prefix')
    .where(ownColumn, 'in', (is) => is.selectFrom('rules').select('rules.id').where(condition))
    .where('other.deleted_at', 'is', null)
    .orderBy('other.number')
    .orderBy('other.id')
    .execute()
}

async function countComments(
  reader: Reader,
  condition: RuleCondition,
): Promise<ReadonlyMap<number, AuthoredRule['comments']>> {
  const rows = await reader
    .selectFrom('reviews')
    .select(['rule_id', (is) => is.fn.countAll<number>().as('total')])
    .select((is) =>
      is.fn
        .coalesce(is.fn.sum<number>(is.case().when('adjudicated_at', 'is', null).then(1).else(0).end()), is.lit(0))
        .as('open'),
    )
    .where('action', '=', 'comment')
    .where('responding_to_review_id', 'is', null)
    .where('rule_id', 'in', (is) => is.selectFrom('rules').select('rules.id').where(condition))
    .groupBy('rule_id')
    .execute()
  return new Map(rows.map(({ rule_id, open, total }) => [rule_id ?? 0, { open, total }]))
}

function byRule<T extends { readonly rule_id: number }>(rows: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) append(groups, row.rule_id, row)
  return groups
}
