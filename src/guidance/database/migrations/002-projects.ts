import { sql, type Kysely } from 'kysely'
import type { Columns } from './columns.ts'

export async function projects(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await projectTable(db, columns)
  await memberships(db, columns)
  await accessRequests(db, columns)
}

async function projectTable(db: Kysely<unknown>, { id, timestamp, ordered, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('projects')
    .addColumn('id', 'integer', id)
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', ordered, (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('description_key', 'text')
    .addColumn('visibility', 'text', (column) => column.notNull().check(sql`visibility in ('discoverable', 'hidden')`))
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('lock_version', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('updated_at', timestamp, (column) => column.notNull())
  await finish(table).execute()
  await db.schema.createIndex('projects_by_name_key').on('projects').columns(['name_key', 'id']).execute()
}

async function memberships(db: Kysely<unknown>, { id, timestamp, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('memberships')
    .addColumn('id', 'integer', id)
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) =>
      column.notNull().check(sql`role in ('viewer', 'author', 'reviewer', 'admin')`),
    )
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('updated_at', timestamp, (column) => column.notNull())
    .addUniqueConstraint('memberships_user_project', ['user_id', 'project_id'])
  await finish(table).execute()
  await db.schema.createIndex('memberships_by_project_id').on('memberships').columns(['project_id', 'role']).execute()
}

async function accessRequests(db: Kysely<unknown>, { id, timestamp, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('project_access_requests')
    .addColumn('id', 'integer', id)
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addUniqueConstraint('project_access_requests_user_project', ['user_id', 'project_id'])
  await finish(table).execute()
  await db.schema
    .createIndex('project_access_requests_by_project_id')
    .on('project_access_requests')
    .columns(['project_id'])
    .execute()
}
