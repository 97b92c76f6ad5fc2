import type { Kysely } from 'kysely'
import type { Columns } from './columns.ts'
import { flags, index, oneOf, references, requiredTexts, texts } from './tables.ts'

type Database = Kysely<unknown>

/** Events for programs that follow changes; the audit trail is for people. */
export async function events(db: Database, columns: Columns): Promise<void> {
  await componentOfAudits(db)
  await eventTable(db, columns)
  await webhooks(db, columns)
  await deliveries(db, columns)
}

async function componentOfAudits(db: Database): Promise<void> {
  await db.schema.alterTable('audits').addColumn('component_id', 'integer').execute()
  await index(db, 'audits', 'component_id', 'id')
}

/** Without foreign keys, because an event outlives its record. */
async function eventTable(db: Database, { id, timestamp, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('events')
    .addColumn('id', 'integer', id)
    .addColumn('project_id', 'integer', (is) => is.notNull())
    .addColumn('component_id', 'integer')
    .addColumn('created_at', timestamp, (is) => is.notNull())
  await finish(requiredTexts(table, ['kind', 'actor', 'data'])).execute()
  await index(db, 'events', 'project_id', 'id')
  await index(db, 'events', 'created_at')
}

async function webhooks(db: Database, { id, timestamp, finish }: Columns): Promise<void> {
  const numbered = db.schema.createTable('webhooks').addColumn('id', 'integer', id)
  const table = references(numbered, {
    project_id: { to: 'projects', onDelete: 'cascade' },
    created_by_id: { to: 'users', onDelete: 'set null' },
  })
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addColumn('updated_at', timestamp, (is) => is.notNull())
  const required = requiredTexts(table, ['url', 'secret', 'kinds'])
  await finish(flags(required, ['active'])).execute()
  await index(db, 'webhooks', 'project_id')
}

async function deliveries(db: Database, { id, timestamp, finish }: Columns): Promise<void> {
  const numbered = db.schema.createTable('webhook_deliveries').addColumn('id', 'integer', id)
  const table = references(numbered, { webhook_id: { to: 'webhooks', onDelete: 'cascade' } })
    .addColumn('event_id', 'integer', (is) => is.notNull())
    .addColumn('state', 'text', (is) => is.notNull().check(oneOf('state', ['waiting', 'delivered', 'failed'])))
    .addColumn('response_status', 'integer')
    .addColumn('next_attempt_at', timestamp)
    .addColumn('delivered_at', timestamp)
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addColumn('updated_at', timestamp, (is) => is.notNull())
  const required = requiredTexts(table, ['payload'])
  await finish(flags(texts(required, ['error']), ['attempts'])).execute()
  await index(db, 'webhook_deliveries', 'webhook_id', 'id')
  await index(db, 'webhook_deliveries', 'state', 'next_attempt_at')
}
