import { CsvError, parse } from 'csv-parse'
import { nextTurn } from '../../platform/concurrency/turns.ts'
import { domainNamed } from './domains.ts'
import { type IsKnown, type ListItem, type ReadList, refuseEntry } from './list-item.ts'

interface CsvOptions {
  readonly place: string
  readonly isKnown: IsKnown
  /** Limit of the rows; more are refused. */
  readonly maxRows: number
}

const ID_HEADS = new Set([
  'id',
  'ids',
  'attack',
  'attacks',
  'attackid',
  'attckid',
  'mitreid',
  'externalid',
  'technique',
  'techniques',
  'techniqueid',
  'd3fendid',
  'deftechid',
  'offtechid',
])
const DOMAIN_HEADS = new Set(['domain', 'domains', 'matrix', 'offtechdomain'])
/** Number of rows that are searched for the column of ids, if the head does not name it. */
const SAMPLE_ROWS = 100
const BATCH_SIZE = 500

interface CsvRow {
  readonly cells: readonly string[]
  readonly line: number
}

/**
 * Reads ids from a table (RFC 4180; commas, semicolons or tabs). A head names the columns of ids and perhaps of the
 * domain. Without such a head, all cells count if most of them are known ids, else the column with the most of them.
 */
export async function readCsv(text: string, options: CsvOptions): Promise<ReadList> {
  const rows = await readRows(text, options)
  const [head] = rows
  if (head === undefined) return { items: [], leftOut: 0 }
  const { columns, domains, hasHead } = findColumns(rows, head, options.isKnown)
  const items: ListItem[] = []
  for (const { cells, line } of hasHead ? rows.slice(1) : rows) {
    const stated = domains.flatMap((column) => domainNamed(cells[column] ?? '') ?? [])
    const [domain = null] = stated
    const values = columns.flatMap((column) => valuesOf(cells[column] ?? '', options.isKnown))
    for (const value of values) items.push({ value, place: `${options.place}line ${line}`, kind: null, domain })
  }
  return { items, leftOut: 0 }
}

async function readRows(text: string, { place, maxRows }: CsvOptions): Promise<readonly CsvRow[]> {
  const rows: CsvRow[] = []
  const settings = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true }
  try {
    const parser: AsyncIterable<{ record: string[]; info: { lines: number } }> = parse(text, {
      ...settings,
      delimiter: delimiterOf(text),
    })
    for await (const { record, info } of parser) {
      rows.push({ cells: record, line: info.lines })
      if (rows.length > maxRows + 1)
        throw refuseEntry(`${place}line ${info.lines}`, `At most ${maxRows} rows are read.`)
      if (rows.length % BATCH_SIZE === 0) await nextTurn()
    }
  } catch (error) {
    if (error instanceof CsvError) throw refuseEntry(`${place}csv`, `The table cannot be read: ${error.message}.`)
    throw error
  }
  return rows
}

/** The separator that the first line has most often. */
function delimiterOf(text: string): string {
  const end = text.search(/[\r\n]/)
  const line = text.slice(0, end === -1 ? 10_000 : end)
  const [best = ','] = [',', ';', '\t'].toSorted((a, b) => line.split(b).length - line.split(a).length)
  return best
}

function findColumns(rows: readonly CsvRow[], head: CsvRow, isKnown: IsKnown) {
  const names = head.cells.map((cell) => cell.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  const columnsNamed = (heads: ReadonlySet<string>): number[] =>
    names.flatMap((name, column) => (heads.has(name) ? [column] : []))
  const domains = columnsNamed(DOMAIN_HEADS)
  const columns = columnsNamed(ID_HEADS)
  if (columns.length > 0) return { columns, domains, hasHead: true }
  const sample = rows.slice(0, SAMPLE_ROWS)
  const width = Math.max(...sample.map(({ cells }) => cells.length))
  if (domains.length === 0 && isPlainList(sample, isKnown))
    return { columns: Array.from({ length: width }, (_, column) => column), domains, hasHead: false }
  const counts = Array.from({ length: width }, (_, column) => {
    return sample.filter(({ cells }) => valuesOf(cells[column] ?? '', isKnown).some(isKnown)).length
  })
  const best = counts.indexOf(Math.max(...counts))
  const headIsKnown = valuesOf(head.cells[best] ?? '', isKnown).some(isKnown)
  return { columns: [best], domains, hasHead: !headIsKnown && (counts[best] ?? 0) > 0 }
}

/** Whether cells are ids one after the other: in a single line, or most of them known. */
function isPlainList(rows: readonly CsvRow[], isKnown: IsKnown): boolean {
  const cells = rows.flatMap((row) => row.cells).filter((cell) => cell !== '')
  const knownCount = cells.filter((cell) => valuesOf(cell, isKnown).some(isKnown)).length
  return rows.length === 1 ? knownCount > 0 : 2 * knownCount > cells.length && rows.some((row) => row.cells.length > 1)
}

/** A cell may have several ids. If it has none, it is reported as it stands. */
function valuesOf(cell: string, isKnown: IsKnown): readonly string[] {
  if (cell === '') return []
  if (isKnown(cell)) return [cell]
  const parts = cell.split(/[\s,;|]+/).filter((part) => part !== '')
  return parts.some(isKnown) ? parts : [cell]
}
