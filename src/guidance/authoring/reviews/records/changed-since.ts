import type { AliasableExpression, Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { SUGGESTED_FIELDS } from '../../../../tables/field-lists.ts'
import { SECTIONS } from '../../../../tables/sections.ts'
import { contains } from '../../../database/like.ts'
import type { Schema } from '../../../database/schema/schema.ts'

/** Texts that the audit trail has under the numbers of nested records, with their section. */
const NESTED_TEXTS = [
  { name: 'checks_attributes.', section: 'Check' },
  { name: 'rule_descriptions_attributes.', section: 'Vulnerability Discussion' },
]

/** Names of texts in the audit trail. Quotation marks in texts are escaped there, so that no text looks like a name. */
const TEXTS = [
  ...SUGGESTED_FIELDS.filter(({ within }) => within !== 'check').map(({ name, section }) => ({
    entry: `{"field":"${name}"`,
    section,
  })),
  ...NESTED_TEXTS.map(({ name, section }) => ({ entry: `{"field":"${name}`, section })),
]

/**
 * Whether the rule of a comment got another text after the comment: in the section that the comment is about, or
 * anywhere if it is about the rule in general.
 */
export function hasChangedSince(is: ExpressionBuilder<Schema, 'reviews'>): AliasableExpression<SqlBool> {
  return is.exists(
    is
      .selectFrom('audits')
      .select('audits.id')
      .where('audits.auditable_type', '=', 'Rule')
      .where('audits.action', '=', 'update')
      .whereRef('audits.auditable_id', '=', 'reviews.rule_id')
      .whereRef('audits.created_at', '>', 'reviews.created_at')
      .where((on) =>
        on.or([
          on.and([on('reviews.section', 'is', null), changedOne(on, TEXTS)]),
          ...SECTIONS.map(({ key, name }) =>
            on.and([
              on('reviews.section', '=', key),
              changedOne(
                on,
                TEXTS.filter(({ section }) => section === name),
              ),
            ]),
          ),
        ]),
      ),
  )
}

function changedOne(
  on: ExpressionBuilder<Schema, 'audits' | 'reviews'>,
  texts: readonly { readonly entry: string }[],
): Expression<SqlBool> {
  return on.or(texts.map(({ entry }) => contains(on.ref('audits.changes'), entry)))
}
