import { open } from 'node:fs/promises'
import type { Caller } from '../../../../http/caller.ts'
import type { Upload } from '../../../../http/upload.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { pick } from '../../../../platform/records.ts'
import { partsReader } from '../../../../platform/threads/read-parts.ts'
import { siblingModule } from '../../../../platform/threads/thread.ts'
import { headText } from '../../../catalogue/files/encoding.ts'
import { openZip } from '../../../catalogue/files/zip.ts'
import { readArchive } from '../../archives/format/read-in-thread.ts'
import { SNAPSHOT } from '../../exports/component/snapshot.ts'
import type { SheetEncoding } from '../../spreadsheets/reading/encoding.ts'
import { readSpreadsheet } from '../../spreadsheets/reading/read.ts'
import { archiveRules } from './archive-rules.ts'
import { FILE_PARTS } from './file-parts.ts'
import { isProfileFile } from './inspec/profile-files.ts'
import type { FileFormat, MergeFile, FileForm, FileRule, ReadTask } from './merge-file.ts'
import { notMergeable } from './refusals.ts'
import { sheetRules } from './sheet-rules.ts'

const readParts = partsReader(siblingModule(import.meta.url, 'file-worker'), FILE_PARTS)

export interface ReadingContext {
  readonly caller: Pick<Caller, 'id'>
  /** The encoding of a CSV file; null if its bytes are to show it. */
  readonly encoding: SheetEncoding | null
  readonly component: { readonly name: string; readonly prefix: string; readonly document_type: 'stig' | 'srg' }
}

/**
 * Reads a file to merge, recognised by its bytes: a spreadsheet, an archive, an XCCDF file, a checklist or an
 * InSpec profile. Only a single Ruby file is recognised by its name. Refuses what the imports of each refuse, and
 * `merge_unusable`.
 */
export async function readMergeFile(upload: Upload, context: ReadingContext): Promise<MergeFile> {
  const { caller, component } = context
  const kind = await kindOf(upload)
  if (kind === 'archive') {
    const archive = archiveRules(await readArchive(upload, caller), component)
    return { format: 'archive', form: 'archive', warnings: [], encoding: null, ...archive }
  }
  if (kind !== 'spreadsheet') return readDocument(upload, context, kind)
  if (component.document_type !== 'stig')
    throw notMergeable('A spreadsheet can only be merged into a STIG. Send an archive or an XCCDF file.')
  const sheet = await readSpreadsheet(upload, caller, context.encoding)
  return { format: 'spreadsheet', snapshots: await snapshotsOf(upload.path), ...sheetRules(sheet) }
}

async function readDocument(
  { path, bytes }: Upload,
  { caller, component }: ReadingContext,
  kind: ReadTask['kind'],
): Promise<MergeFile> {
  let head: Pick<MergeFile, 'format' | 'snapshots' | 'warnings'> = { format: 'xccdf', snapshots: [], warnings: [] }
  const rules: FileRule[] = []
  for await (const part of readParts({ task: { path, kind }, bytes, account: caller.id })) {
    if (part.kind === 'head') head = pick(part, ['format', 'snapshots', 'warnings'])
    // Requirements of an SRG have no STIG ids: files repeat the id of the requirement.
    else if (component.document_type === 'srg' && kind === 'document')
      rules.push(...part.rules.map((rule) => ({ ...rule, stigId: '' })))
    else rules.push(...part.rules)
  }
  return { ...head, form: formOf(head.format), rules, encoding: null }
}

function formOf(format: FileFormat): FileForm {
  if (format === 'inspec') return 'profile'
  return format === 'xccdf' ? 'xccdf' : 'checklist'
}

const HEAD_BYTES = 4096

async function kindOf({ path, fileName }: Upload): Promise<'spreadsheet' | 'archive' | ReadTask['kind']> {
  const head = await headOf(path)
  if (head.length === 0) throw new Refusal('empty_file', 'The file is empty.')
  if (isZip(head)) return zipKind(path)
  if (head[0] === 0x1f && head[1] === 0x8b) return 'tar.gz'
  if (/\.rb$/i.test(fileName)) return 'ruby'
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

async function zipKind(path: string): Promise<'spreadsheet' | 'archive' | 'zip'> {
  const zip = await openZip(path, (name) => name === 'manifest.json' || isProfileFile(name))
  zip.close()
  if (zip.members.some(({ name }) => name === 'manifest.json')) return 'archive'
  return zip.members.length > 0 ? 'zip' : 'spreadsheet'
}

/** Document properties of our exports are smaller. */
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
