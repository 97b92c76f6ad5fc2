import { stat } from 'node:fs/promises'
import { hasCode, Refusal } from '../errors.ts'
import { specialKindOf } from './special-kind.ts'

/** The size of a file in bytes. Refuses (`source_not_found`) what is not a file; the message does not give the path. */
export async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  })
  if (found?.isFile() === true) return found.size
  const kind = specialKindOf(file)
  const why = kind === null ? 'There is no such file.' : `It is ${kind}, and not a file.`
  throw new Refusal('source_not_found', why)
}
