import { sql, type RawBuilder } from 'kysely'
import { inPortions } from '../../../platform/concurrency/turns.ts'
import { CHECK_COLUMNS, namesOf } from '../../../tables/field-lists.ts'
import { FIELDS } from '../../../tables/fields.ts'
import type { Writer } from '../../database/transaction.ts'
import { SUGGESTION_COLUMNS } from '../reviews/records/suggestion-columns.ts'
import { columnsOf, currentTimestamp } from './from-srg.ts'

/** The source and target components. Their rules correspond by number. */
export interface ComponentCopy {
  readonly from: number
  readonly to: number
}

const CONTENT = [
  'number',
  'srg_rule_id',
  'source_rule_id',
  'minted_id',
  'vuln_id',
  'legacy_ids',
  'advice_off',
  ...namesOf(FIELDS),
]

/** Copies the live rules with their numbers, without locks and review requests. */
export async function copyRuleRows(writer: Writer, { from, to }: ComponentCopy): Promise<void> {
  const now = currentTimestamp(writer)
  const columns = columnsOf(CONTENT)
  await sql`
    insert into rules (component_id, ${columns}, locked_fields, created_at, updated_at)
    select ${sql.lit(to)}, ${columns}, '{}', ${now}, ${now}
    from rules where component_id = ${from} and deleted_at is null order by id`.execute(writer)
  await sql`
    update components set last_rule_number =
      (select last_rule_number from components where id = ${from})
    where id = ${to}`.execute(writer)
}

const PARTS = {
  rule_checks: CHECK_COLUMNS,
  rule_descriptions: ['description'],
}

/** Copies the parts of rules. `withOwnChecks` selects the rules whose checks are copied. */
export async function copyParts(
  writer: Writer,
  { from, to }: ComponentCopy,
  withOwnChecks: RawBuilder<unknown> = sql`1 = 1`,
): Promise<void> {
  for (const [table, names] of Object.entries(PARTS)) {
    const condition = table === 'rule_checks' ? withOwnChecks : sql`1 = 1`
    await sql`
      insert into ${sql.table(table)} (rule_id, ${columnsOf(names)})
      select copy.id, ${columnsOf(names, 'part')}
      from ${sql.table(table)} as part ${pairs({ from, to }, 'part.rule_id')}
      where ${condition} order by part.id`.execute(writer)
  }
  await copySatisfactions(writer, { from, to })
}

/** Copies links between two rules of the component. */
async function copySatisfactions(writer: Writer, { from, to }: ComponentCopy): Promise<void> {
  await sql`
    insert into rule_satisfactions (rule_id, satisfied_by_rule_id, previous_status, created_at)
    select copy.id, parent.id, link.previous_status, ${currentTimestamp(writer)}
    from rule_satisfactions as link ${pairs({ from, to }, 'link.rule_id')}
      join rules as old_parent on old_parent.id = link.satisfied_by_rule_id
        and old_parent.component_id = ${from}
      join rules as parent on parent.component_id = ${to}
        and parent.number = old_parent.number`.execute(writer)
}

/** Copies additional questions and their answers. */
export async function copyQuestions(writer: Writer, { from, to }: ComponentCopy): Promise<void> {
  await sql`
    insert into additional_questions (component_id, name, question_type, options)
    select ${sql.lit(to)}, name, question_type, options from additional_questions
    where component_id = ${from} order by id`.execute(writer)
  await sql`
    insert into additional_answers (rule_id, additional_question_id, answer)
    select copy.id, question.id, part.answer
    from additional_answers as part ${pairs({ from, to }, 'part.rule_id')}
      join additional_questions as asked on asked.id = part.additional_question_id
      join additional_questions as question on question.component_id = ${to}
        and question.name = asked.name
    order by part.id`.execute(writer)
}

const REVIEW = [
  'user_id',
  'author_name',
  'author_email',
  'action',
  'comment',
  'section',
  'responding_to_review_id',
  'triage_status',
  'triage_set_by_id',
  'triage_set_by_name',
  'triage_set_at',
  'adjudicated_by_id',
  'adjudicated_by_name',
  'adjudicated_at',
  'duplicate_of_review_id',
  ...SUGGESTION_COLUMNS,
  'search_key',
  'imported',
  'created_at',
  'updated_at',
]

/** The number of reviews that one statement copies. Other requests run in between. */
const BATCH_SIZE = 500

