import { open } from 'node:fs/promises'
import { Refusal } from '../../../../platform/errors.ts'
import { readCsv } from './csv.ts'
import type { SheetTable } from './row.ts'
import { readSheets } from './sheet.ts'

const HEAD_BYTES = 65_536

/** The first bytes of other types that people upload by mistake. */
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

/** Byte order marks of encodings that are not supported. */
const OTHER_ENCODINGS = ['\xff\xfe', '\xfe\xff']

/** The sheets of a workbook, or a CSV file, recognised by its bytes, not by its name. Each is read when it is asked for. */
export async function* readTables(file: string): AsyncGenerator<SheetTable, void> {
  const head = await headOf(file)
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) {
    yield* readSheets(file)
    return
  }
  const known = MAGIC.find(([magic]) => head.startsWith(magic))
  if (known !== undefined) throw wrongKind(known[1])
  if (OTHER_ENCODINGS.some((mark) => head.startsWith(mark)))
    throw new Refusal('bad_encoding', 'The file is in UTF-16, not UTF-8. Save it as "CSV UTF-8".')
  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart()
  if (/^<(?:\?xml|!|[a-z])/i.test(text)) throw wrongKind('XML or HTML')
  if (/^[[{]\s*["[{\]}]/.test(text)) throw wrongKind('JSON')
  yield { sheet: null, rows: await readCsv(file, text) }
}

/** In Latin-1, so that each byte becomes one character. */
async function headOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead).toString('latin1')
  } finally {
    await handle.close()
  }
}

function wrongKind(kind: string): Refusal {
  return new Refusal('unsupported_file_type', `The file is ${kind}, not .xlsx or CSV.`)
}
