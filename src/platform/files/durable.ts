import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../errors.ts'
import { makeFolder, refuseFolder } from './make-folder.ts'

/** Writes a draft, waits for the disk, then renames it, so that the file is either complete or unchanged. */
export async function writeDurably(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  makeFolder(folder)
  const draft = join(folder, `.${name}.${process.pid}.tmp`)
  try {
    const file = await open(draft, 'w')
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, join(folder, name))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(folder)
}

/** Waits until the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    return refuseFolder(error)
  }
}
