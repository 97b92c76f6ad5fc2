import { sql, type Expression, type RawBuilder } from 'kysely'
import type { Wanted, Way } from '../../platform/words.ts'
import type { DialectName } from '../database/dialect.ts'
import type { StaleKind } from '../database/schema/words.ts'

/** Where the words have to be: among identifiers, in the title, or in any text. */
export type Where = 'names' | 'title' | 'anywhere'

/**
 * Entries looked at for one question, in order of their numbers: those that are more common than this are
 * cut, so that no question costs more than its limit.
 */
const MOST_ENTRIES = 20_000
/** What `wordsOf` and `nameOf` can give; nothing else is in the tables, or an operator. */
const WORD = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u

export interface Sought {
  readonly kind: StaleKind
  readonly wanted: readonly Wanted[]
  readonly unwanted?: readonly Way[]
  readonly where: Where
}

/** Numbers of the entries that have all that is wanted, in order; null: there can be none. */
export function entriesWith(dialect: DialectName, sought: Sought): RawBuilder<unknown> | null {
  const matches = matchingOf(dialect, sought)
  if (matches === null) return null
  const table = sql.table(`${sought.kind}_words`)
  const id = dialect === 'sqlite' ? sql`rowid` : sql`id`
  return sql`select ${id} as id from ${table} where ${matches} order by ${id} limit ${sql.lit(MOST_ENTRIES)}`
}

interface Filtered {
  /** Of the records. */
  readonly table: string
  /** A condition on `rule`, the record. */
  readonly filter: RawBuilder<unknown>
  readonly limit: number
}

/**
 * Numbers of the first records that have all that is wanted. Either database takes the entries one after
 * the other and stops at the limit. SQLite gives them in their order unless it is told to sort; PostgreSQL
 * would rather begin with the records, whose number it cannot guess, where it sees that it may.
 */
export function firstOf(
  dialect: DialectName,
  sought: Sought,
  { table, filter, limit }: Filtered,
): RawBuilder<number> | null {
  const entries = entriesWith(dialect, sought)
  if (entries === null) return null
  const records = sql.table(table)
  return dialect === 'sqlite'
    ? sql`(select rule.id from (${entries}) as entry
        cross join ${records} as rule on rule.id = entry.id where ${filter} limit ${limit})`
    : sql`(select entry.id from (${entries}) as entry
        where (select ${filter} from ${records} as rule where rule.id = entry.id)
        order by entry.id limit ${limit})`
}

/** Whether what stands before is in a set, a query in brackets, that is worked out once. */
export function isIn(dialect: DialectName, query: Expression<unknown>): RawBuilder<unknown> {
  return dialect === 'sqlite' ? sql`in ${query}` : sql`= any(array${query})`
}

/** The condition on a table of words; null: nothing can meet it. */
export function matchingOf(
  dialect: DialectName,
  { kind, wanted, unwanted = [], where }: Sought,
): RawBuilder<unknown> | null {
  const known = wanted.map(({ ways }) => ways.filter(isPossible))
  if (known.length === 0 || known.some((ways) => ways.length === 0)) return null
  const anyOf = (ways: readonly Way[]): string =>
    `(${ways.map(PHRASES[dialect]).join(OR[dialect])})`
  const all = `(${known.map(anyOf).join(AND[dialect])})`
  const without = unwanted.filter(isPossible)
  if (dialect === 'sqlite') {
    const there = where === 'anywhere' ? all : `(${where} : ${all})`
    const expression = without.length === 0 ? there : `${there} NOT ${anyOf(without)}`
    return sql`${sql.ref(`${kind}_words`)} match ${expression}`
  }
  const column = sql.ref(where === 'anywhere' ? 'words' : where)
  const absent = without.length === 0 ? sql`` : sql` and not words @@ ${anyOf(without)}::tsquery`
  return sql`${column} @@ ${all}::tsquery${absent}`
}

function isPossible({ words }: Way): boolean {
  return words.length > 0 && words.every((word) => WORD.test(word))
}

const AND = { sqlite: ' AND ', postgres: ' & ' }
const OR = { sqlite: ' OR ', postgres: ' | ' }

const PHRASES: Readonly<Record<DialectName, (way: Way) => string>> = {
  sqlite: ({ words, prefix }) => `"${words.join(' ')}"${prefix ? '*' : ''}`,
  postgres: ({ words, prefix }) =>
    `(${words.map((word) => `'${word}'`).join(' <-> ')}${prefix ? ':*' : ''})`,
}
