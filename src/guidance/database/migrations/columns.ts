import type { ColumnBuilderCallback, CreateTableBuilder, ColumnDataType, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { DialectName } from '../dialect.ts'

/** The types of columns, where the two databases differ. */
export interface Columns {
  readonly id: ColumnBuilderCallback
  readonly timestamp: ColumnDataType
  readonly bytes: ColumnDataType
  /** An integer of more than 32 bits. */
  readonly large: ColumnDataType
  /** A text that both databases sort by code points. */
  readonly ordered: ColumnDataType | RawBuilder<unknown>
  readonly finish: <T extends string, C extends string>(table: CreateTableBuilder<T, C>) => CreateTableBuilder<T, C>
}

const SQLITE: Columns = {
  id: (column) => column.primaryKey().autoIncrement(),
  timestamp: 'text',
  bytes: 'blob',
  large: 'integer',
  ordered: 'text',
  finish: (table) => table.modifyEnd(sql`strict`),
}

const POSTGRES: Columns = {
  id: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  timestamp: 'timestamptz',
  bytes: 'bytea',
  large: 'bigint',
  ordered: sql`text collate "C"`,
  finish: (table) => table,
}

export function columnsOf(dialect: DialectName): Columns {
  return dialect === 'sqlite' ? SQLITE : POSTGRES
}
