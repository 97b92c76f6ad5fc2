import { sql, type Expression, type RawBuilder } from 'kysely'
import type { GuidanceQuestion, Meaning, Phrase } from '../../contracts/sources.ts'
import type { DialectName } from '../database/dialect.ts'
import type { StaleKind } from '../database/schema/words.ts'

/**
 * How many entries one query reads, in order of their numbers. Results for words that more entries have are cut, so
 * that no query costs more.
 */
const MOST_ENTRIES = 20_000
/** All that `wordsOf` and `nameOf` can return. Nothing else is in the tables, and it could be an operator. */
const WORD = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u

export interface Sought extends Pick<GuidanceQuestion, 'wanted' | 'unwanted' | 'where'> {
  readonly kind: StaleKind
}

/** Numbers of the entries that match everything sought, in order; null: there can be none. */
export function entriesWith(dialect: DialectName, sought: Sought): RawBuilder<unknown> | null {
  if (dialect === 'postgres') return entriesInPostgres(sought, sql.lit(MOST_ENTRIES))
  const matches = matchInSqlite(sought)
  if (matches === null) return null
  const table = sql.table(`${sought.kind}_words`)
  return sql`select rowid as id from ${table} where ${matches} order by rowid limit ${sql.lit(MOST_ENTRIES)}`
}

/** See migration 015. `most` null: all. */
export function entriesInPostgres(
  { kind, wanted, unwanted = [], where }: Sought,
  most: RawBuilder<unknown>,
): RawBuilder<unknown> | null {
  const all = allOf('postgres', wanted)
  if (all === null) return null
  const single = allOf('postgres', wanted.map(withoutPhrases))
  const phrased = single === all ? null : single === null ? all : `${all} & !${single}`
  const column = where === 'anywhere' ? 'words' : where
  const call = sql.ref(`${kind}_entries_by_${column}`)
  const absent = noneOf('postgres', unwanted)
  return sql`select id from
    ${call}(${single}::tsquery, ${phrased}::tsquery, ${absent}::tsquery, ${most}) as found (id)`
}

function withoutPhrases({ ways }: Meaning): Meaning {
  return { ways: ways.filter(({ words }) => words.length === 1) }
}

/** The condition on the table of words; null: nothing can match. */
export function matchInSqlite({
  kind,
  wanted,
  unwanted = [],
  where,
}: Sought): RawBuilder<unknown> | null {
  const all = allOf('sqlite', wanted)
  if (all === null) return null
  const there = where === 'anywhere' ? all : `(${where} : ${all})`
  const absent = noneOf('sqlite', unwanted)
  return sql`${sql.ref(`${kind}_words`)} match ${absent === null ? there : `${there} NOT ${absent}`}`
}

interface RecordFilter {
  /** The table of the records. */
  readonly table: string
  /** A condition on the record, which is called `rule`. */
  readonly filter: RawBuilder<unknown>
  readonly limit: number
}

/**
 * Numbers of the first records that match everything sought. Both databases take the entries one by one and stop at
 * the limit. No `order by`: it would make them read all entries first. The form for PostgreSQL keeps its planner
 * from starting with the records, because it cannot estimate their number.
 */
export function firstOf(
  dialect: DialectName,
  sought: Sought,
  { table, filter, limit }: RecordFilter,
): RawBuilder<number> | null {
  const entries = entriesWith(dialect, sought)
  if (entries === null) return null
  const records = sql.table(table)
  return dialect === 'sqlite'
    ? sql`(select rule.id from (${entries}) as entry
        cross join ${records} as rule on rule.id = entry.id where ${filter} limit ${limit})`
    : sql`(select entry.id from (${entries}) as entry
        where (select ${filter} from ${records} as rule where rule.id = entry.id) limit ${limit})`
}

/** A condition that a value is in a set, a query in brackets that is run once. */
export function isIn(dialect: DialectName, query: Expression<unknown>): RawBuilder<unknown> {
  return dialect === 'sqlite' ? sql`in ${query}` : sql`= any(array${query})`
}

/** Null: nothing can match everything. */
function allOf(dialect: DialectName, wanted: readonly Meaning[]): string | null {
  const known = wanted.map(({ ways }) => ways.filter(isPossible))
  if (known.length === 0 || known.some((ways) => ways.length === 0)) return null
  return `(${known.map((ways) => anyOf(dialect, ways)).join(AND[dialect])})`
}

/** The expression for what must not be there; null: nothing is excluded. */
function noneOf(dialect: DialectName, unwanted: readonly Phrase[]): string | null {
  const ways = unwanted.filter(isPossible)
  return ways.length === 0 ? null : anyOf(dialect, ways)
}

function anyOf(dialect: DialectName, ways: readonly Phrase[]): string {
  return `(${ways.map(PHRASES[dialect]).join(OR[dialect])})`
}

function isPossible({ words }: Phrase): boolean {
  return words.length > 0 && words.every((word) => WORD.test(word))
}

const AND = { sqlite: ' AND ', postgres: ' & ' }
const OR = { sqlite: ' OR ', postgres: ' | ' }

const PHRASES: Readonly<Record<DialectName, (way: Phrase) => string>> = {
  sqlite: ({ words, prefix }) => `"${words.join(' ')}"${prefix ? '*' : ''}`,
  postgres: ({ words, prefix }) =>
    `(${words.map((word) => `'${word}'`).join(' <-> ')}${prefix ? ':*' : ''})`,
}
