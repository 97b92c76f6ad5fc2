import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { messageOf } from '../../../../platform/errors.ts'

/** A file in a zip. */
export interface Member {
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
}

/** A zip of these members. A member is read after the bytes of the previous ones are sent. */
export function zipOf(members: AsyncIterable<Member>, date: Date): AsyncIterable<Uint8Array> {
  const zip = new ZipFile()
  const output = new PassThrough()
  const fail = (error: unknown): void => {
    output.destroy(error instanceof Error ? error : new Error(messageOf(error)))
  }
  zip.on('error', fail)
  zip.outputStream.pipe(output)
  fill(zip, { members, date, output }).catch(fail)
  return output
}

interface ZipContent {
  readonly members: AsyncIterable<Member>
  readonly date: Date
  readonly output: PassThrough
}

async function fill(zip: ZipFile, { members, date, output }: ZipContent): Promise<void> {
  const names = new Set<string>()
  for await (const { name, content } of members) {
    const stream = Readable.from(content)
    const stop = (): void => void stream.destroy()
    // Stops reading when the receiver disconnects.
    output.once('close', stop)
    zip.addReadStream(stream, freeName(name, names), { mtime: date })
    await finished(stream)
    output.off('close', stop)
  }
  zip.end()
}

/** Adds a number to a name that is taken. Ignores case, because some file systems do. */
function freeName(name: string, takenNames: Set<string>): string {
  const [, stem = name, ending = ''] = /^(.*?)((?:-[a-z]+)?\.[a-z]+)$/s.exec(name) ?? []
  let free = name
  for (let number = 2; takenNames.has(free.toLowerCase()); number += 1) free = `${stem}-${number}${ending}`
  takenNames.add(free.toLowerCase())
  return free
}
