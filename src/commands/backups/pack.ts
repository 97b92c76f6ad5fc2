import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { hasCode, Refusal } from '../../platform/errors.ts'
import { syncFolder } from '../../platform/files/durable.ts'
import type { BackupManifest, BackupPart } from './manifest.ts'
import { undoOnSignal } from './signals.ts'

/** Adds parts to a backup, one after the other. */
export interface Packer {
  add(name: string, content: AsyncIterable<Uint8Array>): Promise<BackupPart>
}

export const MANIFEST = 'manifest.json'
/** The comment of the zip, followed by the digest of the manifest. */
export const SEAL = 'Parapet backup, SHA-256 of manifest.json: '

/**
 * Writes a zip to a draft and renames it when it is complete and on the disk; after an error, nothing is left. Only its
 * owner may read it. Returns the manifest.
 */
export async function packInto(
  file: string,
  fill: (packer: Packer) => Promise<BackupManifest>,
): Promise<BackupManifest> {
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  const handle = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error
    throw new Refusal('folder_unusable', `${dirname(file)} is not a folder.`)
  })
  const remove = (): void => {
    rmSync(draft, { force: true })
  }
  try {
    return await undoOnSignal(remove, async () => {
      const manifest = await writeZip(handle, fill)
      await handle.sync()
      await handle.close()
      await rename(draft, file)
      await syncFolder(dirname(file))
      return manifest
    })
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
}

async function writeZip(
  handle: FileHandle,
  fill: (packer: Packer) => Promise<BackupManifest>,
): Promise<BackupManifest> {
  const zip = new ZipFile()
  const output = new PassThrough()
  zip.on('error', (error: Error) => output.destroy(error))
  zip.outputStream.pipe(output)
  const written = writeFile(handle, output)
  // Prevents an unhandled rejection; the promise is awaited at the end.
  written.catch(() => undefined)
  try {
    const manifest = await fill({ add: (name, content) => add({ zip, output }, name, content) })
    const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
    zip.addBuffer(text, MANIFEST)
    const digest = createHash('sha256').update(text).digest('hex')
    zip.end({ forceZip64Format: false, comment: `${SEAL}${digest}` })
    await written
    return manifest
  } catch (error) {
    output.destroy()
    // An error of the file system, such as a full disk, is the cause; errors of the parts only follow from it.
    await written.catch((fault: unknown) => {
      if (fault instanceof Error && 'syscall' in fault) throw fault
    })
    throw error
  }
}

interface Target {
  readonly zip: ZipFile
  readonly output: PassThrough
}

async function add({ zip, output }: Target, name: string, content: AsyncIterable<Uint8Array>): Promise<BackupPart> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of content) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const stream = Readable.from(counted(), { objectMode: false })
  const stop = (): void => void stream.destroy()
  output.once('close', stop)
  if (output.destroyed) stop()
  else zip.addReadStream(stream, name, { forceZip64Format: true, mode: 0o100600 })
  await finished(stream)
  output.off('close', stop)
  return { name, bytes, sha256: hash.digest('hex') }
}
