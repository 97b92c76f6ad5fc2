import { sql, type CreateTableBuilder, type Kysely, type RawBuilder } from 'kysely'

type Table<T extends string, C extends string> = CreateTableBuilder<T, C>

/** Texts that may be null. */
export function texts<T extends string, C extends string>(
  table: Table<T, C>,
  names: readonly string[],
): Table<T, string> {
  return names.reduce<Table<T, string>>((built, name) => built.addColumn(name, 'text'), table)
}

export function requiredTexts<T extends string, C extends string>(
  table: Table<T, C>,
  names: readonly string[],
): Table<T, string> {
  return names.reduce<Table<T, string>>((built, name) => built.addColumn(name, 'text', (is) => is.notNull()), table)
}

export function numbers<T extends string, C extends string>(
  table: Table<T, C>,
  names: readonly string[],
): Table<T, string> {
  return names.reduce<Table<T, string>>((built, name) => built.addColumn(name, 'integer', (is) => is.notNull()), table)
}

/** 0 or 1, by default 0. */
export function flags<T extends string, C extends string>(
  table: Table<T, C>,
  names: readonly string[],
): Table<T, string> {
  return names.reduce<Table<T, string>>(
    (built, name) => built.addColumn(name, 'integer', (is) => is.notNull().defaultTo(0)),
    table,
  )
}

interface Reference {
  readonly to: string
  /** The effect of removing the other row; with `set null`, the column may be null. */
  readonly onDelete: 'cascade' | 'set null' | 'restrict'
}

/** Columns that refer to rows of other tables, by name. */
export function references<T extends string, C extends string>(
  table: Table<T, C>,
  columns: Readonly<Record<string, Reference>>,
): Table<T, string> {
  return Object.entries(columns).reduce<Table<T, string>>(
    (built, [name, { to, onDelete }]) =>
      built.addColumn(name, 'integer', (is) => {
        const column = is.references(`${to}.id`).onDelete(onDelete)
        return onDelete === 'set null' ? column : column.notNull()
      }),
    table,
  )
}

/** A condition that a value is one of these, or null. */
export function oneOf(column: string, values: readonly string[]): RawBuilder<unknown> {
  return sql`${sql.ref(column)} in (${sql.join(values.map((value) => sql.lit(value)))})`
}

/** An index that is named after its columns. */
export async function index(db: Kysely<unknown>, table: string, ...columns: readonly string[]): Promise<void> {
  await db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns([...columns])
    .execute()
}
