import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** A zip with these members, in this order. */
export async function zipOf(members: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(members)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}
