import { sql, type Kysely } from 'kysely'
import type { Columns } from './columns.ts'
import { index } from './tables.ts'

/** Second factors of people, and the requirement to have one. */
export async function secondFactors(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('second_factor_required', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`second_factor_required in (0, 1)`),
    )
    .execute()
  await db.schema
    .alterTable('users')
    .addColumn('wrong_codes', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('users').addColumn('wrong_code_at', columns.timestamp).execute()
  await factors(db, columns)
  await recoveryCodes(db, columns)
}

async function factors(db: Kysely<unknown>, { id, timestamp, large, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('second_factors')
    .addColumn('id', 'integer', id)
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('passkey', 'totp')`))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('credential_id', 'text', (column) => column.unique())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('used_up_to', large, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('last_used_at', timestamp)
  await finish(table).execute()
  await index(db, 'second_factors', 'user_id')
}

async function recoveryCodes(db: Kysely<unknown>, { timestamp, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_by_user_digest', ['user_id', 'digest'])
  await finish(table).execute()
}
