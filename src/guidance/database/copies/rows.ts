import { Refusal } from '../../../platform/errors.ts'
import type { ColumnKind, TableColumn, TableShape } from './tables.ts'

export type RowValue = string | number | Buffer | null
export type Row = Readonly<Record<string, RowValue>>

/**
 * A row as one line of JSON. Bytes are an object with `base64`. A number that JavaScript cannot represent exactly is refused.
 */
export function lineOf(row: Readonly<Record<string, unknown>>, table: TableShape): string {
  const members = table.columns.map((column) => [column.name, toJson(row[column.name], column, table)])
  return `${JSON.stringify(Object.fromEntries(members))}\n`
}

function toJson(value: unknown, { name, kind }: TableColumn, table: TableShape): unknown {
  if (value === null) return null
  if (kind === 'text' && typeof value === 'string') return value
  if (kind === 'integer' && Number.isSafeInteger(value)) return value
  if (kind === 'bytes' && value instanceof Uint8Array)
    return { base64: Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64') }
  const content = typeof value === 'number' ? `the number ${value}` : `a ${typeof value}`
  throw new Refusal('database_unusable', `${table.name}.${name} holds ${content}, which a backup cannot store.`)
}

/** Parses a line as a row; refuses one that does not fit the table, with the reason. */
export function rowOf(line: string, { columns }: TableShape): Row {
  const parsed: unknown = JSON.parse(line)
  if (typeof parsed !== 'object' || parsed === null) throw refuseRow('it is not an object')
  const members = new Map<string, unknown>(Object.entries(parsed))
  const row: Record<string, RowValue> = {}
  for (const column of columns) {
    row[column.name] = fromJson(members.get(column.name), column)
    members.delete(column.name)
  }
  const [other] = members.keys()
  if (other !== undefined) throw refuseRow(`there is no column ${other}`)
  return row
}

const READERS: Readonly<Record<ColumnKind, (value: unknown) => RowValue | undefined>> = {
  text: (value) => (typeof value === 'string' ? value : undefined),
  integer: (value) => (typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined),
  bytes: (value) =>
    typeof value === 'object' && value !== null && 'base64' in value && typeof value.base64 === 'string'
      ? Buffer.from(value.base64, 'base64')
      : undefined,
}

function fromJson(value: unknown, { name, kind, nullable }: TableColumn): RowValue {
  if (value === null && nullable) return null
  const read = READERS[kind](value)
  if (read === undefined) throw refuseRow(`${name} is no ${kind}`)
  return read
}

function refuseRow(detail: string): Refusal {
  return new Refusal('backup_unusable', detail)
}
