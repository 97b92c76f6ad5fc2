import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { relativeFile, removeEmptyFolders } from './relative-file.ts'

/** A file that the manifest of a published folder lists. */
export interface ManifestFile {
  readonly url: string
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** The files of a manifest by URL. The name of a file is only there if it is not the decoded URL. */
export const manifestEntries = z.record(z.string(), z.object({ file: relativeFile.optional() }))

export function entriesOf(files: readonly ManifestFile[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(files.map((file) => [file.url, entryOf(file)]))
}

function entryOf({ url, file, bytes, sha256 }: ManifestFile): Readonly<Record<string, unknown>> {
  return { bytes, sha256, ...(decodeURIComponent(url) !== `/${file}` && { file }) }
}

/** The name of the file with this URL in a published folder. */
export function fileOfUrl(url: string): string {
  return relativeFile.parse(decodeURIComponent(url).slice(1))
}

/** Removes files of a folder, and folders that are empty then. */
export async function removeFiles(folder: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    await rm(join(folder, file), { force: true })
    await removeEmptyFolders(folder, dirname(file))
  }
}
