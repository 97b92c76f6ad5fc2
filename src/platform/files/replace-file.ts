import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { storageRefusal } from '../storage.ts'

/** Writes a draft and renames it to the file, so that readers see either the old file or the new one. */
export async function replaceFile(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = draftOf(file)
  try {
    await write(draft)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw storageRefusal(error) ?? error
  }
}

/**
 * Replaces a file synchronously, for threads that write thousands of small files: asynchronous steps would take longer.
 */
export function replaceFileSync(file: string, chunks: Iterable<Buffer>): void {
  const draft = draftOf(file)
  try {
    const handle = openSync(draft, 'w')
    try {
      for (const chunk of chunks) writeFileSync(handle, chunk)
    } finally {
      closeSync(handle)
    }
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw storageRefusal(error) ?? error
  }
}

function draftOf(file: string): string {
  return `${file}.tmp`
}
