import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DialectName } from '../dialect.ts'
import { columnsOf } from './columns.ts'
import { index, oneOf } from './tables.ts'

type Database = Kysely<unknown>

/** Tables with searched records, and their names in `stale_words`. */
const RECORDS = {
  benchmark_rule: 'benchmark_rules',
  rule: 'rules',
  component: 'components',
} as const

type Kind = keyof typeof RECORDS

interface Source {
  readonly table: string
  readonly kind: Kind
  /** The column with the number of the record. */
  readonly key: 'id' | 'rule_id'
  /** The columns with the words. */
  readonly columns: readonly string[]
}

const SOURCES: readonly Source[] = [
  {
    table: 'benchmark_rules',
    kind: 'benchmark_rule',
    key: 'id',
    columns: [
      'title',
      'rule_id',
      'group_id',
      'group_title',
      'version',
      'vuln_discussion',
      'mitigations',
      'benchmark_id',
    ],
  },
  part('benchmark_checks', 'benchmark_rule', 'content'),
  part('benchmark_fixes', 'benchmark_rule', 'text'),
  part('benchmark_idents', 'benchmark_rule', 'value'),
  {
    table: 'rules',
    kind: 'rule',
    key: 'id',
    columns: [
      'number',
      'title',
      'version',
      'minted_id',
      'vuln_id',
      'legacy_ids',
      'ident',
      'fixtext',
      'status_justification',
      'artifact_description',
      'vendor_comments',
      'vuln_discussion',
      'mitigations',
      'component_id',
    ],
  },
  part('rule_checks', 'rule', 'content'),
  {
    table: 'components',
    kind: 'component',
    key: 'id',
    columns: ['name', 'prefix', 'title', 'description', 'metadata'],
  },
]

/** Records whose titles are searched with their rules. */
const CONTEXTS = [
  { table: 'benchmarks', kind: 'benchmark_rule', owner: 'benchmark_id', columns: ['title'] },
  {
    table: 'components',
    kind: 'rule',
    owner: 'component_id',
    columns: ['name', 'prefix', 'title'],
  },
] as const

function part(table: string, kind: Kind, column: string): Source {
  return { table, kind, key: 'rule_id', columns: [column, 'rule_id'] }
}

/**
 * Word lists of texts, computed outside the database. Triggers list the records with outdated words, and each
 * transaction updates these before it commits. Words are removed with their record.
 */
export async function words(db: Database, dialect: DialectName): Promise<void> {
  await (dialect === 'sqlite' ? inSqlite(db) : inPostgres(db))
  await titleWords(db, dialect)
  // Finds the newest release of each line without reading the rows.
  await index(db, 'benchmarks', 'kind', 'benchmark_id', 'major', 'minor', 'patch')
}

