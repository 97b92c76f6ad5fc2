import { statSync } from 'node:fs'

/**
 * Names the kind of a path that is not a file; null for a file, and if it cannot be read. It is called before files that
 * people name are opened, because opening a pipe waits for its other end.
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
