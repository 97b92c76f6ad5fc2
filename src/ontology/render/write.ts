import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { replaceFile, replaceFileSync } from '../../platform/files/replace-file.ts'
import type { Release } from '../release/release.ts'
import { createPacker, measureChunks, renderChunks, toChunks, type AnswerDigest } from './render.ts'

interface OutputFile {
  readonly file: string
  /** Whether to write `.gz` and `.br` beside it. */
  readonly compress: boolean
}

/**
 * Writes the answer to a decoded path to a file in an existing folder, chunk by chunk. Readers see the old file or the
 * new one, never half of it.
 */
export async function writeAnswer(release: Release, path: string, target: OutputFile): Promise<AnswerDigest> {
  const { chunks } = await renderChunks(release, path)
  return writeChunks(chunks, target)
}

/** Writes text in pieces in the same way. */
export async function writePieces(pieces: Iterable<string>, target: OutputFile): Promise<AnswerDigest> {
  return writeChunks(toChunks(pieces), target)
}

async function writeChunks(chunks: Iterable<Buffer>, { file, compress }: OutputFile): Promise<AnswerDigest> {
  const { measured, measure } = measureChunks(chunks)
  replaceFileSync(file, measured)
  if (compress) {
    await packFile(file, 'gzip', `${file}.gz`)
    await packFile(file, 'br', `${file}.br`)
  }
  return measure()
}

async function packFile(file: string, coding: 'gzip' | 'br', packed: string): Promise<void> {
  const packer = createPacker(coding)
  if (packer === null) throw new Error(`${coding} does not pack`)
  await replaceFile(packed, (draft) => pipeline(createReadStream(file), packer, createWriteStream(draft)))
}