/** Copies comments and other reviews of the live rules and of the component, including threads. */
export async function copyReviews(writer: Writer, copying: ComponentCopy): Promise<void> {
  const originals = await findOriginals(writer, copying)
  for await (const portion of inPortions(originals, BATCH_SIZE)) await insertReviews(writer, copying, portion)
  const copies = await writer
    .selectFrom('reviews')
    .select('id')
    .where('component_id', '=', copying.to)
    .orderBy('id')
    .execute()
  // Copies have the order of the originals, so they are matched by position.
  const ids = new Map(originals.map(({ id }, index) => [id, copies[index]?.id]))
  for (const column of ['responding_to_review_id', 'duplicate_of_review_id'] as const)
    await relink(writer, column, { originals, ids })
}

interface OriginalReview {
  readonly id: number
  readonly responding_to_review_id: number | null
  readonly duplicate_of_review_id: number | null
}

/** Joins the reviews of a component with the copies of their rules. Deleted rules have no copy. */
function withCopies({ from, to }: ComponentCopy): RawBuilder<unknown> {
  return sql`reviews as review
    left join rules as old on old.id = review.rule_id
    left join rules as copy on copy.component_id = ${to} and copy.number = old.number
    where review.component_id = ${from} and (review.rule_id is null or copy.id is not null)`
}

async function findOriginals(writer: Writer, copying: ComponentCopy): Promise<readonly OriginalReview[]> {
  const { rows } = await sql<OriginalReview>`
    select review.id, review.responding_to_review_id, review.duplicate_of_review_id
    from ${withCopies(copying)} order by review.id`.execute(writer)
  return rows
}

async function insertReviews(
  writer: Writer,
  copying: ComponentCopy,
  portion: readonly OriginalReview[],
): Promise<void> {
  const { to } = copying
  await sql`
    insert into reviews (component_id, rule_id, addressed_by_rule_id, original_rule_id,
      ${columnsOf(REVIEW)})
    select ${sql.lit(to)}, copy.id, ${copyOf('review.addressed_by_rule_id', to)},
      ${copyOf('review.original_rule_id', to)}, ${columnsOf(REVIEW, 'review')}
    from ${withCopies(copying)}
      and review.id between ${portion[0]?.id} and ${portion.at(-1)?.id}
    order by review.id`.execute(writer)
}

interface CopiedReviews {
  readonly originals: readonly OriginalReview[]
  readonly ids: ReadonlyMap<number, number | undefined>
}

/** Makes references to an original refer to its copy. */
async function relink(
  writer: Writer,
  column: 'responding_to_review_id' | 'duplicate_of_review_id',
  { originals, ids }: CopiedReviews,
): Promise<void> {
  const links = originals.flatMap((original) => {
    const [id, target] = [ids.get(original.id), ids.get(original[column] ?? 0)]
    return id === undefined || target === undefined ? [] : [{ id, target }]
  })
  for await (const portion of inPortions(links, BATCH_SIZE)) {
    const cases = portion.map(({ id, target }) => sql`when ${sql.lit(id)} then ${sql.lit(target)}`)
    await sql`
      update reviews set ${sql.ref(column)} = case id ${sql.join(cases, sql` `)} end
      where id in (${sql.join(portion.map(({ id }) => sql.lit(id)))})`.execute(writer)
  }
}

/** The copy of a rule that a review refers to. */
function copyOf(column: string, to: number): RawBuilder<unknown> {
  return sql`(select named.id from rules as meant
    join rules as named on named.component_id = ${to} and named.number = meant.number
    where meant.id = ${sql.ref(column)} and meant.component_id = review.component_id)`
}

const HISTORY = [
  'action',
  'auditable_type',
  'audited_name',
  'actor_id',
  'name',
  'via',
  'comment',
  'changes',
  'created_at',
]

/** Copies the audit entries of each rule; only for callers who may see them. */
export async function copyHistories(writer: Writer, { from, to }: ComponentCopy): Promise<void> {
  // Leaves out project and component ids: these entries would flood the histories of both.
  await sql`
    insert into audits (auditable_id, ${columnsOf(HISTORY)})
    select copy.id, ${columnsOf(HISTORY, 'part')}
    from audits as part ${pairs({ from, to }, 'part.auditable_id')}
    where part.auditable_type = 'Rule' order by part.id`.execute(writer)
}

/** Joins each part of a live rule with the copy of that rule. */
function pairs({ from, to }: ComponentCopy, ruleId: string): RawBuilder<unknown> {
  return sql`
    join rules as old on old.id = ${sql.ref(ruleId)} and old.component_id = ${from}
    join rules as copy on copy.component_id = ${to} and copy.number = old.number`
}
