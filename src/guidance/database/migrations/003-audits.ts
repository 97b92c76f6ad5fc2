import { sql, type Kysely } from 'kysely'
import type { DialectName } from '../dialect.ts'
import { columnsOf } from './columns.ts'

/** Without foreign keys, because an entry outlives its record. */
export async function audits(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { id, timestamp, finish } = columnsOf(dialect)
  const table = db.schema
    .createTable('audits')
    .addColumn('id', 'integer', id)
    .addColumn('action', 'text', (column) =>
      column.notNull().check(sql`action in ('create', 'update', 'destroy', 'custom')`),
    )
    .addColumn('auditable_type', 'text', (column) => column.notNull())
    .addColumn('auditable_id', 'integer', (column) => column.notNull())
    .addColumn('project_id', 'integer')
    .addColumn('audited_name', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'integer')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('via', 'text', (column) => column.notNull())
    .addColumn('comment', 'text')
    .addColumn('changes', 'text', (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
  await finish(table).execute()
  await index(db, ['project_id', 'id'])
  await index(db, ['auditable_type', 'auditable_id', 'id'])
  await (dialect === 'sqlite' ? refuseInSqlite(db) : refuseInPostgres(db))
}

async function index(db: Kysely<unknown>, columns: readonly string[]): Promise<void> {
  await db.schema
    .createIndex(`audits_by_${columns.join('_')}`)
    .on('audits')
    .columns([...columns])
    .execute()
}

async function refuseInSqlite(db: Kysely<unknown>): Promise<void> {
  for (const event of ['update', 'delete']) {
    await sql`
      create trigger ${sql.ref(`audits_refuse_${event}`)} before ${sql.raw(event)} on audits
      begin select raise(abort, 'the audit trail is append-only'); end`.execute(db)
  }
}

async function refuseInPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function audits_refuse() returns trigger language plpgsql as
    'begin raise exception ''the audit trail is append-only''; end'`.execute(db)
  await sql`
    create trigger audits_refuse_change before update or delete on audits
    for each row execute function audits_refuse()`.execute(db)
  await sql`
    create trigger audits_refuse_truncate before truncate on audits
    for each statement execute function audits_refuse()`.execute(db)
}
