import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { messageOf, Refusal } from '../platform/errors.ts'
import { refuseValues } from './toast.ts'

/** One file of a form (RFC 7578), kept on disk until it is discarded or moved away. */
export interface Upload {
  readonly path: string
  /** As the sender calls it, without folders; only ever shown. */
  readonly fileName: string
  readonly bytes: number
  /** The other values of the form. */
  readonly fields: Readonly<Record<string, string>>
  discard(): Promise<void>
}

interface Incoming {
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
}

interface Limits {
  /** Where files are kept meanwhile; it exists. */
  readonly folder: string
  readonly maxBytes: number
}

/** In bytes; longer values of a form are refused. */
const MAX_VALUE = 10_000

const FORM = 'Send the file as multipart/form-data, in the field "file".'

/**
 * Writes the field `file` of a form to disk as it comes in. The bytes are on the disk when it
 * resolves. Refuses bodies that are no form, have no such file, or are too large, and leaves nothing.
 */
export async function receiveUpload({ headers, body }: Incoming, limits: Limits): Promise<Upload> {
  const contentType = headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(contentType))
    throw new Refusal('unsupported_media_type', FORM)
  // The parser would wait for the end of such a form for ever.
  if (/\bboundary=("")?\s*(;|$)/i.test(contentType))
    throw new Refusal('parameter_missing', FORM, { parameter: 'file' })
  const path = join(limits.folder, randomUUID())
  try {
    const form = { headers: { ...headers, 'content-type': contentType }, body }
    const received = await receive(form, path, limits.maxBytes)
    await flush(path)
    return { ...received, path, discard: () => rm(path, { force: true }) }
  } catch (error) {
    await rm(path, { force: true })
    // What is left is read away, so that the answer reaches a sender who is still sending.
    body.resume()
    throw error instanceof Refusal || !isFormFault(error)
      ? error
      : new Refusal('parameter_invalid', `The form cannot be read: ${messageOf(error)}.`)
  }
}

type Received = Pick<Upload, 'fileName' | 'bytes' | 'fields'>
type Form = Incoming & { readonly headers: { readonly 'content-type': string } }

async function receive({ headers, body }: Form, path: string, maxBytes: number): Promise<Received> {
  const limits = { files: 1, fields: 20, fieldSize: MAX_VALUE, fileSize: maxBytes, parts: 21 }
  const form = new Busboy({ headers, limits })
  const fields = new Map<string, string>()
  const cut: string[] = []
  const files: Promise<Omit<Received, 'fields'>>[] = []
  const ending = new AbortController()
  form.on('field', (name, value, ...[, valueCut]) => {
    fields.set(name, value)
    if (valueCut) cut.push(name)
  })
  form.on('file', (name, stream, fileName) => {
    if (name !== 'file' || files.length > 0) {
      stream.resume()
      return
    }
    const saved = save(stream, path, { fileName, maxBytes, signal: ending.signal })
    files.push(saved)
    // What went wrong is told below; the form need not be read to its end for that.
    saved.catch(() => form.destroy())
  })
  const [parsed] = await Promise.allSettled([pipeline(body, form)])
  // The file of a form that ends early would be waited for without end.
  if (parsed.status === 'rejected') ending.abort(parsed.reason)
  const [file] = await Promise.all(files)
  if (parsed.status === 'rejected') throw parsed.reason
  if (file === undefined) throw new Refusal('parameter_missing', FORM, { parameter: 'file' })
  if (cut.length > 0) throw refuseLong(cut)
  return { ...file, fields: Object.fromEntries(fields) }
}

function refuseLong(names: readonly string[]): Refusal {
  return refuseValues(
    'Upload rejected.',
    names.map((field) => ({ field, message: `${field} is too long` })),
  )
}

interface Saving {
  readonly fileName: string
  readonly maxBytes: number
  readonly signal: AbortSignal
}

async function save(
  stream: BusboyFileStream,
  path: string,
  { fileName, maxBytes, signal }: Saving,
): Promise<Omit<Received, 'fields'>> {
  await pipeline(stream, createWriteStream(path, { mode: 0o600 }), { signal })
  if (stream.truncated)
    throw new Refusal('too_large', `The file is larger than the limit of ${mega(maxBytes)} MB.`)
  return { fileName: basename(fileName.replaceAll('\\', '/')), bytes: stream.bytesRead }
}

/** What is acknowledged later must survive the machine, not only the process. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isFormFault(error: unknown): boolean {
  return error instanceof Error && !('syscall' in error)
}

function mega(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024)
}
