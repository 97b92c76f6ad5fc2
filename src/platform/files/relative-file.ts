import { rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'

/** The name of a file below a folder: a list of files may come from anywhere, and must not name others. */
export const relativeFile = z.string().refine((file) => !/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(file))

/** Removes a folder below `out` if it is empty, and then those above it. */
export async function removeEmptyFolders(out: string, folder: string): Promise<void> {
  if (folder === '.') return
  const isEmptied = await rmdir(join(out, folder)).then(
    () => true,
    () => false,
  )
  if (isEmptied) await removeEmptyFolders(out, dirname(folder))
}
