// The door for the commands that save and restore, which start without the endpoints.
export { databaseAddress, type DatabaseAddress } from './database/database.ts'
export { requireEmpty, requireKnown, restoreDatabase, tablesAt } from './database/copies/restore.ts'
export { lineOf, rowOf, type Row } from './database/copies/rows.ts'
export { withSnapshot, type Snapshot, type TableCopy } from './database/copies/snapshot.ts'
export type { TableShape } from './database/copies/tables.ts'
export { findSecret, keyFile } from './parts/keys.ts'