async function titleWords(db: Database, dialect: DialectName): Promise<void> {
  const { ordered, finish } = columnsOf(dialect)
  const table = db.schema
    .createTable('benchmark_words')
    .addColumn('word', ordered, (is) => is.notNull())
    .addColumn('benchmark_id', 'integer', (is) => is.notNull().references('benchmarks.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('benchmark_words_key', ['word', 'benchmark_id'])
  await finish(table).execute()
  await index(db, 'benchmark_words', 'benchmark_id')
}

async function inSqlite(db: Database): Promise<void> {
  await sql`drop trigger benchmark_rule_texts_go`.execute(db)
  await sql`drop table benchmark_rule_texts`.execute(db)
  await db.schema
    .createTable('stale_words')
    .addColumn('kind', 'text', (is) => is.notNull().check(oneOf('kind', Object.keys(RECORDS))))
    .addColumn('id', 'integer', (is) => is.notNull())
    .addPrimaryKeyConstraint('stale_words_key', ['kind', 'id'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
  for (const [kind, table] of Object.entries(RECORDS)) {
    const entries = sql.table(`${kind}_words`)
    // The words are already split: letters, digits and hyphens of any script.
    await sql`
      create virtual table ${entries} using fts5 (
        title, names, texts,
        tokenize = "ascii tokenchars '-'", prefix = '3', content = '', contentless_delete = 1
      )`.execute(db)
    await sql`
      create trigger ${sql.raw(`${kind}_words_go`)} after delete on ${sql.table(table)}
      begin delete from ${entries} where rowid = old.id; end`.execute(db)
  }
  for (const source of SOURCES) await watchInSqlite(db, source)
  for (const { table, kind, owner, columns } of CONTEXTS)
    await sql`
      create trigger ${sql.raw(`${table}_of_words_changed`)}
      after update of ${names(columns)} on ${sql.table(table)} when ${differs(columns, 'is not')}
      begin ${markInSqlite(
        kind,
        sql`select id from ${sql.table(RECORDS[kind])}
        where ${sql.ref(owner)} = new.id`,
      )} end`.execute(db)
}

async function watchInSqlite(db: Database, { table, kind, key, columns }: Source): Promise<void> {
  const on = sql.table(table)
  const [added, removed] = [sql`select new.${sql.ref(key)} as id`, sql`select old.${sql.ref(key)} as id`]
  await sql`
    create trigger ${sql.raw(`${table}_words_added`)} after insert on ${on}
    begin ${markInSqlite(kind, added)} end`.execute(db)
  await sql`
    create trigger ${sql.raw(`${table}_words_changed`)} after update of ${names(columns)} on ${on}
    when ${differs(columns, 'is not')}
    begin ${markInSqlite(kind, added)} ${markInSqlite(kind, removed)} end`.execute(db)
  if (key === 'id') return
  await sql`
    create trigger ${sql.raw(`${table}_words_removed`)} after delete on ${on}
    when exists (select 1 from ${sql.table(RECORDS[kind])} where id = old.rule_id)
    begin ${markInSqlite(kind, removed)} end`.execute(db)
}

/** Checks for existing rows first, because the conflict handling of the outer statement would apply here too. */
function markInSqlite(kind: Kind, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into stale_words (kind, id) select ${sql.lit(kind)}, marked.id from (${ids}) as marked
    where not exists (
      select 1 from stale_words as known where known.kind = ${sql.lit(kind)} and known.id = marked.id);`
}

function names(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

function differs(columns: readonly string[], how: string): RawBuilder<unknown> {
  const each = columns.map((column) => sql`old.${sql.ref(column)} ${sql.raw(how)} new.${sql.ref(column)}`)
  return sql`(${sql.join(each, sql` or `)})`
}

async function inPostgres(db: Database): Promise<void> {
  await sql`drop table benchmark_rule_texts`.execute(db)
  // Empty after each transaction, so it need not survive a crash.
  await sql`
    create unlogged table stale_words (
      kind text not null check (${oneOf('kind', Object.keys(RECORDS))}),
      id integer not null, primary key (kind, id))`.execute(db)
  for (const [kind, table] of Object.entries(RECORDS)) {
    const entries = sql.table(`${kind}_words`)
    await sql`
      create table ${entries} (
        id integer primary key references ${sql.table(table)} (id) on delete cascade,
        title tsvector not null, names tsvector not null, words tsvector not null)`.execute(db)
    for (const column of ['title', 'names', 'words'])
      await sql`
        create index ${sql.raw(`${kind}_words_by_${column}`)} on ${entries}
        using gin (${sql.ref(column)})`.execute(db)
  }
  for (const source of SOURCES) await watchInPostgres(db, source)
  for (const { table, kind, owner, columns } of CONTEXTS)
    await triggerInPostgres(db, {
      name: `${table}_of_words_changed`,
      when: sql`after update on ${sql.table(table)} for each row
        when (${differs(columns, 'is distinct from')})`,
      marks: sql`select ${sql.lit(kind)}, id from ${sql.table(RECORDS[kind])}
        where ${sql.ref(owner)} = new.id`,
    })
}

/** Many rows are inserted at once, so these triggers run once for each statement. */
async function watchInPostgres(db: Database, { table, kind, key, columns }: Source): Promise<void> {
  const [on, owner, of] = [sql.table(table), sql.ref(key), sql.lit(kind)]
  await triggerInPostgres(db, {
    name: `${table}_words_added`,
    when: sql`after insert on ${on} referencing new table as added for each statement`,
    marks: sql`select distinct ${of}, ${owner} from added`,
  })
  await triggerInPostgres(db, {
    name: `${table}_words_changed`,
    when: sql`after update on ${on} for each row when (${differs(columns, 'is distinct from')})`,
    marks: sql`values (${of}, new.${owner}), (${of}, old.${owner})`,
  })
  if (key === 'id') return
  await triggerInPostgres(db, {
    name: `${table}_words_removed`,
    when: sql`after delete on ${on} for each row`,
    marks: sql`select ${of}, id from ${sql.table(RECORDS[kind])} where id = old.rule_id`,
  })
}

async function triggerInPostgres(
  db: Database,
  { name, when, marks }: { name: string; when: RawBuilder<unknown>; marks: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    create function ${sql.raw(name)}() returns trigger language plpgsql as $$
    begin
      insert into stale_words (kind, id) ${marks} on conflict do nothing;
      return null;
    end $$`.execute(db)
  await sql`create trigger ${sql.raw(name)} ${when} execute function ${sql.raw(name)}()`.execute(db)
}
