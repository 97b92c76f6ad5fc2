import { createHash } from 'node:crypto'
import { Readable, type Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { contentTypeOf, writeForm, type RdfForm } from '../../graph/syntax/forms.ts'
import type { Coding } from '../../http/answer/negotiation.ts'
import type { Release } from '../release/release.ts'
import { describeStatements, inbound } from '../views/describe/describe.ts'
import { resolvePath, type ResolvedView } from './resolve.ts'

const CHUNK_SIZE = 64 * 1024

/** One answer, ready to be sent. */
export interface RenderedAnswer extends AnswerDigest {
  readonly mediaType: string
  readonly coding: Coding
  readonly body: Uint8Array
}

/** Length in bytes and SHA-256 (hex) of an uncompressed answer. */
export interface AnswerDigest {
  readonly length: number
  readonly sha256: string
}

/**
 * Answers a decoded path. The same release gives the same bytes. Only one chunk at a time is in memory uncompressed.
 */
export async function render(
  release: Release,
  path: string,
  { coding, form = null }: { readonly coding: Coding; readonly form?: RdfForm | null },
): Promise<RenderedAnswer> {
  const { mediaType, chunks } = await renderChunks(release, path, form)
  return pack(chunks, mediaType, coding)
}

/** A text in pieces as an answer. */
export async function renderPieces(
  pieces: Iterable<string>,
  mediaType: string,
  coding: Coding,
): Promise<RenderedAnswer> {
  return pack(toChunks(pieces), mediaType, coding)
}

async function pack(chunks: Iterable<Buffer>, mediaType: string, coding: Coding): Promise<RenderedAnswer> {
  const { measured, measure } = measureChunks(chunks)
  const packer = createPacker(coding)
  const body = packer === null ? [...measured] : await collect(measured, packer)
  return { mediaType, coding, body: Buffer.concat(body), ...measure() }
}

/**
 * The answer to a decoded path in chunks, which can be read once. With a form of RDF, the answer is the description of
 * the record.
 */
export async function renderChunks(
  release: Release,
  path: string,
  form: RdfForm | null = null,
): Promise<{ readonly mediaType: string; readonly chunks: Iterable<Buffer> }> {
  const resolved = resolvePath(release, path)
  if (form !== null && resolved.iri !== null) {
    const { view, iri } = resolved
    const statements = await (view === inbound ? release.statements.to(iri) : describeStatements(release, iri))
    const pieces = writeForm(statements, form, Object.fromEntries(release.names.prefixes))
    return { mediaType: contentTypeOf(form), chunks: toChunks(pieces) }
  }
  const { mediaType, write } = resolved.view.format
  return { mediaType, chunks: toChunks(write(await answer(release, resolved))) }
}

/** Passes chunks on; once all have been read, `measure` returns their digest. */
export function measureChunks(chunks: Iterable<Buffer>): {
  readonly measured: Iterable<Buffer>
  readonly measure: () => AnswerDigest
} {
  const hash = createHash('sha256')
  let length = 0
  function* pass(): Generator<Buffer> {
    for (const chunk of chunks) {
      hash.update(chunk)
      length += chunk.length
      yield chunk
    }
  }
  return { measured: pass(), measure: () => ({ length, sha256: hash.digest('hex') }) }
}

/** Measures the answer to a decoded path without keeping it. */
export async function measurePath(release: Release, path: string): Promise<AnswerDigest> {
  const { chunks } = await renderChunks(release, path)
  const hash = createHash('sha256')
  let length = 0
  for (const chunk of chunks) {
    hash.update(chunk)
    length += chunk.length
  }
  return { length, sha256: hash.digest('hex') }
}

/** Null for identity. At these levels packing costs about as much as rendering. */
export function createPacker(coding: Coding): Transform | null {
  if (coding === 'gzip') return createGzip({ level: 6 })
  if (coding === 'identity') return null
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
}

function answer(release: Release, { view, iri }: ResolvedView): Promise<unknown> {
  return iri === null ? view.answer(release) : view.answer(release, iri)
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

/** Joins pieces of text to larger chunks of UTF-8. */
export function* toChunks(pieces: Iterable<string>): Generator<Buffer> {
  let pending: string[] = []
  let size = 0
  for (const piece of pieces) {
    pending.push(piece)
    size += piece.length
    if (size >= CHUNK_SIZE) {
      yield Buffer.from(pending.join(''))
      pending = []
      size = 0
    }
  }
  if (size > 0) yield Buffer.from(pending.join(''))
}
