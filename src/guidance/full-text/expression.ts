import { sql, type Expression, type RawBuilder } from 'kysely'
import type { GuidanceQuestion, Meaning, Phrase } from '../../contracts/sources.ts'
import type { DialectName } from '../database/dialect.ts'
import type { StaleKind } from '../database/schema/words.ts'

/**
 * Entries looked at for one question, in order of their numbers: those that are more common than this are
 * cut, so that no question costs more than its limit.
 */
const MOST_ENTRIES = 20_000
/** What `wordsOf` and `nameOf` can give; nothing else is in the tables, or an operator. */
const WORD = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u

export interface Sought extends Pick<GuidanceQuestion, 'wanted' | 'unwanted' | 'where'> {
  readonly kind: StaleKind
}

/** Numbers of the entries that have all that is wanted, in order; null: there can be none. */
export function entriesWith(dialect: DialectName, sought: Sought): RawBuilder<unknown> | null {
  if (dialect === 'postgres') return entriesInPostgres(sought, sql.lit(MOST_ENTRIES))
  const matches = matchInSqlite(sought)
  if (matches === null) return null
  const table = sql.table(`${sought.kind}_words`)
  return sql`select rowid as id from ${table} where ${matches} order by rowid limit ${sql.lit(MOST_ENTRIES)}`
}

/** See migration 015; null for `most`: all. */
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

/** The condition on the table of words; null: nothing can meet it. */
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
  /** Of the records. */
  readonly table: string
  /** A condition on `rule`, the record. */
  readonly filter: RawBuilder<unknown>
  readonly limit: number
}

/**
 * Numbers of the first records that have all that is wanted. Either database takes the entries one after
 * the other and stops at the limit; neither is told to sort what comes in order, because it would take all
 * of them first. PostgreSQL would rather begin with the records, whose number it cannot guess, where it sees
 * that it may.
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

/** Whether what stands before is in a set, a query in brackets, that is worked out once. */
export function isIn(dialect: DialectName, query: Expression<unknown>): RawBuilder<unknown> {
  return dialect === 'sqlite' ? sql`in ${query}` : sql`= any(array${query})`
}

/** Null: nothing can have all of it. */
function allOf(dialect: DialectName, wanted: readonly Meaning[]): string | null {
  const known = wanted.map(({ ways }) => ways.filter(isPossible))
  if (known.length === 0 || known.some((ways) => ways.length === 0)) return null
  return `(${known.map((ways) => anyOf(dialect, ways)).join(AND[dialect])})`
}

/** What must not be there; null: anything may be. */
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
