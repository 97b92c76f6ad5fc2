import type { Kysely } from 'kysely'
import type { Columns } from './columns.ts'
import { flags, index, oneOf, references, requiredTexts, texts } from './tables.ts'

type Database = Kysely<unknown>

const ACTIONS = [
  'comment',
  'request_review',
  'revoke_review_request',
  'request_changes',
  'approve',
  'lock_control',
  'unlock_control',
]

const TRIAGE = [
  'pending',
  'concur',
  'concur_with_comment',
  'non_concur',
  'duplicate',
  'informational',
  'needs_clarification',
  'withdrawn',
  'addressed_by',
]

export async function reviews(db: Database, columns: Columns): Promise<void> {
  await reviewTable(db, columns)
  await reactions(db, columns)
  await responseTemplates(db, columns)
}

async function reviewTable(db: Database, columns: Columns): Promise<void> {
  const { id, timestamp, finish } = columns
  const table = db.schema
    .createTable('reviews')
    .addColumn('id', 'integer', id)
    .addColumn('rule_id', 'integer', (is) => is.references('rules.id').onDelete('cascade'))
    .addColumn('responding_to_review_id', 'integer', (is) => is.references('reviews.id').onDelete('cascade'))
    .addColumn('action', 'text', (is) => is.notNull().check(oneOf('action', ACTIONS)))
    .addColumn('triage_status', 'text', (is) => is.check(oneOf('triage_status', TRIAGE)))
    .addColumn('triage_set_at', timestamp)
    .addColumn('adjudicated_at', timestamp)
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addColumn('updated_at', timestamp, (is) => is.notNull())
  const owned = references(table, {
    component_id: { to: 'components', onDelete: 'cascade' },
    user_id: { to: 'users', onDelete: 'set null' },
    triage_set_by_id: { to: 'users', onDelete: 'set null' },
    adjudicated_by_id: { to: 'users', onDelete: 'set null' },
    duplicate_of_review_id: { to: 'reviews', onDelete: 'set null' },
    addressed_by_rule_id: { to: 'rules', onDelete: 'set null' },
    original_rule_id: { to: 'rules', onDelete: 'set null' },
  })
  const required = requiredTexts(owned, ['comment', 'author_name'])
  const described = texts(required, ['section', 'author_email', 'triage_set_by_name', 'adjudicated_by_name'])
  await finish(flags(described, ['imported', 'lock_version'])).execute()
  for (const column of ['rule_id', 'component_id', 'responding_to_review_id', 'user_id'])
    await index(db, 'reviews', column)
  await index(db, 'reviews', 'duplicate_of_review_id')
  await index(db, 'reviews', 'addressed_by_rule_id')
  await index(db, 'reviews', 'original_rule_id')
}

async function reactions(db: Database, { id, timestamp, finish }: Columns): Promise<void> {
  const numbered = db.schema.createTable('reactions').addColumn('id', 'integer', id)
  const table = references(numbered, {
    review_id: { to: 'reviews', onDelete: 'cascade' },
    user_id: { to: 'users', onDelete: 'cascade' },
  })
    .addColumn('kind', 'text', (is) => is.notNull().check(oneOf('kind', ['up', 'down'])))
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addUniqueConstraint('reactions_review_user', ['review_id', 'user_id'])
  await finish(table).execute()
  await index(db, 'reactions', 'user_id')
}

async function responseTemplates(db: Database, { id, timestamp, finish }: Columns): Promise<void> {
  const numbered = db.schema.createTable('triage_response_templates').addColumn('id', 'integer', id)
  const table = references(numbered, {
    project_id: { to: 'projects', onDelete: 'cascade' },
    created_by_id: { to: 'users', onDelete: 'set null' },
  })
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addColumn('updated_at', timestamp, (is) => is.notNull())
  await finish(requiredTexts(table, ['name', 'name_key', 'body']))
    .addUniqueConstraint('triage_response_templates_project_name', ['project_id', 'name_key'])
    .execute()
}
