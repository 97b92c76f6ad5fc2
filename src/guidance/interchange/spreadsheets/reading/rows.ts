import { Refusal } from '../../../../platform/errors.ts'
import { pieceDecoder } from '../../../catalogue/files/encoding.ts'
import { readHead } from '../../../catalogue/files/read-head.ts'
import { readCsv } from './csv.ts'
import { findEncoding, nameOf, type SheetEncoding } from './encoding.ts'
import type { SheetTable } from './row.ts'
import { readSheets } from './sheet.ts'

/** The first bytes of other kinds of files that people upload by mistake. */
const MAGIC: readonly (readonly [string, string])[] = [
  ['\xd0\xcf\x11\xe0', 'an old Excel file (.xls) or one with a password'],
  ['%PDF', 'a PDF document'],
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['\x1f\x8b', 'a gzip archive'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive'],
  ['Rar!', 'a RAR archive'],
  ['{\\rtf', 'a rich text document'],
]

/**
 * Reads the sheets of a workbook, or a CSV file, recognised by its bytes and not by its name. Reads each sheet when the
 * caller gets to it. Only CSV files have an encoding; without one, the bytes show it.
 */
export async function* readTables(file: string, givenEncoding: SheetEncoding | null): AsyncGenerator<SheetTable, void> {
  const { head: bytes } = await readHead(file)
  // Latin-1 turns each byte into one character.
  const head = bytes.toString('latin1')
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) {
    yield* readSheets(file)
    return
  }
  const otherKind = MAGIC.find(([magic]) => head.startsWith(magic))
  if (otherKind !== undefined) throw wrongKind(otherKind[1])
  const encoding = await findEncoding(file, bytes, givenEncoding)
  const isUtf16 = nameOf(encoding) === 'utf-16'
  const text = (isUtf16 ? pieceDecoder(encoding).decode(bytes, false) : head.replace(/^\xef\xbb\xbf/, '')).trimStart()
  if (/^<(?:\?xml|!|[a-z])/i.test(text)) throw wrongKind('XML or HTML')
  if (/^[[{]\s*["[{\]}]/.test(text)) throw wrongKind('JSON')
  const rows = await readCsv(file, encoding, text)
  yield { sheet: null, rows, encoding: nameOf(encoding) }
}

function wrongKind(kind: string): Refusal {
  return new Refusal('unsupported_file_type', `The file is ${kind}, not .xlsx or CSV.`)
}
