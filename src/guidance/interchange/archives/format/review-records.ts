import { append } from '../../../../platform/append.ts'
import { inPortions } from '../../../../platform/concurrency/turns.ts'
import { suggestionOf } from '../../../authoring/reviews/records/suggestion-columns.ts'
import { manyRows } from '../../../database/many-rows.ts'
import { ruleIdOf } from '../../../database/rule-names.ts'
import type { Reader } from '../../../database/transaction.ts'

/** The number of reviews that one query reads. */
const BATCH_SIZE = 200

export interface RecordSource {
  readonly reader: Reader
  readonly withEmail: boolean
}

/** The numbers of records in the archive, by record id. */
interface ArchiveNumbers {
  readonly withEmail: boolean
  readonly rules: ReadonlyMap<number, number>
  readonly reviews: ReadonlyMap<number, number>
}

/** All reviews of live rules and of the component, oldest first, numbered from 1. */
export async function* reviewRecords(
  { reader, withEmail }: RecordSource,
  componentId: number,
  rules: ReadonlyMap<number, number>,
): AsyncGenerator<object, void> {
  const rows = await reader
    .selectFrom('reviews')
    .select(['id', 'rule_id'])
    .where('component_id', '=', componentId)
    .orderBy('id')
    .execute()
  const ids = rows.filter(({ rule_id }) => rule_id === null || rules.has(rule_id)).map(({ id }) => id)
  const reviews = new Map(ids.map((id, index) => [id, index + 1]))
  for await (const portion of inPortions(ids, BATCH_SIZE)) {
    const reactions = await findReactions(reader, portion, withEmail)
    for (const row of await findRows(reader, portion))
      yield { ...shapeReview(row, { withEmail, rules, reviews }), reactions: reactions.get(row.id) ?? [] }
  }
}

function findRows(reader: Reader, ids: readonly number[]) {
  return reader
    .selectFrom('reviews')
    .leftJoin('users as author', 'author.id', 'reviews.user_id')
    .leftJoin('users as triager', 'triager.id', 'reviews.triage_set_by_id')
    .leftJoin('users as adjudicator', 'adjudicator.id', 'reviews.adjudicated_by_id')
    .selectAll('reviews')
    .select(['author.email as user_email', 'triager.email as triager_email'])
    .select('adjudicator.email as adjudicator_email')
    .where('reviews.id', 'in', ids)
    .orderBy('reviews.id')
    .withPlugin(manyRows)
    .execute()
}

type ReviewRow = Awaited<ReturnType<typeof findRows>>[number]

function shapeReview(row: ReviewRow, { withEmail, rules, reviews }: ArchiveNumbers): object {
  const rule = (id: number | null): string | null => {
    const number = rules.get(id ?? 0)
    return number === undefined ? null : ruleIdOf(number)
  }
  const review = (id: number | null): number | null => reviews.get(id ?? 0) ?? null
  const address = (email: string | null): string | null => (withEmail ? email : null)
  const { action, comment, section, triage_status, triage_set_at, adjudicated_at } = row
  return {
    external_id: review(row.id),
    rule_id: rule(row.rule_id),
    action,
    comment,
    section,
    user_email: address(row.user_email ?? row.author_email),
    user_name: row.author_name,
    triage_status,
    triage_set_by_email: address(row.triager_email),
    triage_set_by_name: row.triage_set_by_name,
    triage_set_at,
    adjudicated_by_email: address(row.adjudicator_email),
    adjudicated_by_name: row.adjudicated_by_name,
    adjudicated_at,
    responding_to_external_id: review(row.responding_to_review_id),
    duplicate_of_external_id: review(row.duplicate_of_review_id),
    original_rule_id: rule(row.original_rule_id),
    addressed_by_rule_id: rule(row.addressed_by_rule_id),
    suggestion: suggestionOf(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

async function findReactions(
  reader: Reader,
  ids: readonly number[],
  withEmail: boolean,
): Promise<ReadonlyMap<number, readonly object[]>> {
  const rows = await reader
    .selectFrom('reactions')
    .innerJoin('users', 'users.id', 'reactions.user_id')
    .select(['reactions.review_id', 'reactions.kind', 'reactions.created_at'])
    .select(['users.email', 'users.name'])
    .where('reactions.review_id', 'in', ids)
    .orderBy('reactions.id')
    .execute()
  const records = new Map<number, object[]>()
  for (const { review_id, kind, created_at, email, name } of rows)
    append(records, review_id, {
      user_email: withEmail ? email : null,
      user_name: name,
      kind,
      created_at,
    })
  return records
}
