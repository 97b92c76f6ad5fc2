import { createHash } from 'node:crypto'
import { Readable, type Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, type BrotliOptions } from 'node:zlib'
import type { Coding } from '../../platform/negotiation.ts'
import type { Release } from '../release/release.ts'
import { resolvePath, type Resolved } from './resolve.ts'

const CHUNK = 64 * 1024

/** Levels at which packing costs about as much as rendering; higher ones gain little here. */
export const GZIP_OPTIONS = { level: 6 } as const

export function brotliOptions(size?: number): BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  return { params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_SIZE_HINT]: size ?? 0 } }
}

/** One answer, ready to be sent or written. */
export interface Rendered {
  readonly mediaType: string
  readonly coding: Coding
  readonly body: Uint8Array
  /** Length and SHA-256 (hex) of the identity form, whatever the coding. */
  readonly length: number
  readonly sha256: string
}

/**
 * Answers a decoded path. The same release gives the same bytes; nothing but the pieces being
 * packed stands in memory unpacked.
 */
export async function render(release: Release, path: string, coding: Coding): Promise<Rendered> {
  const resolved = resolvePath(release, path)
  const { view } = resolved
  const chunks = toChunks(view.format.write(await answer(release, resolved)))
  return { mediaType: view.format.mediaType, coding, ...(await pack(chunks, coding)) }
}

function answer(release: Release, { view, iri }: Resolved): Promise<unknown> {
  return iri === null ? view.answer(release) : view.answer(release, iri)
}

async function pack(
  chunks: Iterable<Buffer>,
  coding: Coding,
): Promise<Pick<Rendered, 'body' | 'length' | 'sha256'>> {
  const hash = createHash('sha256')
  let length = 0
  function* measured(): Generator<Buffer> {
    for (const chunk of chunks) {
      hash.update(chunk)
      length += chunk.length
      yield chunk
    }
  }
  const packer = createPacker(coding)
  const body = packer === null ? [...measured()] : await collect(measured(), packer)
  return { body: Buffer.concat(body), length, sha256: hash.digest('hex') }
}

function createPacker(coding: Coding): Transform | null {
  if (coding === 'gzip') return createGzip(GZIP_OPTIONS)
  return coding === 'br' ? createBrotliCompress(brotliOptions()) : null
}

async function collect(chunks: Iterable<Buffer>, packer: Transform): Promise<readonly Buffer[]> {
  const packed: Buffer[] = []
  packer.on('data', (chunk: Buffer) => packed.push(chunk))
  const ended = new Promise((resolve, reject) => {
    packer.on('end', resolve)
    packer.on('error', reject)
  })
  Readable.from(chunks).pipe(packer)
  await ended
  return packed
}

/** Text as UTF-8 in chunks that are worth handing on. */
function* toChunks(pieces: Iterable<string>): Generator<Buffer> {
  let pending: string[] = []
  let size = 0
  for (const piece of pieces) {
    pending.push(piece)
    size += piece.length
    if (size >= CHUNK) {
      yield Buffer.from(pending.join(''))
      pending = []
      size = 0
    }
  }
  if (size > 0) yield Buffer.from(pending.join(''))
}
