import { sql, type QueryExecutorProvider } from 'kysely'
import type { DialectName } from '../dialect.ts'

/** The kinds of columns in both databases; a time is a text. */
export type ColumnKind = 'integer' | 'text' | 'bytes'

export interface TableColumn {
  readonly name: string
  readonly kind: ColumnKind
  readonly nullable: boolean
}

export interface TableShape {
  readonly name: string
  readonly columns: readonly TableColumn[]
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  INTEGER: 'integer',
  TEXT: 'text',
  BLOB: 'bytes',
  integer: 'integer',
  bigint: 'integer',
  text: 'text',
  'timestamp with time zone': 'text',
  bytea: 'bytes',
}

/**
 * Tables that are rebuilt and therefore not copied: the log of changes for the search, the records of migrations, presences,
 * and the words of texts in older schemas.
 */
const NOT_COPIED =
  /^(?:search_changes|search_notes|presences|schema_migrations|schema_migrations_lock|stale_words|benchmark_rule_texts|\w+_words)$/

/** The tables that a copy of the database includes, sorted by name; also for older schemas. */
export async function findTables(db: QueryExecutorProvider, dialect: DialectName): Promise<readonly TableShape[]> {
  const { rows } = await (dialect === 'sqlite' ? inSqlite : inPostgres).execute(db)
  const tables = new Map<string, TableColumn[]>()
  for (const { table_name, column_name, type, required } of rows) {
    if (NOT_COPIED.test(table_name)) continue
    const kind = KINDS[type]
    if (kind === undefined) throw new Error(`${table_name}.${column_name} is of type ${type}`)
    const columns = tables.get(table_name) ?? []
    columns.push({ name: column_name, kind, nullable: required === 0 })
    tables.set(table_name, columns)
  }
  return [...tables.keys()].sort().map((name) => ({ name, columns: tables.get(name) ?? [] }))
}

interface ColumnRow {
  readonly table_name: string
  readonly column_name: string
  readonly type: string
  readonly required: number
}

const inSqlite = sql<ColumnRow>`
  select found.name as table_name, info.name as column_name, info.type as type,
    (info."notnull" or info.pk > 0) as required
  from pragma_table_list as found, pragma_table_info(found.name) as info
  where found.schema = 'main' and found.type = 'table' and found.name not like 'sqlite#_%' escape '#'
  order by found.name, info.cid`

const inPostgres = sql<ColumnRow>`
  select columns.table_name, columns.column_name, columns.data_type as type,
    case columns.is_nullable when 'NO' then 1 else 0 end as required
  from information_schema.columns as columns
  join information_schema.tables as tables using (table_schema, table_name)
  where columns.table_schema = current_schema() and tables.table_type = 'BASE TABLE'
  order by columns.table_name, columns.ordinal_position`
