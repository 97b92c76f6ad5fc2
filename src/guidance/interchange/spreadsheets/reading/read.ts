import type { Caller } from '../../../../http/caller.ts'
import type { Upload } from '../../../../http/upload.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { partsReader } from '../../../../platform/threads/read-parts.ts'
import { siblingModule } from '../../../../platform/threads/thread.ts'
import type { ReadEncoding, SheetEncoding } from './encoding.ts'
import { MAX_FILE_BYTES } from './limits.ts'
import { SHEET_PARTS, type SheetRecord } from './records.ts'
import { withErrorMember } from './refusals.ts'

const readParts = partsReader(siblingModule(import.meta.url, 'spreadsheet-worker'), SHEET_PARTS)

export interface Sheet {
  readonly records: readonly SheetRecord[]
  /** Names cells that may have been misunderstood. */
  readonly warnings: readonly string[]
  /** The encoding of a CSV file that is not in UTF-8; null for other files. */
  readonly encoding: ReadEncoding
}

/**
 * Reads the first sheet of a workbook (.xlsx) or a CSV file on a separate thread. Without an encoding, the bytes of a
 * CSV file show it. Every refusal has the member `error`: `spreadsheet_unusable`, `unsupported_file_type`,
 * `bad_encoding`, `bad_zip`, `too_large`, `reading_too_long`, `overloaded`.
 */
export async function readSpreadsheet(
  upload: Upload | null,
  { id }: Pick<Caller, 'id'>,
  encoding: SheetEncoding | null = null,
): Promise<Sheet> {
  if (upload === null) throw new Error('There is no file')
  try {
    return await readSheet(upload, id, encoding)
  } catch (error) {
    throw withErrorMember(error)
  }
}

async function readSheet(
  { path, bytes }: Upload,
  account: number,
  givenEncoding: SheetEncoding | null,
): Promise<Sheet> {
  if (bytes > MAX_FILE_BYTES)
    throw new Refusal('too_large', `The file is larger than the limit of ${MAX_FILE_BYTES / 1_000_000} MB.`)
  const records: SheetRecord[] = []
  const warnings: string[] = []
  let encoding: ReadEncoding = null
  for await (const part of readParts({ task: { path, encoding: givenEncoding }, bytes, account })) {
    if (part.kind === 'records') records.push(...part.records)
    else {
      warnings.push(...part.warnings)
      encoding = part.encoding
    }
  }
  return { records, warnings, encoding }
}
