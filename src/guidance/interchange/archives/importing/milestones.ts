import type { Caller } from '../../../../http/caller.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { megabytes } from '../../../catalogue/files/limits.ts'
import { openZip, type Zip } from '../../../catalogue/files/zip.ts'
import { MAX_ALL_FROZEN_BYTES, MAX_FROZEN_BYTES } from '../../milestones/schemas.ts'
import { insertMilestone, storeFrozen } from '../../milestones/writer.ts'
import type { ArchivedComponent } from '../format/archive.ts'
import { readArchiveBytes } from '../format/read-in-thread.ts'
import type { Staging } from './staging.ts'

/** Checks that the frozen archives of milestones can be read, before anything is written. */
export async function checkMilestones(
  path: string,
  components: readonly ArchivedComponent[],
  caller: Pick<Caller, 'id'>,
): Promise<void> {
  if (components.every(({ milestones }) => milestones.length === 0)) return
  const zip = await openFiles(path)
  try {
    for (const component of components) await checkFiles(zip, component, caller)
  } finally {
    zip.close()
  }
}

async function checkFiles(zip: Zip, { milestones }: ArchivedComponent, caller: Pick<Caller, 'id'>): Promise<void> {
  let bytes = 0
  for (const { file } of milestones) {
    if (file === null) continue
    const content = await read(zip, file)
    bytes += content.length
    if (bytes > MAX_ALL_FROZEN_BYTES)
      throw new Refusal(
        'archive_unusable',
        `The frozen archives of a component exceed ${megabytes(MAX_ALL_FROZEN_BYTES)}.`,
      )
    await requireFrozen(content, file, caller)
  }
}

/** Refuses files that are not the archive of exactly one component, and names them. */
async function requireFrozen(content: Buffer, file: string, caller: Pick<Caller, 'id'>): Promise<void> {
  const { components } = await readArchiveBytes(content, caller).catch((error: unknown) => {
    throw error instanceof Refusal ? new Refusal(error.code, `${file}: ${error.message}`) : error
  })
  if (components.length !== 1) throw new Refusal('archive_unusable', `${file} is not the archive of one component.`)
}

/** Writes the milestones of a component, each in its own transaction. */
export async function stageMilestones(
  staging: Staging,
  { milestones }: ArchivedComponent,
  { path, componentId }: { readonly path: string; readonly componentId: number },
): Promise<void> {
  if (milestones.length === 0) return
  const zip = await openFiles(path)
  try {
    for (const { name, due_on, reached_at, reached_by, snapshot, readiness, file } of milestones) {
      const content = file === null ? null : await read(zip, file)
      const columns = { reached_by, snapshot, readiness: readiness === null ? null : JSON.stringify(readiness) }
      await staging.portion(async (writer) => {
        const id = await insertMilestone(writer, componentId, { name, due_on })
        if (content !== null && reached_at !== null) await storeFrozen(writer, id, { ...columns, reached_at, content })
      })
    }
  } finally {
    zip.close()
  }
}

function openFiles(path: string): Promise<Zip> {
  return openZip(path, (name) => /(?:^|\/)milestones\/\d+\.zip$/.test(name))
}

async function read(zip: Zip, file: string): Promise<Buffer> {
  const member = zip.members.find(({ name }) => name === file)
  if (member === undefined) throw new Refusal('archive_unusable', `The archive lacks ${file}.`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of member.read()) {
    bytes += chunk.length
    if (bytes > MAX_FROZEN_BYTES)
      throw new Refusal('too_large', `${file} is larger than ${megabytes(MAX_FROZEN_BYTES)}.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
