import { Refusal } from '../platform/errors.ts'
import { CONTROL_CHARACTER } from './render/resolve.ts'

/** Refuses what cannot be decoded. */
export function decodePath(raw: string): string {
  let path: string
  try {
    path = decodeURIComponent(raw)
  } catch {
    throw new Refusal('bad_path', `The path has a percent sign that encodes nothing: ${raw}`)
  }
  const control = CONTROL_CHARACTER.exec(path)
  if (control === null) return path
  const code = control[0].charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()
  throw new Refusal('bad_path', `The path has a control character (U+${code}) in it.`)
}
