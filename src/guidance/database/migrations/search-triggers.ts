import { sql, type Kysely } from 'kysely'
import type { DialectName } from '../dialect.ts'

type Database = Kysely<unknown>
type Event = 'insert' | 'update' | 'delete'

/** A table whose changes are logged for the search. */
export interface SearchSource {
  /** The prefix of the names of its triggers; by default the table. */
  readonly name?: string
  readonly table: string
  readonly on: readonly Event[]
  /** The columns whose changes are logged. The first one is the column that `changed` reads. */
  readonly columns: readonly string[]
  /** Part of a query for the kinds and numbers of the records that the changed rows (`touched`) belong to. */
  readonly changed: (touched: string) => string
}

/** Logs changes of the rows for the search (022-search-changes.ts). */
export async function watchForSearch(db: Database, dialect: DialectName, source: SearchSource): Promise<void> {
  await (dialect === 'sqlite' ? watchInSqlite(db, source) : watchInPostgres(db, source))
}

/** Removes the triggers of {@link watchForSearch}, which must then be called again with other columns. */
export async function stopWatching(
  db: Database,
  dialect: DialectName,
  { table, on, name = table }: Pick<SearchSource, 'table' | 'on' | 'name'>,
): Promise<void> {
  for (const event of on) {
    const trigger = `${name}_search_${event}`
    await run(db, dialect === 'sqlite' ? `drop trigger ${trigger}` : `drop function ${trigger}() cascade`)
  }
}

async function watchInSqlite(db: Database, { table, on, columns, changed, name = table }: SearchSource): Promise<void> {
  const [key = ''] = columns
  const rows = {
    insert: `(select new.${key} as ${key}) as touched`,
    update: `(select new.${key} as ${key} union select old.${key}) as touched`,
    delete: `(select old.${key} as ${key}) as touched`,
  }
  for (const event of on) {
    const when =
      event === 'update'
        ? `update of ${columns.join(', ')} on ${table} when ${differs(columns, 'is not')}`
        : `${event} on ${table}`
    await run(
      db,
      `create trigger ${name}_search_${event} after ${when}
      begin insert into search_changes (kind, id) ${changed(rows[event])}; end`,
    )
  }
}

/** Many rows are inserted and removed at once, so those triggers run once for each statement. */
async function watchInPostgres(
  db: Database,
  { table, on, columns, changed, name = table }: SearchSource,
): Promise<void> {
  const [key = ''] = columns
  for (const event of on) {
    const trigger = `${name}_search_${event}`
    const isUpdate = event === 'update'
    const touched = isUpdate ? `(select new.${key} as ${key} union select old.${key}) as touched` : 'touched'
    const when = isUpdate
      ? `update on ${table} for each row when ${differs(columns, 'is distinct from')}`
      : `${event} on ${table} referencing ${event === 'insert' ? 'new' : 'old'} table as touched
        for each statement`
    await run(
      db,
      `create function ${trigger}() returns trigger language plpgsql as $$
      begin
        insert into search_notes (kind, id) ${changed(touched)};
        if found and not exists (select from search_notes where kind = 'start') then
          insert into search_notes (kind, id) values ('start', 0);
        end if;
        return null;
      end $$`,
    )
    await run(db, `create trigger ${trigger} after ${when} execute function ${trigger}()`)
  }
}

function differs(columns: readonly string[], how: string): string {
  return `(${columns.map((column) => `old.${column} ${how} new.${column}`).join(' or ')})`
}

async function run(db: Database, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}
