import { randomUUID } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { replaceForbidden } from '../platform/characters.ts'
import { messageOf, Refusal } from '../platform/errors.ts'
import { refuseValues } from './toast.ts'

/** One file of a form (RFC 7578), kept on disk until it is discarded or moved away. */
export interface Upload {
  readonly path: string
  /** File name given by the sender, without folders. It is only displayed. */
  readonly fileName: string
  readonly bytes: number
  /** The other values of the form. */
  readonly fields: Readonly<Record<string, string>>
  discard(): Promise<void>
}

interface UploadRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
}

/** Uploads are kept in the folder while they are processed; they have a maximum size. */
export interface UploadFolder {
  /** It exists. */
  readonly folder: string
  readonly maxBytes: number
}

/** In bytes; longer values of a form are refused. */
const MAX_VALUE = 10_000

/** In characters. */
const MAX_NAME = 255

/**
 * In bytes. When the parser skips a part (a third file, or one without a disposition), the rest of that part in one piece
 * of the body must fit in here together with waiting bytes, or the parser never continues. Pieces of a socket have 64 KiB.
 */
const PART_BUFFER = 1024 * 1024

const NO_FORM_MESSAGE = 'Send the file as multipart/form-data, in the field "file".'
const MANY_FILES_MESSAGE = 'There is more than one file in the field "file". Send them one at a time.'
const MANY_VALUES_MESSAGE = 'The form has more than 20 values or further files. Send one file, in the field "file".'

/**
 * Writes the field `file` of a form to disk while it is received. The bytes are on the disk when it resolves. Refuses
 * bodies that are not a form, have no such file, or are too large, and then leaves no file.
 */
export async function receiveUpload({ headers, body }: UploadRequest, limits: UploadFolder): Promise<Upload> {
  const path = join(limits.folder, randomUUID())
  const discard = (): Promise<void> => rm(path, { force: true })
  try {
    const form = { headers: { ...headers, 'content-type': requireForm(headers) }, body }
    const received = await receive(form, path, limits.maxBytes)
    return { ...received, path, discard }
  } catch (error) {
    await discard()
    // Reads the rest, so that the answer reaches a sender who is still sending.
    body.resume()
    throw error instanceof Refusal || !isFormFault(error)
      ? error
      : new Refusal('parameter_invalid', `The form cannot be read: ${messageOf(error)}.`)
  }
}

function requireForm({ 'content-type': contentType = '' }: IncomingHttpHeaders): string {
  if (!/^multipart\/form-data\b/i.test(contentType)) throw new Refusal('unsupported_media_type', NO_FORM_MESSAGE)
  // The parser would wait for ever for the end of such a form.
  if (/\bboundary=("")?\s*(;|$)/i.test(contentType))
    throw new Refusal('parameter_missing', NO_FORM_MESSAGE, { parameter: 'file' })
  return contentType
}

type ReceivedForm = Pick<Upload, 'fileName' | 'bytes' | 'fields'>
type FormRequest = UploadRequest & { readonly headers: { readonly 'content-type': string } }

async function receive({ headers, body }: FormRequest, path: string, maxBytes: number): Promise<ReceivedForm> {
  const limits = { files: 2, fields: 20, fieldSize: MAX_VALUE, fileSize: maxBytes, parts: 22 }
  const form = new Busboy({ headers, limits, fileHwm: PART_BUFFER })
  const leftOut = new UnusableFormParts(form)
  const fields = new Map<string, string>()
  const cutFields: string[] = []
  const files: Promise<Omit<ReceivedForm, 'fields'>>[] = []
  const ending = new AbortController()
  // Opened before the first byte is read, because a file that is opened later might remain after a refusal.
  const handle = await open(path, 'wx', 0o600)
  form.on('field', (name, value, _nameCut, valueCut) => {
    fields.set(name, value)
    if (valueCut) cutFields.push(name)
  })
  form.on('file', (name, stream, fileName) => {
    if (name !== 'file' || files.length > 0) {
      leftOut.add(name, fileName)
      // The file is ignored, but its error must not end the process.
      stream.on('error', () => undefined).resume()
      return
    }
    const saved = save(stream, handle, { fileName, maxBytes, signal: ending.signal })
    files.push(saved)
    // The error is handled below; the form need not be read to its end for that.
    saved.catch(() => form.destroy())
  })
  // The body stays open if the form fails, because its rest has to be read before the next request of the connection.
  const pieces = body.iterator({ destroyOnReturn: false })
  const [parsed] = await Promise.allSettled([pipeline(pieces, form)])
  // If the form ends early, its file would never end.
  if (parsed.status === 'rejected') ending.abort()
  const [saved] = await Promise.allSettled(files)
  await handle.close()
  if (saved?.status === 'rejected' && !isAbort(saved.reason)) throw saved.reason
  if (parsed.status === 'rejected') throw parsed.reason
  if (saved?.status !== 'fulfilled') throw new Refusal('parameter_missing', NO_FORM_MESSAGE, { parameter: 'file' })
  leftOut.refuse()
  if (cutFields.length > 0) throw refuseLong(cutFields)
  return { ...saved.value, fields: Object.fromEntries(fields) }
}

/** Parts of a form that cannot be used. They are refused, so that nothing is lost unnoticed. */
class UnusableFormParts {
  /** The fields of further files. */
  readonly #fields = new Set<string>()
  #isOverfull = false

  constructor(form: BusboyInstance) {
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      form.on(limit, () => {
        this.#isOverfull = true
      })
  }

  /** Browsers send a file without a name for a field in which none was chosen. */
  add(field: string, fileName: string): void {
    if (fileName !== '') this.#fields.add(field)
  }

  refuse(): void {
    if (this.#fields.has('file')) throw new Refusal('parameter_invalid', MANY_FILES_MESSAGE, IN_FILE)
    const [name] = this.#fields
    if (name !== undefined) {
      const parameter = replaceForbidden(name).slice(0, MAX_NAME)
      const detail = `There is a file in the field "${parameter}". Send one file, in the field "file".`
      throw new Refusal('parameter_invalid', detail, { parameter })
    }
    if (this.#isOverfull) throw new Refusal('parameter_invalid', MANY_VALUES_MESSAGE, IN_FILE)
  }
}

const IN_FILE = { parameter: 'file' }

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function refuseLong(names: readonly string[]): Refusal {
  return refuseValues(
    'Upload rejected.',
    names.map((field) => ({ field, message: `${field} is too long` })),
  )
}

interface SaveOptions {
  readonly fileName: string
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** The upload is acknowledged later, so the file must survive a crash of the machine, not only of the process. */
async function save(
  stream: BusboyFileStream,
  handle: FileHandle,
  { fileName, maxBytes, signal }: SaveOptions,
): Promise<Omit<ReceivedForm, 'fields'>> {
  await pipeline(stream, handle.createWriteStream({ flush: true }), { signal })
  if (stream.truncated)
    throw new Refusal('too_large', `The file is larger than the limit of ${Math.floor(maxBytes / 1_000_000)} MB.`)
  return { fileName: displayName(fileName), bytes: stream.bytesRead }
}

/** The file name without folders, and without characters that a database cannot store. */
function displayName(fileName: string): string {
  const name = replaceForbidden(basename(fileName.replaceAll('\\', '/')), '')
  return name.slice(0, MAX_NAME)
}

function isFormFault(error: unknown): boolean {
  return error instanceof Error && !('syscall' in error)
}
