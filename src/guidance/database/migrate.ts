import { Migrator, sql, type Kysely } from 'kysely'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { DialectName } from './dialect.ts'
import { migrationsFor } from './migrations/list.ts'
import type { Schema } from './schema/schema.ts'

/**
 * Runs the missing migrations, all of them or none, under the database's own lock, because several processes may
 * start at once.
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
  throw new Refusal('database_unusable', await describeChange(db, Object.keys(migrations)))
}

/** Names the migrations that show how another version has changed the database. */
async function describeChange(db: Kysely<Schema>, known: readonly string[]): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select name from schema_migrations order by name`.execute(db)
  const unknown = rows.map(({ name }) => name).filter((name) => !known.includes(name))
  const changed = 'The database was changed by another version of this program'
  const what =
    unknown.length > 0
      ? `${changed}, a newer one: it has ${unknown.join(', ')}, and this version knows migrations ` +
        `up to ${known.at(-1) ?? 'none'}. Start a version that has ${unknown.at(-1) ?? 'it'}`
      : `${changed}, which did not have all migrations that come before ${rows.at(-1)?.name ?? 'its last'}. ` +
        'Start that version'
  return `${what} again, or restore a backup from before.`
}
