import { stat } from 'node:fs/promises'

/** Whether a path is an existing folder. */
export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() === true
}
