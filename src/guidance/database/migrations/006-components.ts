import { sql, type Kysely } from 'kysely'
import type { DialectName } from '../dialect.ts'
import { columnsOf, type Columns } from './columns.ts'
import { flags, index, oneOf, references, requiredTexts, texts } from './tables.ts'

type Database = Kysely<unknown>

/** Memberships of projects and of components share their endpoints, so their numbers must not overlap. */
const FIRST_COMPONENT_MEMBERSHIP = 1_000_000_001

export async function components(db: Database, dialect: DialectName): Promise<void> {
  const columns = columnsOf(dialect)
  await componentTable(db, columns)
  await sources(db, columns)
  await memberships(db, dialect)
  await questions(db, columns)
}

async function componentTable(db: Database, columns: Columns): Promise<void> {
  const { id, timestamp, ordered, finish } = columns
  const table = db.schema
    .createTable('components')
    .addColumn('id', 'integer', id)
    .addColumn('document_type', 'text', (is) => is.notNull().check(oneOf('document_type', ['stig', 'srg'])))
    .addColumn('name_key', ordered, (is) => is.notNull())
    .addColumn('version', 'integer')
    .addColumn('release', 'integer')
    .addColumn('comment_phase', 'text', (is) => is.notNull().check(oneOf('comment_phase', ['open', 'closed'])))
    .addColumn('closed_reason', 'text', (is) => is.check(oneOf('closed_reason', ['adjudicating', 'finalized'])))
    .addColumn('comment_period_starts_at', timestamp)
    .addColumn('comment_period_ends_at', timestamp)
    .addColumn('released_at', timestamp)
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addColumn('updated_at', timestamp, (is) => is.notNull())
  const owned = references(table, {
    project_id: { to: 'projects', onDelete: 'cascade' },
    component_id: { to: 'components', onDelete: 'set null' },
    security_requirements_guide_id: { to: 'benchmarks', onDelete: 'restrict' },
    benchmark_id: { to: 'benchmarks', onDelete: 'set null' },
  })
  const required = requiredTexts(owned, ['name', 'prefix', 'title', 'metadata'])
  const described = texts(required, ['description', 'admin_name', 'admin_email'])
  const flagged = flags(described, ['released', 'advanced_fields', 'last_rule_number', 'lock_version'])
  await finish(flagged).execute()
  await index(db, 'components', 'project_id')
  await index(db, 'components', 'prefix')
  await index(db, 'components', 'security_requirements_guide_id')
}

async function sources(db: Database, { finish }: Columns): Promise<void> {
  const table = references(db.schema.createTable('component_srgs'), {
    component_id: { to: 'components', onDelete: 'cascade' },
    benchmark_id: { to: 'benchmarks', onDelete: 'restrict' },
  })
    .addColumn('position', 'integer', (is) => is.notNull())
    .addPrimaryKeyConstraint('component_srgs_key', ['component_id', 'benchmark_id'])
  await finish(table).execute()
  await index(db, 'component_srgs', 'benchmark_id')
}

async function memberships(db: Database, dialect: DialectName): Promise<void> {
  const { id, timestamp, finish } = columnsOf(dialect)
  const table = references(db.schema.createTable('component_memberships').addColumn('id', 'integer', id), {
    user_id: { to: 'users', onDelete: 'cascade' },
    component_id: { to: 'components', onDelete: 'cascade' },
  })
    .addColumn('role', 'text', (is) => is.notNull().check(oneOf('role', ['viewer', 'author', 'reviewer', 'admin'])))
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addColumn('updated_at', timestamp, (is) => is.notNull())
    .addUniqueConstraint('component_memberships_user_component', ['user_id', 'component_id'])
  await finish(table).execute()
  await index(db, 'component_memberships', 'component_id')
  const first = sql.lit(FIRST_COMPONENT_MEMBERSHIP)
  await (
    dialect === 'sqlite'
      ? sql`insert into sqlite_sequence (name, seq) values ('component_memberships', ${first} - 1)`
      : sql`alter table component_memberships alter column id restart with ${first}`
  ).execute(db)
}

async function questions(db: Database, { id, finish }: Columns): Promise<void> {
  const table = references(db.schema.createTable('additional_questions').addColumn('id', 'integer', id), {
    component_id: { to: 'components', onDelete: 'cascade' },
  })
    .addColumn('question_type', 'text', (is) =>
      is.notNull().check(oneOf('question_type', ['dropdown', 'freeform', 'url'])),
    )
    .addUniqueConstraint('additional_questions_component_name', ['component_id', 'name'])
  await finish(requiredTexts(table, ['name', 'options'])).execute()
}
