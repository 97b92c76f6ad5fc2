import type { Caller } from '../../../../http/caller.ts'
import type { Upload } from '../../../../http/upload.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { partsReader } from '../../../../platform/threads/read-parts.ts'
import { siblingModule } from '../../../../platform/threads/thread.ts'
import { MAX_FILE_BYTES } from './limits.ts'
import { SHEET_PARTS, type SheetRecord } from './records.ts'
import { withErrorMember } from './refusals.ts'

const readParts = partsReader(siblingModule(import.meta.url, 'spreadsheet-worker'), SHEET_PARTS)

export interface Sheet {
  readonly records: readonly SheetRecord[]
  /** They name places that may have been misunderstood. */
  readonly warnings: readonly string[]
}

/**
 * Reads the first sheet of a workbook (.xlsx) or a CSV file on a separate thread. Every refusal has the member
 * `error`: `spreadsheet_unusable`, `unsupported_file_type`, `bad_encoding`, `bad_zip`, `too_large`,
 * `reading_too_long`, `overloaded`.
 */
export async function readSpreadsheet(upload: Upload | null, { id }: Pick<Caller, 'id'>): Promise<Sheet> {
  if (upload === null) throw new Error('There is no file')
  try {
    return await readSheet(upload, id)
  } catch (error) {
    throw withErrorMember(error)
  }
}

async function readSheet({ path, bytes }: Upload, account: number): Promise<Sheet> {
  if (bytes > MAX_FILE_BYTES)
    throw new Refusal('too_large', `The file is larger than the limit of ${MAX_FILE_BYTES / 1_000_000} MB.`)
  const records: SheetRecord[] = []
  const warnings: string[] = []
  for await (const part of readParts({ path, bytes, account })) {
    if (part.kind === 'head') warnings.push(...part.warnings)
    else records.push(...part.records)
  }
  return { records, warnings }
}
