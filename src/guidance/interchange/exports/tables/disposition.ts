import { append } from '../../../../platform/append.ts'
import type { CsvRow } from '../../../../platform/csv/csv.ts'
import { inComponent, findMatching, type CommentCondition } from '../../../authoring/reviews/records/listing.ts'
import { labelOfField } from '../../../authoring/reviews/suggestions/suggested-field.ts'
import { manyRows } from '../../../database/many-rows.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { ExportedComponent, ExportedRule } from '../component/component.ts'

export interface DispositionOptions {
  /** Conditions on the comments to list. Without conditions, all are listed. */
  readonly comments: readonly CommentCondition[]
  readonly withEmail: boolean
  /** Whether the first column names the component of a comment. */
  readonly withComponent: boolean
}

export function dispositionHeader({ withEmail, withComponent }: DispositionOptions): CsvRow {
  return [
    ...(withComponent ? ['Component'] : []),
    'Comment ID',
    'Rule',
    'SRG ID',
    'Section',
    'Commenter Name',
    ...(withEmail ? ['Commenter Email'] : []),
    'Comment',
    'Posted',
    'Triage Status',
    'Triaged By',
    'Triaged At',
    'Thread Replies',
    'Adjudicated',
    'Adjudicated By',
    'Adjudicated At',
    'Duplicate Of',
    'Addressed By',
    'Suggested Field',
    'Suggested Text',
    'Accepted Text',
  ]
}

/** Finds the dispositions of all comments on a component and its live rules, ordered by id. Two queries. */
export async function findDisposition(
  reader: Reader,
  { component, rules }: ExportedComponent,
  options: DispositionOptions,
): Promise<readonly CsvRow[]> {
  const comments = await findComments(reader, component.id, options.comments)
  const replies = await findReplies(reader, component.id)
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  return comments.flatMap((comment) => {
    const rule = byId.get(comment.rule_id ?? 0) ?? null
    // The rule was removed.
    if (comment.rule_id !== null && rule === null) return []
    const thread = threadOf(replies.get(comment.id) ?? [])
    return [
      [
        ...(options.withComponent ? [`${component.prefix} - ${component.name}`] : []),
        ...subjectOf(comment, rule),
        ...(options.withEmail ? [comment.email ?? comment.author_email] : []),
        ...outcomeOf(comment, thread),
        nameOf(byId.get(comment.addressed_by_rule_id ?? 0)),
        ...suggestionOf(comment),
      ],
    ]
  })
}

type Comment = Awaited<ReturnType<typeof findComments>>[number]

function subjectOf(comment: Comment, rule: ExportedRule | null): CsvRow {
  const name = rule === null ? '(component)' : displayedName(rule.prefix, rule.number)
  const section = comment.section ?? 'general'
  return [String(comment.id), name, rule?.version ?? null, section, comment.author_name]
}

function outcomeOf(comment: Comment, thread: string): CsvRow {
  const { duplicate_of_review_id: duplicateOf, adjudicated_at } = comment
  return [
    comment.comment,
    comment.created_at,
    comment.triage_status,
    comment.triage_set_by_name,
    comment.triage_set_at,
    thread,
    adjudicated_at === null ? 'No' : 'Yes',
    comment.adjudicated_by_name,
    adjudicated_at,
    duplicateOf === null ? null : String(duplicateOf),
  ]
}

function nameOf(rule: ExportedRule | undefined): string | null {
  return rule === undefined ? null : displayedName(rule.prefix, rule.number)
}

function suggestionOf({ suggested_field: field, suggested_text, accepted_text }: Comment): CsvRow {
  return [field === null ? null : labelOfField(field), suggested_text, accepted_text]
}

async function findComments(reader: Reader, componentId: number, conditions: readonly CommentCondition[]) {
  return reader
    .selectFrom('reviews')
    .leftJoin('users', 'users.id', 'reviews.user_id')
    .selectAll('reviews')
    .select('users.email')
    .where('reviews.component_id', '=', componentId)
    .where('reviews.action', '=', 'comment')
    .where('reviews.responding_to_review_id', 'is', null)
    .$if(conditions.length > 0, (query) =>
      query.where(
        'reviews.id',
        'in',
        findMatching(reader, [inComponent(componentId), ...conditions]).select('reviews.id'),
      ),
    )
    .orderBy('reviews.id')
    .withPlugin(manyRows)
    .execute()
}

interface Reply {
  readonly author_name: string
  readonly created_at: string
  readonly comment: string
}

/** Replies by the comment that they answer. */
async function findReplies(reader: Reader, componentId: number): Promise<ReadonlyMap<number, readonly Reply[]>> {
  const rows = await reader
    .selectFrom('reviews')
    .select(['responding_to_review_id', 'author_name', 'created_at', 'comment'])
    .where('component_id', '=', componentId)
    .where('responding_to_review_id', 'is not', null)
    .orderBy('id')
    .execute()
  const replies = new Map<number, Reply[]>()
  for (const { responding_to_review_id: id, ...reply } of rows) append(replies, id ?? 0, reply)
  return replies
}

function threadOf(replies: readonly Reply[]): string {
  return replies.map(({ author_name, created_at, comment }) => `${author_name}, ${created_at}: ${comment}`).join('\n')
}
