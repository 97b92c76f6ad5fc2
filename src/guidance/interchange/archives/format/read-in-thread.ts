import type { Caller } from '../../../../http/caller.ts'
import type { Upload } from '../../../../http/upload.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { partsReader } from '../../../../platform/threads/read-parts.ts'
import { siblingModule } from '../../../../platform/threads/thread.ts'
import { megabytes } from '../../../catalogue/files/limits.ts'
import type { ZipSource } from '../../../catalogue/files/zip.ts'
import { ARCHIVE_PARTS, type Archive, type ArchivedComponent, type ArchivePart } from './archive.ts'
import { MAX_ARCHIVE_BYTES } from './limits.ts'

const readParts = partsReader(siblingModule(import.meta.url, 'archive-worker'), ARCHIVE_PARTS)

type GatheredComponent = { -readonly [K in keyof ArchivedComponent]: ArchivedComponent[K] }

/**
 * Reads a JSON archive on a separate thread. Refuses `archive_unusable`, `bad_zip`, `empty_file`, `too_large`,
 * `reading_too_long` and `overloaded`.
 */
export function readArchive(
  { path, bytes }: Pick<Upload, 'path' | 'bytes'>,
  caller: Pick<Caller, 'id'>,
): Promise<Archive> {
  return readSource({ source: path, bytes }, caller)
}

/** Reads an archive that is in memory, without a file that a killed process would leave behind. */
export function readArchiveBytes(content: Uint8Array, caller: Pick<Caller, 'id'>): Promise<Archive> {
  return readSource({ source: content, bytes: content.length }, caller)
}

async function readSource(
  { source, bytes }: { readonly source: ZipSource; readonly bytes: number },
  { id: account }: Pick<Caller, 'id'>,
): Promise<Archive> {
  if (bytes === 0) throw new Refusal('empty_file', 'The file is empty.')
  if (bytes > MAX_ARCHIVE_BYTES)
    throw new Refusal('too_large', `The archive is larger than the limit of ${megabytes(MAX_ARCHIVE_BYTES)}.`)
  let head: Pick<Archive, 'project' | 'srgs'> = { project: null, srgs: [] }
  const replaced: string[] = []
  const components: GatheredComponent[] = []
  for await (const part of readParts({ task: source, bytes, account })) {
    const component = components.at(-1)
    if (part.kind === 'head') head = { project: part.project, srgs: part.srgs }
    else if (part.kind === 'replaced') replaced.push(part.name)
    else if (part.kind === 'component') components.push(empty(part.component))
    else if (component !== undefined) gather(component, part)
  }
  return { ...head, components, replaced }
}

function empty(component: ArchivedComponent['component']): GatheredComponent {
  return { component, rules: [], satisfactions: [], reviews: [], attachments: [], milestones: [] }
}

function gather(
  component: GatheredComponent,
  part: Exclude<ArchivePart, { readonly kind: 'head' | 'component' | 'replaced' }>,
): void {
  if (part.kind === 'rules') component.rules = [...component.rules, ...part.items]
  else if (part.kind === 'reviews') component.reviews = [...component.reviews, ...part.items]
  else if (part.kind === 'attachments') component.attachments = [...component.attachments, ...part.items]
  else if (part.kind === 'milestones') component.milestones = [...component.milestones, ...part.items]
  else component.satisfactions = [...component.satisfactions, ...part.items]
}
