import { Refusal } from '../../../platform/errors.ts'
import { sizeOf } from '../../../platform/files/size-of.ts'
import { headText } from '../../catalogue/files/encoding.ts'
import { readHead } from '../../catalogue/files/read-head.ts'
import { openZip } from '../../catalogue/files/zip.ts'
import type { ReadOptions } from '../../catalogue/xccdf/benchmark.ts'
import type { SheetEncoding } from '../spreadsheets/reading/encoding.ts'
import { checkArchive } from './archives.ts'
import { checkBenchmarks } from './benchmarks.ts'
import { problemAt } from './problem-at.ts'
import type { FileCheck } from './problem.ts'
import { checkSheet } from './sheets.ts'

interface CheckOptions extends ReadOptions {
  /** The name of the file, for people. */
  readonly name: string
  /** The encoding of a CSV file; null or left out: its bytes show it. */
  readonly encoding?: SheetEncoding | null
}

/**
 * Checks a file of rules, recognised by its bytes: XCCDF, a zip of benchmarks, a spreadsheet, or an archive. A file
 * that cannot be read is a result with one error; refuses only what is not a file (`source_not_found`).
 */
export async function checkFile(file: string, options: CheckOptions): Promise<FileCheck> {
  await sizeOf(file)
  let type: FileCheck['type'] = 'xccdf'
  try {
    type = await typeOf(file)
    if (type === 'archive') return await checkArchive(file)
    if (type === 'spreadsheet') return await checkSheet(file, options)
    return await checkBenchmarks(file, options)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { type, documents: [], problems: [problemAt('error', error.code, error.message)] }
  }
}

/** The members by which a zip is recognised. */
const MEMBERS = ['manifest.json', '[Content_Types].xml']

/** The type of a file by its first bytes, and of a zip by its members. */
export async function typeOf(file: string): Promise<FileCheck['type']> {
  const { head } = await readHead(file)
  const start = headText(head).trimStart()
  if (start.startsWith('PK')) {
    const zip = await openZip(file, (name) => MEMBERS.includes(name))
    zip.close()
    const names = zip.members.map(({ name }) => name)
    if (names.includes('[Content_Types].xml')) return 'spreadsheet'
    return names.includes('manifest.json') ? 'archive' : 'xccdf'
  }
  return start === '' || start.startsWith('<') || start.startsWith('{') ? 'xccdf' : 'spreadsheet'
}
