import { sql, type Kysely } from 'kysely'
import type { Columns } from './columns.ts'
import { index, numbers, texts } from './tables.ts'

type Database = Kysely<unknown>

export async function benchmarks(db: Database, columns: Columns): Promise<void> {
  await benchmarkTable(db, columns)
  await files(db, columns)
  await rules(db, columns)
  await checks(db, columns)
  await fixes(db, columns)
  await idents(db, columns)
  await references(db, columns)
  await aliases(db, columns)
  await imports(db, columns)
}

async function benchmarkTable(db: Database, columns: Columns): Promise<void> {
  const { id, timestamp, finish } = columns
  const table = db.schema
    .createTable('benchmarks')
    .addColumn('id', 'integer', id)
    .addColumn('kind', 'text', (is) => is.notNull().check(sql`kind in ('srg', 'stig')`))
    .addColumn('benchmark_id', 'text', (is) => is.notNull())
    .addColumn('version', 'text', (is) => is.notNull())
    .addColumn('title', 'text', (is) => is.notNull())
    .addColumn('name', 'text', (is) => is.notNull())
    .addColumn('xccdf', 'text', (is) => is.notNull())
    .addColumn('digest', 'text', (is) => is.notNull())
    .addColumn('warnings', 'text', (is) => is.notNull())
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addUniqueConstraint('benchmarks_benchmark_version', ['benchmark_id', 'version'])
  const described = texts(table, [
    'release_date',
    'status',
    'status_date',
    'description',
    'language',
    'publisher',
    'source',
  ])
  const counted = numbers(described, [
    'major',
    'minor',
    'patch',
    'core',
    'rule_count',
    'high_count',
    'medium_count',
    'low_count',
  ])
  await finish(counted).execute()
}

async function files(db: Database, { bytes, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('benchmark_files')
    .addColumn('benchmark_id', 'integer', (is) => is.primaryKey().references('benchmarks.id').onDelete('cascade'))
    .addColumn('sha256', 'text', (is) => is.notNull())
    .addColumn('content', bytes, (is) => is.notNull())
  await finish(table).execute()
}

async function rules(db: Database, { id, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('benchmark_rules')
    .addColumn('id', 'integer', id)
    .addColumn('benchmark_id', 'integer', (is) => is.notNull().references('benchmarks.id').onDelete('cascade'))
    .addColumn('position', 'integer', (is) => is.notNull())
    .addColumn('rule_id', 'text', (is) => is.notNull())
    .addColumn('title', 'text', (is) => is.notNull())
    .addColumn('severity', 'text', (is) =>
      is.notNull().check(sql`severity in ('high', 'medium', 'low', 'unknown', 'info')`),
    )
    .addColumn('weight', 'text', (is) => is.notNull())
    .addColumn('documentable', 'integer')
    .addUniqueConstraint('benchmark_rules_benchmark_rule', ['benchmark_id', 'rule_id'])
  const described = texts(table, [
    'group_id',
    'group_title',
    'version',
    'status',
    'vuln_discussion',
    'false_positives',
    'false_negatives',
    'mitigations',
    'severity_override_guidance',
    'potential_impacts',
    'third_party_tools',
    'mitigation_control',
    'responsibility',
    'ia_controls',
  ])
  await finish(described).execute()
  for (const column of ['rule_id', 'version', 'group_id', 'group_title']) await index(db, 'benchmark_rules', column)
}

async function checks(db: Database, columns: Columns): Promise<void> {
  const names = ['system', 'content_ref_name', 'content_ref_href', 'content']
  await part(db, columns, { name: 'benchmark_checks', names })
}

async function fixes(db: Database, columns: Columns): Promise<void> {
  await part(db, columns, { name: 'benchmark_fixes', names: ['fixref', 'fix_id', 'text'] })
}

async function idents(db: Database, columns: Columns): Promise<void> {
  await part(db, columns, { name: 'benchmark_idents', names: ['system', 'value'] })
  await index(db, 'benchmark_idents', 'value')
}

async function references(db: Database, columns: Columns): Promise<void> {
  const names = ['href', 'title', 'publisher', 'type', 'subject', 'identifier']
  await part(db, columns, { name: 'benchmark_references', names })
}

/** Makes a table for repeated parts of a rule. */
async function part(
  db: Database,
  { id, finish }: Columns,
  { name, names }: { readonly name: string; readonly names: readonly string[] },
): Promise<void> {
  const table = db.schema
    .createTable(name)
    .addColumn('id', 'integer', id)
    .addColumn('rule_id', 'integer', (is) => is.notNull().references('benchmark_rules.id').onDelete('cascade'))
  await finish(texts(table, names)).execute()
  await index(db, name, 'rule_id')
}

/** Products whose benchmark ids DISA has changed; administrators add others. */
const KNOWN_ALIASES = [
  ['Database_Generic_SRG', 'Database_Generic'],
  ['General_Purpose_Operating_System_SRG', 'General_Purpose_Operating_System'],
  ['Firefox', 'Mozilla_Firefox_STIG'],
  ['Mozilla_FireFox_STIG', 'Mozilla_Firefox_STIG'],
  ['MOZ_Firefox_STIG', 'Mozilla_Firefox_STIG'],
  ['Red_Hat_Enterprise_Linux_7_STIG', 'RHEL_7_STIG'],
] as const

async function aliases(db: Database, { id, timestamp, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('benchmark_aliases')
    .addColumn('id', 'integer', id)
    .addColumn('alias', 'text', (is) => is.notNull().unique())
    .addColumn('benchmark_id', 'text', (is) => is.notNull())
    .addColumn('created_at', timestamp, (is) => is.notNull())
  await finish(table).execute()
  const created_at = new Date().toISOString()
  for (const [alias, benchmark_id] of KNOWN_ALIASES)
    await sql`insert into benchmark_aliases (alias, benchmark_id, created_at)
      values (${alias}, ${benchmark_id}, ${created_at})`.execute(db)
}

async function imports(db: Database, { id, timestamp, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('imports')
    .addColumn('id', 'integer', id)
    .addColumn('user_id', 'integer', (is) => is.references('users.id').onDelete('set null'))
    .addColumn('actor', 'text', (is) => is.notNull())
    .addColumn('file_name', 'text', (is) => is.notNull())
    .addColumn('spool', 'text')
    .addColumn('options', 'text', (is) => is.notNull())
    .addColumn('state', 'text', (is) =>
      is.notNull().check(sql`state in ('waiting', 'running', 'finished', 'refused', 'failed')`),
    )
    .addColumn('done', 'integer', (is) => is.notNull().defaultTo(0))
    .addColumn('total', 'integer', (is) => is.notNull().defaultTo(0))
    .addColumn('outcome', 'text', (is) => is.notNull())
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addColumn('updated_at', timestamp, (is) => is.notNull())
  await finish(table).execute()
}
