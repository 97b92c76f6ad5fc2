import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { glob, isDynamicPattern } from 'tinyglobby'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { specialKindOf } from '../../platform/files/file-kinds.ts'
import { ACCEPT } from './format.ts'

/** One opened source: a name for messages, its bytes, and the media type that its server states. */
interface OpenSource {
  readonly name: string
  readonly stream: Readable
  readonly contentType?: string | undefined
  /** Length in bytes, if known. */
  readonly expected?: number | undefined
}

/** A source in memory: unpacked content, and the digest of the bytes as they came. */
export interface SourceDocument {
  readonly name: string
  readonly content: Uint8Array
  readonly contentType?: string | undefined
  readonly sha256: string
  readonly bytes: number
}

export interface ReadLimits {
  /** Largest source, before and after unpacking. */
  readonly maxBytes: number
  /** Time for a URL to be delivered whole. */
  readonly timeoutMs: number
}

type OnBytes = (name: string, read: number, expected: number | undefined) => void

/** Expands globs, sorted by name; other sources stay unchanged. */
export async function expandSources(patterns: readonly string[]): Promise<readonly string[]> {
  const expanded = await Promise.all(
    patterns.map(async (pattern) => {
      if (isUrl(pattern) || pattern === '-' || !isDynamicPattern(pattern)) return [pattern]
      const files = await glob(pattern, { expandDirectories: false })
      if (files.length > 0) return files.sort()
      throw new Refusal('source_not_found', `${pattern}: no file has a name like this.`)
    }),
  )
  return expanded.flat()
}

/**
 * Reads a file, an http(s) URL or `-` (standard input), and unpacks gzip. Refuses a source as soon as it exceeds the
 * limit.
 */
export async function readDocument(name: string, limits: ReadLimits, onBytes: OnBytes): Promise<SourceDocument> {
  const source = await openSource(name, limits)
  try {
    const raw = await collect(source, limits.maxBytes, (readBytes) => {
      onBytes(source.name, readBytes, source.expected)
    })
    return {
      name: source.name,
      contentType: source.contentType,
      content: isGzip(raw) ? await unpack(source.name, raw, limits.maxBytes) : raw,
      sha256: createHash('sha256').update(raw).digest('hex'),
      bytes: raw.length,
    }
  } finally {
    source.stream.destroy()
  }
}

function openSource(name: string, { timeoutMs }: ReadLimits): Promise<OpenSource> {
  if (name === '-') return Promise.resolve({ name: 'standard input', stream: process.stdin })
  return isUrl(name) ? openUrl(name, timeoutMs) : openFile(name)
}

export function isUrl(name: string): boolean {
  return /^https?:\/\//i.test(name)
}

async function openFile(name: string): Promise<OpenSource> {
  const stats = await stat(name).catch(() => null)
  if (stats === null) throw new Refusal('source_not_found', `${name}: there is no such file.`)
  if (stats.isDirectory()) {
    throw new Refusal(
      'source_not_found',
      `${name} is a folder, and no checkout of D3FEND's source repository; name its files: '${name}/*.ttl'.`,
    )
  }
  const kind = specialKindOf(name)
  if (kind !== null) {
    throw new Refusal('source_not_found', `${name} is ${kind}, and not a file. For standard input, write -.`)
  }
  return { name, stream: createReadStream(name), expected: stats.size }
}

async function openUrl(url: string, timeoutMs: number): Promise<OpenSource> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { signal, headers: { accept: ACCEPT } }).catch((error: unknown) => {
    throw new Refusal('source_unreachable', `${url}: ${whyUnreachable(error, timeoutMs)}.`)
  })
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    throw new Refusal('source_unreachable', `${url}: the server answered ${response.status}.`)
  }
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  return {
    name: url,
    // The generator keeps the web stream's own types out of node's.
    stream: Readable.from(chunksOf(response.body.getReader(), url, timeoutMs), {
      objectMode: false,
    }),
    contentType: response.headers.get('content-type') ?? undefined,
    expected: Number.isNaN(length) ? undefined : length,
  }
}

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  url: string,
  timeoutMs: number,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } catch (error) {
    throw new Refusal('source_unreachable', `${url}: ${whyUnreachable(error, timeoutMs)}.`)
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function whyUnreachable(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `not delivered within ${timeoutMs / 1000} s (--timeout)`
  }
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return messageOf(cause).replace(/\.$/, '')
}

async function collect(
  { name, stream }: Pick<OpenSource, 'name' | 'stream'>,
  maxBytes: number,
  onBytes: (read: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let readBytes = 0
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new Error('A source must deliver bytes')
    readBytes += chunk.length
    if (readBytes > maxBytes) {
      throw new Refusal('source_too_large', `${name} is larger than ${maxBytes / 1024 / 1024} MiB (--max-mb).`)
    }
    chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
    onBytes(readBytes)
  }
  return Buffer.concat(chunks)
}

function isGzip(content: Uint8Array): boolean {
  return content[0] === 0x1f && content[1] === 0x8b
}

async function unpack(name: string, packed: Buffer, maxBytes: number): Promise<Buffer> {
  const stream = Readable.from([packed]).pipe(createGunzip())
  try {
    return await collect({ name: `${name} (unpacked)`, stream }, maxBytes, () => undefined)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('source_syntax', `${name}: damaged gzip (${messageOf(error)}).`)
  } finally {
    stream.destroy()
  }
}
