import { join } from 'node:path'

/** Longest name that common file systems take, in bytes. */
const MAX_NAME = 255

/**
 * The file for a decoded URL path, so that any static server that decodes the URL finds it. Dots
 * that would leave the folder are percent-encoded; null where a name is too long for a file.
 */
export function filePath(out: string, path: string): string | null {
  const names = path.split('/').filter((name) => name !== '')
  if (names.some((name) => Buffer.byteLength(name) > MAX_NAME)) return null
  return join(out, ...names.map((name) => (/^\.+$/.test(name) ? encodeDots(name) : name)))
}

function encodeDots(name: string): string {
  return name.replaceAll('.', '%2E')
}
