import { createHash, randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { Refusal } from '../../../../platform/errors.ts'
import type { NewAttachment } from '../../../authoring/attachments/receive.ts'
import { requireClean, type Scanner } from '../../../authoring/attachments/scan.ts'
import { MAX_COMPONENT_BYTES, MAX_FILE_BYTES, mediaTypeOf } from '../../../authoring/attachments/types.ts'
import { insertAttachment } from '../../../authoring/attachments/writer.ts'
import { openZip, type Zip } from '../../../catalogue/files/zip.ts'
import type { ArchivedComponent } from '../format/archive.ts'
import type { AttachmentRecord } from '../format/schemas.ts'
import type { Staging } from './staging.ts'

/** Checks the attachments of the components like uploads, before anything is written. */
export async function checkAttachments(
  path: string,
  components: readonly ArchivedComponent[],
  scanner: Scanner | null,
): Promise<void> {
  if (components.every(({ attachments }) => attachments.length === 0)) return
  const zip = await openFiles(path)
  try {
    for (const component of components) await checkFiles(zip, component, { path, scanner })
  } finally {
    zip.close()
  }
}

async function checkFiles(
  zip: Zip,
  { attachments }: ArchivedComponent,
  { path, scanner }: { readonly path: string; readonly scanner: Scanner | null },
): Promise<void> {
  let bytes = 0
  for (const record of attachments) {
    const file = await read(zip, record)
    bytes += file.content.length
    if (bytes > MAX_COMPONENT_BYTES)
      throw new Refusal(
        'archive_unusable',
        `The attachments of a component exceed ${MAX_COMPONENT_BYTES / 1_000_000} MB.`,
      )
    if (scanner !== null) await scan(path, file, scanner)
  }
}

/** Writes the content to a file beside the archive for the scanner, which reads files only. */
async function scan(path: string, file: Pick<NewAttachment, 'name' | 'content'>, scanner: Scanner): Promise<void> {
  const scanPath = `${path}-${randomUUID()}`
  try {
    await writeFile(scanPath, file.content, { mode: 0o600, flag: 'wx' })
    await requireClean(scanPath, file.name, scanner)
  } finally {
    await rm(scanPath, { force: true })
  }
}

/** Writes the attachments of a component, each in its own transaction. */
export async function stageAttachments(
  staging: Staging,
  { attachments }: ArchivedComponent,
  { path, rules }: { readonly path: string; readonly rules: ReadonlyMap<number, number> },
): Promise<void> {
  if (attachments.length === 0) return
  const zip = await openFiles(path)
  try {
    for (const record of attachments) {
      const ruleId = rules.get(Number(record.rule_id)) ?? 0
      const file = await read(zip, record)
      const author = { id: null, name: record.author_name ?? '' }
      const createdAt = record.created_at ?? new Date().toISOString()
      await staging.portion((writer) => insertAttachment(writer, ruleId, { file, author, createdAt }))
    }
  } finally {
    zip.close()
  }
}

function openFiles(path: string): Promise<Zip> {
  return openZip(path, (name) => /(?:^|\/)attachments\/\d+$/.test(name))
}

async function read(zip: Zip, { file, name, sha256 }: AttachmentRecord): Promise<NewAttachment> {
  const member = zip.members.find((candidate) => candidate.name === file)
  if (member === undefined) throw new Refusal('archive_unusable', `The archive lacks the attachment ${file}.`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of member.read()) {
    bytes += chunk.length
    if (bytes > MAX_FILE_BYTES)
      throw new Refusal('too_large', `The attachment ${file} is larger than ${MAX_FILE_BYTES / 1_000_000} MB.`)
    chunks.push(chunk)
  }
  const content = Buffer.concat(chunks)
  const digest = createHash('sha256').update(content).digest('hex')
  if (digest !== sha256) throw new Refusal('archive_unusable', `The attachment ${file} differs from its sha256.`)
  return { name, mediaType: mediaTypeOf(name, content), sha256, content }
}
