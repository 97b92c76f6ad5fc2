import { type Access, callerAccess } from '../../../../http/access.ts'
import type { Caller } from '../../../../http/caller.ts'
import { notFound, pathId } from '../../../../http/input.ts'
import type { Database } from '../../../database/database.ts'
import type { Role } from '../../../database/schema/memberships.ts'
import type { Reader } from '../../../database/transaction.ts'
import { requireComponentRole, ruleFor, type ComponentGrant, type AccessLevel } from '../../access/component-access.ts'

export interface ReviewGrant extends ComponentGrant {
  readonly reviewId: number
}

/** Requires at least this role in the component of the review whose id is in the path. */
export function reviewRole(
  database: Database,
  least: AccessLevel,
  { authorOnly = false, unreleased = false }: { readonly authorOnly?: boolean; readonly unreleased?: boolean } = {},
): Access<ReviewGrant> {
  return callerAccess(
    authorOnly ? `component ${least}, of their own` : ruleFor(least, unreleased),
    async (caller, request) => {
      const reviewId = pathId(request)
      const componentId = await requireComponentOf(database.read, reviewId)
      const grant = await requireComponentRole(database.read, caller, { componentId, least, unreleased })
      return { ...grant, reviewId }
    },
  )
}

/** The component of a review; 404 if the review does not exist, or its rule is deleted. */
async function requireComponentOf(reader: Reader, reviewId: number): Promise<number> {
  const review = await reader
    .selectFrom('reviews')
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .select('reviews.component_id')
    .where('reviews.id', '=', reviewId)
    .where('rules.deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => notFound())
  return review.component_id
}

/** Admits all who are signed in. The handler checks the role, because the reviews are in the body. */
export function reviewsRole(least: Role): Access<{ readonly caller: Caller }> {
  return callerAccess(`component ${least}`, (caller) => Promise.resolve({ caller }))
}

/**
 * The caller's grant in the component of several reviews. 404 if a review does not exist, or the caller may know of
 * none of them; null if they belong to several components and the caller has a role in each.
 */
export async function requireSharedRole(
  reader: Reader,
  caller: Caller,
  { ids, least }: { readonly ids: readonly number[]; readonly least: Role },
): Promise<ComponentGrant | null> {
  const rows = await reader
    .selectFrom('reviews')
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .select(['reviews.id', 'reviews.component_id'])
    .where('reviews.id', 'in', ids)
    .where('rules.deleted_at', 'is', null)
    .execute()
  if (rows.length < ids.length) throw notFound()
  const [first, ...otherIds] = new Set(rows.map((row) => row.component_id))
  if (first === undefined) throw notFound()
  const grant = await requireComponentRole(reader, caller, { componentId: first, least })
  for (const componentId of otherIds) await requireComponentRole(reader, caller, { componentId, least })
  return otherIds.length === 0 ? grant : null
}
