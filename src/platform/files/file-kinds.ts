import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { hasCode, Refusal } from '../errors.ts'

/**
 * Names the kind of a path that is not a file; null for a file, and if it cannot be read. It is called before files that
 * people name are opened, because opening a pipe waits for its other end.
 */
export function specialKindOf(path: string): string | null {
  try {
    const stats = statSync(path)
    if (stats.isFile()) return null
    if (stats.isDirectory()) return 'a folder'
    if (stats.isFIFO()) return 'a pipe'
    return stats.isSocket() ? 'a socket' : 'a device'
  } catch {
    return null
  }
}

/** The size of a file in bytes. Refuses (`source_not_found`) what is not a file; the message does not give the path. */
export async function sizeOf(file: string): Promise<number> {
  const stats = await stat(file).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  })
  if (stats?.isFile() === true) return stats.size
  const kind = specialKindOf(file)
  const why = kind === null ? 'There is no such file.' : `It is ${kind}, and not a file.`
  throw new Refusal('source_not_found', why)
}

/** Whether a path is an existing folder. */
export async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null)
  return stats?.isDirectory() === true
}
