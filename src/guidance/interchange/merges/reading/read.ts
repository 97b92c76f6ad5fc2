import { open } from 'node:fs/promises'
import type { Caller } from '../../../../http/caller.ts'
import type { Upload } from '../../../../http/upload.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { partsReader } from '../../../../platform/threads/read-parts.ts'
import { siblingModule } from '../../../../platform/threads/thread.ts'
import { headText } from '../../../catalogue/files/encoding.ts'
import { openZip } from '../../../catalogue/files/zip.ts'
import { readArchive } from '../../archives/format/read.ts'
import { SNAPSHOT } from '../../exports/component/snapshot.ts'
import type { SheetEncoding } from '../../spreadsheets/reading/encoding.ts'
import { readSpreadsheet } from '../../spreadsheets/reading/read.ts'
import { archiveRules } from './archive-rules.ts'
import { notMergeable } from './refusals.ts'
import { RETURNED_PARTS } from './returned-parts.ts'
import type { FileFormat, ReturnedFile, ReturnedRule } from './returned.ts'
import { sheetRules } from './sheet-rules.ts'

const readParts = partsReader(siblingModule(import.meta.url, 'returned-worker'), RETURNED_PARTS)

export interface ReadingContext {
  readonly caller: Pick<Caller, 'id'>
  /** The encoding of a CSV file; null if its bytes are to show it. */
  readonly encoding: SheetEncoding | null
  readonly component: { readonly name: string; readonly prefix: string; readonly document_type: 'stig' | 'srg' }
}

/**
 * Reads a file that came back, recognised by its bytes: a spreadsheet, an archive, an XCCDF file or a checklist. Refuses
 * what the imports of each refuse, and `merge_unusable`.
 */
export async function readReturned(upload: Upload, context: ReadingContext): Promise<ReturnedFile> {
  const { caller, component } = context
  const kind = await kindOf(upload.path)
  if (kind === 'archive') {
    const archive = archiveRules(await readArchive(upload, caller), component)
    return { format: 'archive', form: 'archive', warnings: [], encoding: null, ...archive }
  }
  if (kind === 'document') return readDocument(upload, context)
  if (component.document_type !== 'stig')
    throw notMergeable('A spreadsheet can only be merged into a STIG. Send an archive or an XCCDF file.')
  const sheet = await readSpreadsheet(upload, caller, context.encoding)
  return { format: 'spreadsheet', snapshots: await snapshotsOf(upload.path), ...sheetRules(sheet) }
}

async function readDocument({ path, bytes }: Upload, { caller, component }: ReadingContext): Promise<ReturnedFile> {
  let head: { readonly format: FileFormat; readonly snapshots: readonly string[] } = { format: 'xccdf', snapshots: [] }
  const rules: ReturnedRule[] = []
  for await (const part of readParts({ task: path, bytes, account: caller.id })) {
    if (part.kind === 'head') head = { format: part.format, snapshots: part.snapshots }
    // Requirements of an SRG have no STIG ids: files repeat the id of the requirement.
    else if (component.document_type === 'srg') rules.push(...part.rules.map((rule) => ({ ...rule, stigId: '' })))
    else rules.push(...part.rules)
  }
  return { ...head, form: head.format === 'xccdf' ? 'xccdf' : 'checklist', rules, warnings: [], encoding: null }
}

const HEAD_BYTES = 4096

async function kindOf(path: string): Promise<'spreadsheet' | 'archive' | 'document'> {
  const head = await headOf(path)
  if (head.length === 0) throw new Refusal('empty_file', 'The file is empty.')
  if (isZip(head)) return (await hasManifest(path)) ? 'archive' : 'spreadsheet'
  return /^\ufeff?(?:\xef\xbb\xbf)?\s*(?:<|\{\s*["}])/.test(headText(head)) ? 'document' : 'spreadsheet'
}

async function headOf(path: string): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function isZip(head: Buffer): boolean {
  return head.toString('latin1').startsWith('PK')
}

async function hasManifest(path: string): Promise<boolean> {
  const zip = await openZip(path, (name) => name === 'manifest.json')
  zip.close()
  return zip.members.some(({ name }) => name === 'manifest.json')
}

/** Larger properties are not ours. */
const MAX_PROPERTIES = 100_000

/** The digests in the document properties of a workbook; none in a CSV file. */
async function snapshotsOf(path: string): Promise<readonly string[]> {
  if (!isZip(await headOf(path))) return []
  const zip = await openZip(path, (name) => name === 'docProps/custom.xml')
  try {
    const member = zip.members.find(({ name }) => name === 'docProps/custom.xml')
    let text = ''
    for await (const chunk of member?.read() ?? []) {
      text += Buffer.from(chunk).toString('latin1')
      if (text.length > MAX_PROPERTIES) return []
    }
    return [...text.matchAll(new RegExp(`name="${SNAPSHOT}[ 0-9]*"[^>]*>\\s*<[^>]*>([0-9a-f]{64})<`, 'g'))].flatMap(
      ([, digest]) => digest ?? [],
    )
  } finally {
    zip.close()
  }
}
