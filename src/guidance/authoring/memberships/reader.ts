import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { z } from 'zod'
import { manyRows } from '../../database/many-rows.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'
import type { membershipSchema } from '../projects/schemas.ts'

export type Membership = z.infer<typeof membershipSchema>

type MembershipCondition = (is: ExpressionBuilder<Schema, 'projects'>) => Expression<SqlBool>

/** The members of the projects that `which` selects, in the order in which they joined. */
export async function findMemberships(reader: Reader, condition: MembershipCondition): Promise<Membership[]> {
  const rows = await reader
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['memberships.id', 'memberships.user_id', 'memberships.role'])
    .select(['memberships.project_id as membership_id', 'users.name', 'users.email'])
    .where('memberships.project_id', 'in', (is) => is.selectFrom('projects').select('projects.id').where(condition))
    .orderBy('memberships.id')
    .withPlugin(manyRows)
    .execute()
  return rows.map((row) => ({ ...row, membership_type: 'Project' }))
}
