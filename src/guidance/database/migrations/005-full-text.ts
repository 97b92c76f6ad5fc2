import { sql, type Kysely } from 'kysely'
import type { DialectName } from '../dialect.ts'

/**
 * Full-text indexes of catalogue rules: FTS5 in SQLite, which keeps no copy of the texts, and `tsvector` in PostgreSQL.
 * An entry is removed with its rule.
 */
export async function fullText(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await (dialect === 'sqlite' ? inSqlite(db) : inPostgres(db))
}

async function inSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`
    create virtual table benchmark_rule_texts using fts5 (
      title, fix, guidance,
      tokenize = 'porter unicode61', content = '', contentless_delete = 1
    )`.execute(db)
  await sql`
    create trigger benchmark_rule_texts_go after delete on benchmark_rules
    begin delete from benchmark_rule_texts where rowid = old.id; end`.execute(db)
}

async function inPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table benchmark_rule_texts (
      rule_id integer primary key references benchmark_rules (id) on delete cascade,
      words tsvector not null
    )`.execute(db)
  await sql`
    create index benchmark_rule_texts_by_words on benchmark_rule_texts using gin (words)`.execute(db)
}
