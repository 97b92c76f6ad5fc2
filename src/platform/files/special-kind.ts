import { statSync } from 'node:fs'

/**
 * Names what a path leads to if it is not a file; null for a file, and if nothing can be read. It is called before a
 * file is opened that a person named, because opening a pipe waits until somebody else opens its other end.
 */
export function specialKindOf(path: string): string | null {
  try {
    const found = statSync(path)
    if (found.isFile()) return null
    if (found.isDirectory()) return 'a folder'
    if (found.isFIFO()) return 'a pipe'
    return found.isSocket() ? 'a socket' : 'a device'
  } catch {
    return null
  }
}
