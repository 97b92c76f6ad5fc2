import { sql, type RawBuilder } from 'kysely'
import type { Database, Writer } from '../database/database.ts'
import type { Portion } from './rule-parts.ts'

/** Of each text; real ones have up to 34,000. PostgreSQL takes no more than a megabyte of words. */
const MAX_CHARACTERS = 60_000

const TITLE = shortened(sql`rule.title`)
const FIX = shortened(
  sql`(select string_agg(text, ' ' order by id) from benchmark_fixes where rule_id = rule.id)`,
)
const CHECK = shortened(
  sql`(select string_agg(content, ' ' order by id) from benchmark_checks where rule_id = rule.id)`,
)
const GUIDANCE = sql`${CHECK} || ' ' || ${shortened(sql`rule.vuln_discussion`)}
  || ' ' || ${shortened(sql`rule.mitigations`)}`

function shortened(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`substr(coalesce(${text}, ''), 1, ${sql.lit(MAX_CHARACTERS)})`
}

/** Adds rules that have just been stored to the full-text index. */
export async function indexRules(writer: Writer, portion: Portion): Promise<void> {
  await insertEntries(
    writer,
    sql`rule.benchmark_id = ${portion.benchmarkId}
      and rule.position >= ${portion.from} and rule.position < ${portion.to}`,
  )
}

/** Adds what is missing: rules from before there was an index. One benchmark at a time. */
export async function completeFullText(database: Database): Promise<void> {
  const key = database.dialect === 'sqlite' ? sql`rowid` : sql`rule_id`
  const missing = sql`rule.id not in (select ${key} from benchmark_rule_texts)`
  const { rows } = await sql<{ id: number }>`
    select distinct rule.benchmark_id as id from benchmark_rules as rule where ${missing}`.execute(
    database.read,
  )
  for (const { id } of rows)
    await database.transact(async (writer) => {
      await writer.lock('benchmarks', 0)
      await insertEntries(writer, sql`rule.benchmark_id = ${id} and ${missing}`)
    })
}

async function insertEntries(writer: Writer, which: RawBuilder<unknown>): Promise<void> {
  const insert =
    writer.dialect === 'sqlite'
      ? sql`
        insert into benchmark_rule_texts (rowid, title, fix, guidance)
        select rule.id, ${TITLE}, ${FIX}, ${GUIDANCE} from benchmark_rules as rule where ${which}`
      : sql`
        insert into benchmark_rule_texts (rule_id, words)
        select rule.id, setweight(to_tsvector('english', ${TITLE}), 'A')
          || setweight(to_tsvector('english', ${FIX}), 'B')
          || setweight(to_tsvector('english', ${GUIDANCE}), 'D')
        from benchmark_rules as rule where ${which}`
  await insert.execute(writer)
}
