import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { z } from 'zod'
import { unguardFormulas } from '../../../../platform/csv/formula-guard.ts'
import { messageOf, Refusal } from '../../../../platform/errors.ts'
import { decoded, type FileEncoding } from './encoding.ts'
import { MAX_RECORD_CHARACTERS } from './limits.ts'
import { unusable } from './refusals.ts'
import { RowCounter, plain, RowCollector, type Cell, type SheetRow } from './row.ts'

const record = z.array(z.string())

/**
 * Reads the rows of a CSV file (RFC 4180) that are not blank. The separator is named in a first line `sep=`; else it is
 * the comma, semicolon or tab that is most frequent in the line of the headers.
 */
export async function readCsv(file: string, encoding: FileEncoding, head: string): Promise<readonly SheetRow[]> {
  const rows = new RowCollector()
  const namedDelimiter = namedSeparator(head)
  const delimiter = namedDelimiter ?? separatorOf(head)
  const parser = parse({
    bom: true,
    delimiter,
    // A banner before the table may have other line ends.
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_RECORD_CHARACTERS,
    relax_column_count: true,
  })
  // A line that names the separator does not count as a row.
  let number = namedDelimiter === null ? 0 : -1
  let refusal: unknown = null
  const readRecords = async (records: AsyncIterable<unknown>): Promise<void> => {
    for await (const fields of records) {
      number += 1
      if (number > 0) rows.add({ number, cells: cellsOf(record.parse(fields)) })
    }
  }
  try {
    await pipeline(Readable.from(bounded(decoded(file, encoding), delimiter)), parser, (records) =>
      readRecords(records).catch((error: unknown) => {
        refusal = error
        throw error
      }),
    )
  } catch (error) {
    // If the reader stops early, Node throws an AbortError in place of the refusal.
    throw toRefusal(refusal ?? error, number + 1)
  }
  return rows.rows
}

/** Limits the size of a row before parsing, because the parser collects all values of a row first. */
async function* bounded(pieces: AsyncIterable<string>, separator: string): AsyncGenerator<string, void> {
  const counter = new RowSizeCounter(separator)
  for await (const piece of pieces) {
    counter.count(piece)
    yield piece
  }
}

const [QUOTE, LINE_FEED, RETURN] = [0x22, 0x0a, 0x0d]

class RowSizeCounter {
  readonly #passed = new RowCounter()
  readonly #separator: number
  #quoted = false
  #before = 0

  constructor(separator: string) {
    this.#separator = separator.charCodeAt(0)
  }

  count(piece: string): void {
    for (let index = 0; index < piece.length; index += 1) this.#pass(piece.charCodeAt(index))
  }

  #pass(code: number): void {
    if (code === QUOTE) this.#quoted = !this.#quoted
    else if (!this.#quoted && code === this.#separator) this.#passed.cell()
    else if (!this.#quoted && this.#endsRow(code)) this.#passed.row()
    this.#before = code
  }

  #endsRow(code: number): boolean {
    return code === RETURN || (code === LINE_FEED && this.#before !== RETURN)
  }
}

function cellsOf(values: readonly string[]): Map<number, Cell> {
  const cells = new Map<number, Cell>()
  for (const [column, text] of values.entries()) if (text.trim() !== '') cells.set(column, plain(unguardFormulas(text)))
  return cells
}

/** The separator in a first line such as `sep=;`, which Excel reads; null without such a line. */
function namedSeparator(head: string): string | null {
  return /^"?sep=([^\r\n"])"?[,;\t]*\r?\n/i.exec(head)?.[1] ?? null
}

/** A row of headers has at least this many separators. Lines of a banner have fewer. */
const MIN_SEPARATORS = 6

function separatorOf(head: string): string {
  const lines = head.replaceAll(/"[^"]*"/g, '').split(/[\r\n]+/)
  const count = (line: string, separator: string): number => line.split(separator).length - 1
  const mostFrequentIn = (line: string): string =>
    [',', ';', '\t'].reduce((best, separator) => (count(line, separator) > count(line, best) ? separator : best))
  const headers = lines.find((line) => count(line, mostFrequentIn(line)) >= MIN_SEPARATORS)
  return mostFrequentIn(headers ?? lines[0] ?? '')
}

function toRefusal(error: unknown, row: number): unknown {
  if (!(error instanceof CsvError)) return error
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return new Refusal('too_large', `Row ${row} has more than ${MAX_RECORD_CHARACTERS} characters.`)
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return unusable('The CSV ends within quotation marks: one of them is missing.')
  return unusable(`Row ${row} of the CSV cannot be read: ${messageOf(error).slice(0, 200)}.`)
}
