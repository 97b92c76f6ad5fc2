import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Upload } from '../../../http/upload.ts'
import { Refusal } from '../../../platform/errors.ts'
import { requireClean, type Scanner } from './scan.ts'
import { mediaTypeOf } from './types.ts'

/** A file that may be stored: its type is in the list, and the scanner has found nothing. */
export interface NewAttachment {
  readonly name: string
  readonly mediaType: string
  readonly sha256: string
  readonly content: Buffer
}

/** Checks a file; refuses empty ones, other types, and malware. */
export async function checkAttachment(
  { path, fileName: name }: Pick<Upload, 'path' | 'fileName'>,
  scanner: Scanner | null,
): Promise<NewAttachment> {
  const content = await readFile(path)
  if (content.length === 0) throw new Refusal('empty_file', 'The file is empty.')
  const mediaType = mediaTypeOf(name, content)
  await requireClean(path, name, scanner)
  return { name, mediaType, sha256: createHash('sha256').update(content).digest('hex'), content }
}
