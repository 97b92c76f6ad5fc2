import { Migrator, sql, type Kysely, type QueryExecutorProvider } from 'kysely'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { DialectName } from './dialect.ts'
import { migrationsFor } from './migrations/list.ts'
import type { Schema } from './schema/schema.ts'

interface UpgradeOptions {
  readonly log: Log
  /** Called before a used database is changed; if it throws, nothing changes. */
  readonly beforeUpgrade?: (() => Promise<void>) | undefined
}

/**
 * Runs the missing migrations, all of them or none, under the database's own lock, because several processes may
 * start at once.
 */
export async function migrate(
  db: Kysely<Schema>,
  dialect: DialectName,
  { log, beforeUpgrade }: UpgradeOptions,
): Promise<void> {
  const migrator = migratorOf(db, dialect)
  if (await announce(migrator, log)) await beforeUpgrade?.()
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  if (!messageOf(error).startsWith('corrupted migrations'))
    throw error instanceof Error ? error : new Error(messageOf(error))
  throw new Refusal('database_unusable', await describeChange(db, knownMigrations(dialect)))
}

/**
 * Logs the upgrade of a used database before it begins, because it may take long and cannot be undone. Returns false if the
 * database is empty or up to date.
 */
async function announce(migrator: Migrator, log: Log): Promise<boolean> {
  const migrations = await migrator.getMigrations()
  const missing = migrations.filter(({ executedAt }) => executedAt === undefined)
  if (missing.length === 0 || missing.length === migrations.length) return false
  const names = missing.map(({ name }) => name)
  log.warn({ migrations: names }, 'The database is being upgraded; only a backup can undo this')
  return true
}

/** `withinTransaction`: the migrations run inside the current transaction. */
export function migratorOf(db: Kysely<Schema>, dialect: DialectName, withinTransaction = false): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrationsFor(dialect)) },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
    disableTransactions: withinTransaction,
  })
}

/** In their order. */
export function knownMigrations(dialect: DialectName): readonly string[] {
  return Object.keys(migrationsFor(dialect))
}

/** The migrations that have run, in their order; empty for a new database. */
export async function appliedMigrations(db: Kysely<Schema>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'schema_migrations')) return []
  return findApplied(db)
}

async function findApplied(db: QueryExecutorProvider): Promise<readonly string[]> {
  const { rows } = await sql<{
    name: string
  }>`select name from schema_migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Describes how another version has changed the database, by the names of migrations. */
async function describeChange(db: Kysely<Schema>, names: readonly string[]): Promise<string> {
  const applied = await findApplied(db)
  const unknown = applied.filter((name) => !names.includes(name))
  const changed = 'The database was changed by another version of this program'
  const description =
    unknown.length > 0
      ? `${changed}, a newer one: it has ${unknown.join(', ')}, and this version knows migrations ` +
        `up to ${names.at(-1) ?? 'none'}. Start a version that has ${unknown.at(-1) ?? 'it'}`
      : `${changed}, which did not have all migrations that come before ${applied.at(-1) ?? 'its last'}. ` +
        'Start that version'
  return `${description} again, or restore a backup from before.`
}
