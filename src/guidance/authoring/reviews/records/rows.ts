import type { AliasableExpression, Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { z } from 'zod'
import type { Caller } from '../../../../http/caller.ts'
import { SUGGESTED_FIELDS } from '../../../../tables/field-lists.ts'
import { SECTIONS } from '../../../../tables/sections.ts'
import { latestOf, listReleases } from '../../../catalogue/benchmarks/releases.ts'
import { contains } from '../../../database/like.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { Schema } from '../../../database/schema/schema.ts'
import type { Reader } from '../../../database/transaction.ts'
import { findProposals, proposal, type Proposal } from '../suggestions/proposal.ts'
import { findReviews } from './reader.ts'
import { type Review, reviewSchema } from './schemas.ts'

/** Texts of nested records, which the audit trail stores by their numbers, with their section. */
const NESTED_TEXTS = [
  { name: 'checks_attributes.', section: 'Check' },
  { name: 'rule_descriptions_attributes.', section: 'Vulnerability Discussion' },
]

/** Names of texts in the audit trail. It escapes quotation marks in texts, so that no text looks like a name. */
const TEXTS = [
  ...SUGGESTED_FIELDS.filter(({ within }) => within !== 'check').map(({ name, section }) => ({
    entry: `{"field":"${name}"`,
    section,
  })),
  ...NESTED_TEXTS.map(({ name, section }) => ({ entry: `{"field":"${name}`, section })),
]

const text = z.string().nullable()

/** A top-level comment in a list. */
export const commentRow = reviewSchema.extend({
  component_id: z.int(),
  component_name: z.string(),
  project_id: z.int(),
  project_name: z.string(),
  srg_info: z
    .object({ title: z.string(), version: z.string(), is_latest: z.boolean() })
    .meta({ description: 'The SRG that the component is based on' }),
  addressed_by_rule_name: text,
  proposal: proposal
    .nullable()
    .meta({ description: 'The suggestion of the comment, compared with the rule as it is now' }),
  changed_since: z.boolean().meta({
    description: 'Whether the text of the rule has changed since: in the section of the comment, if it has one',
  }),
  clarified: z.boolean().meta({
    description: 'Whether its author has replied since clarification was asked for',
  }),
})

export type CommentRow = z.infer<typeof commentRow>

export const statusCounts = z.object({
  pending: z.int(),
  concur: z.int(),
  concur_with_comment: z.int(),
  non_concur: z.int(),
  duplicate: z.int(),
  informational: z.int(),
  needs_clarification: z.int(),
  withdrawn: z.int(),
  addressed_by: z.int(),
})

/** Shapes comments as rows, in the order of the ids. A fixed number of queries, however many there are. */
export async function findCommentRows(
  reader: Reader,
  caller: Caller,
  ids: readonly number[],
): Promise<readonly CommentRow[]> {
  if (ids.length === 0) return []
  const reviews = await findReviews(reader, caller, { ids })
  const components = new Map((await findCommentedComponents(reader, ids)).map((component) => [component.id, component]))
  const proposals = await findProposals(reader, reviews)
  const latest = new Set(latestOf(await listReleases(reader)).map((release) => release.id))
  const rows = reviews.flatMap((review) => {
    const component = components.get(review.id)
    return component === undefined
      ? []
      : [shapeRow(review, { component, latest, proposal: proposals.get(review.id) ?? null })]
  })
  const order = new Map(ids.map((id, index) => [id, index]))
  return rows.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
}

type CommentedComponent = Awaited<ReturnType<typeof findCommentedComponents>>[number]

function findCommentedComponents(reader: Reader, ids: readonly number[]) {
  return (
    reader
      .selectFrom('reviews')
      .innerJoin('components', 'components.id', 'reviews.component_id')
      .innerJoin('projects', 'projects.id', 'components.project_id')
      .innerJoin('benchmarks', 'benchmarks.id', 'components.security_requirements_guide_id')
      .leftJoin('rules as addressing', 'addressing.id', 'reviews.addressed_by_rule_id')
      .select(['reviews.id', 'components.id as component_id', 'components.name as component_name'])
      .select(['components.project_id', 'projects.name as project_name', 'components.prefix'])
      .select(['benchmarks.id as srg_id', 'benchmarks.title', 'benchmarks.version'])
      .select('addressing.number as addressing')
      .select((is) => hasChangedSince(is).as('changed_since'))
      // The author's last reply since the decision.
      .select((is) =>
        is
          .selectFrom('reviews as reply')
          .select(({ fn }) => fn.max('reply.id').as('last'))
          .whereRef('reply.responding_to_review_id', '=', 'reviews.id')
          .whereRef('reply.user_id', '=', 'reviews.user_id')
          .whereRef('reply.created_at', '>', 'reviews.triage_set_at')
          .as('replied'),
      )
      .where('reviews.id', 'in', ids)
      .execute()
  )
}

interface RowFacts {
  readonly component: CommentedComponent
  /** The ids of the newest releases of SRGs. */
  readonly latest: ReadonlySet<number>
  readonly proposal: Proposal | null
}

function shapeRow(review: Review, { component, latest, proposal }: RowFacts): CommentRow {
  const { component_id, component_name, project_id, project_name, title, version } = component
  return {
    ...review,
    component_id,
    component_name,
    project_id,
    project_name,
    srg_info: { title, version, is_latest: latest.has(component.srg_id) },
    addressed_by_rule_name:
      component.addressing === null ? null : displayedName(component.prefix, component.addressing),
    proposal,
    changed_since: Boolean(component.changed_since),
    clarified: review.triage_status === 'needs_clarification' && component.replied !== null,
  }
}

/**
 * Whether the text of the rule has changed after the comment: in the section of the comment, or in any section if the
 * comment is about the rule in general.
 */
function hasChangedSince(is: ExpressionBuilder<Schema, 'reviews'>): AliasableExpression<SqlBool> {
  return is.exists(
    is
      .selectFrom('audits')
      .select('audits.id')
      .where('audits.auditable_type', '=', 'Rule')
      .where('audits.action', '=', 'update')
      .whereRef('audits.auditable_id', '=', 'reviews.rule_id')
      .whereRef('audits.created_at', '>', 'reviews.created_at')
      .where((audit) =>
        audit.or([
          audit.and([audit('reviews.section', 'is', null), changedOne(audit, TEXTS)]),
          ...SECTIONS.map(({ key, name }) =>
            audit.and([
              audit('reviews.section', '=', key),
              changedOne(
                audit,
                TEXTS.filter(({ section }) => section === name),
              ),
            ]),
          ),
        ]),
      ),
  )
}

function changedOne(
  is: ExpressionBuilder<Schema, 'audits' | 'reviews'>,
  texts: readonly { readonly entry: string }[],
): Expression<SqlBool> {
  return is.or(texts.map(({ entry }) => contains(is.ref('audits.changes'), entry)))
}
