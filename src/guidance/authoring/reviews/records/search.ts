import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { foldText } from '../../../../platform/characters.ts'
import { contains } from '../../../database/like.ts'
import type { Schema } from '../../../database/schema/schema.ts'

/** Separates the texts that are searched; names do not contain it. */
const LINE = '\n'

/** Joins author and text of a comment, folded, on separate lines for `mentions`. */
export function searchKey(author: string, comment: string): string {
  return foldText(`${author.replaceAll(LINE, ' ')}${LINE}${comment}`)
}

/**
 * Whether a comment or the name of its author contains a text. The name is the current one, or without an account the
 * name at that time. Ignores case and variants of letters.
 */
export function mentions(is: ExpressionBuilder<Schema, 'reviews'>, text: string): Expression<SqlBool> {
  const key = is.ref('reviews.search_key')
  return is.or([
    contains(key, LINE, text),
    is.and([is('reviews.user_id', 'is', null), contains(key, text)]),
    is('reviews.user_id', 'in', (query) =>
      query
        .selectFrom('users')
        .select('users.id')
        // Matches only before the line end, where the name is, so that addresses are not searched.
        .where((user) => contains(user.ref('users.search_key'), text, LINE)),
    ),
  ])
}
