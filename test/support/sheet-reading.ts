import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SheetEncoding } from '../../src/guidance/interchange/spreadsheets/reading/encoding.ts'
import type { Sheet } from '../../src/guidance/interchange/spreadsheets/reading/read.ts'
import { toParts, type SheetPart } from '../../src/guidance/interchange/spreadsheets/reading/records.ts'
import { readTables } from '../../src/guidance/interchange/spreadsheets/reading/rows.ts'
import type { Refusal } from '../../src/platform/errors.ts'
import { temporaryFolder } from './folder.ts'
import { refusalOf } from './refusal.ts'

/** Reads a file on this thread, because starting another takes longer. */
export async function readSheet(file: string | Uint8Array, encoding: SheetEncoding | null = null): Promise<Sheet> {
  const path = join(await temporaryFolder(), 'sheet')
  await writeFile(path, file)
  const parts: SheetPart[] = []
  for await (const part of toParts(readTables(path, encoding))) parts.push(part)
  return {
    warnings: parts.flatMap((part) => (part.kind === 'head' ? part.warnings : [])),
    encoding: parts.flatMap((part) => (part.kind === 'head' ? [part.encoding] : []))[0] ?? null,
    records: parts.flatMap((part) => (part.kind === 'head' ? [] : part.records)),
  }
}

export function sheetRefusal(file: string | Uint8Array, encoding: SheetEncoding | null = null): Promise<Refusal> {
  return refusalOf(() => readSheet(file, encoding))
}
