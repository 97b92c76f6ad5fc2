import { text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** The members of a zip as texts, in their order. */
export async function unzip(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const zip = await fromBufferPromise(bytes)
  const members = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    members.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  }
  return members
}
