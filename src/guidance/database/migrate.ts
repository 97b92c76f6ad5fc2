import { Migrator, type Kysely } from 'kysely'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { DialectName } from './dialect.ts'
import { migrationsFor } from './migrations/list.ts'
import type { Schema } from './schema/schema.ts'

/**
 * Runs the migrations that the database has not seen, all of them or none, under the database's own
 * lock: several processes may start at once.
 */
export async function migrate(db: Kysely<Schema>, dialect: DialectName): Promise<void> {
  const migrations = migrationsFor(dialect)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  if (!messageOf(error).startsWith('corrupted migrations'))
    throw error instanceof Error ? error : new Error(messageOf(error))
  throw new Refusal(
    'database_unusable',
    `The database was changed by another version of this program (${messageOf(error)}).`,
  )
}
