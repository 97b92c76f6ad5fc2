import { sql, type Kysely } from 'kysely'
import type { Columns } from './columns.ts'

export async function accounts(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await users(db, columns)
  await identities(db, columns)
  await sessions(db, columns)
  await personalAccessTokens(db, columns)
  await oneTimeLinks(db, columns)
}

async function users(db: Kysely<unknown>, { id, timestamp, ordered, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('users')
    .addColumn('id', 'integer', id)
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('search_key', ordered, (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('admin', 'integer', (column) => column.notNull().check(sql`admin in (0, 1)`))
    .addColumn('slack_user_id', 'text')
    .addColumn('failed_attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('locked_at', timestamp)
    .addColumn('locked_by', 'text', (column) => column.check(sql`locked_by in ('attempts', 'administrator')`))
    .addColumn('confirmed_at', timestamp)
    .addColumn('unconfirmed_email', 'text')
    .addColumn('last_sign_in_at', timestamp)
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('updated_at', timestamp, (column) => column.notNull())
  await finish(table).execute()
}

async function identities(db: Kysely<unknown>, { id, timestamp, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('identities')
    .addColumn('id', 'integer', id)
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('provider', 'text', (column) => column.notNull().check(sql`provider in ('oidc', 'ldap')`))
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addUniqueConstraint('identities_provider_uid', ['provider', 'uid'])
  await finish(table).execute()
  await index(db, 'identities', ['user_id'])
}

async function sessions(db: Kysely<unknown>, { id, timestamp, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('sessions')
    .addColumn('id', 'integer', id)
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('user_id', 'integer', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('touched_at', timestamp, (column) => column.notNull())
    .addColumn('expires_at', timestamp, (column) => column.notNull())
  await finish(table).execute()
  await index(db, 'sessions', ['user_id'])
  await index(db, 'sessions', ['touched_at'])
}

async function personalAccessTokens(db: Kysely<unknown>, { id, timestamp, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('personal_access_tokens')
    .addColumn('id', 'integer', id)
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('token_prefix', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('allowed_ips', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', timestamp)
    .addColumn('revoked_at', timestamp)
    .addColumn('created_at', timestamp, (column) => column.notNull())
  await finish(table).execute()
  await index(db, 'personal_access_tokens', ['user_id'])
}

async function oneTimeLinks(db: Kysely<unknown>, { id, timestamp, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('one_time_links')
    .addColumn('id', 'integer', id)
    .addColumn('user_id', 'integer', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('purpose', 'text', (column) =>
      column.notNull().check(sql`purpose in ('reset_password', 'confirm_email', 'unlock', 'setup')`),
    )
    .addColumn('email', 'text')
    .addColumn('digest', 'text', (column) => column.notNull().unique())
    .addColumn('expires_at', timestamp, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
  await finish(table).execute()
  await index(db, 'one_time_links', ['user_id', 'purpose'])
}

async function index(db: Kysely<unknown>, table: string, columns: readonly string[]): Promise<void> {
  await db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns([...columns])
    .execute()
}
