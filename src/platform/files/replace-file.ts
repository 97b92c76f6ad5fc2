import { rename, rm } from 'node:fs/promises'
import { storageRefusal } from '../storage.ts'

/** Writes a draft beside a file and puts it in its place: readers see the old file or the new one. */
export async function replaceFile(file: string, write: (draft: string) => Promise<void> | void): Promise<void> {
  const draft = `${file}.tmp`
  try {
    await write(draft)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw storageRefusal(error) ?? error
  }
}
