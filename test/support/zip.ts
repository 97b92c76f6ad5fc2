import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { openZip } from '../../src/guidance/catalogue/files/zip.ts'

/** A zip with these members, in this order. */
export async function zipOf(members: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(members)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

/** The files of a zip, by name. */
export async function membersOf(zip: Uint8Array): Promise<ReadonlyMap<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-test-'))
  try {
    const path = join(folder, 'members.zip')
    await writeFile(path, zip)
    const opened = await openZip(path, () => true)
    const members = new Map<string, Buffer>()
    for (const { name, read } of opened.members) members.set(name, await buffer(read()))
    opened.close()
    return members
  } finally {
    await rm(folder, { recursive: true })
  }
}
