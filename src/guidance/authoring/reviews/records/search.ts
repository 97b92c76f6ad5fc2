import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { foldText } from '../../../../platform/characters.ts'
import { contains } from '../../../database/like.ts'
import type { Schema } from '../../../database/schema/schema.ts'

/** Stands between what may be searched; names have none. */
const LINE = '\n'

/** Who wrote a comment and what it says, folded, on lines of their own: see `mentions`. */
export function searchKey(author: string, comment: string): string {
  return foldText(`${author.replaceAll(LINE, ' ')}${LINE}${comment}`)
}

/**
 * Whether a comment says a text, or is by somebody who is called so: now, if they have an account, else
 * then. Letter case and the form of letters do not matter.
 */
export function mentions(
  is: ExpressionBuilder<Schema, 'reviews'>,
  text: string,
): Expression<SqlBool> {
  const key = is.ref('reviews.search_key')
  return is.or([
    contains(key, LINE, text),
    is.and([is('reviews.user_id', 'is', null), contains(key, text)]),
    is('reviews.user_id', 'in', (of) =>
      of
        .selectFrom('users')
        .select('users.id')
        // Name and address stand on lines of their own: no address is found.
        .where((on) => contains(on.ref('users.search_key'), text, LINE)),
    ),
  ])
}
