import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { CHALLENGE } from '../../src/http/answer/problem.ts'
import { PublishedDocument } from './published-document.ts'
import type { RawResponse, RequestOptions } from './service.ts'

/** Larger bodies are not checked: they have the same form as smaller ones, and checking them takes long. */
const MAX_CHECKED = 5_000_000

const documents = new Map<string, PublishedDocument>()

/** Compiled schemas are shared, because services with the same settings publish the same document. */
function documentOf(text: string): PublishedDocument {
  const document = documents.get(text) ?? new PublishedDocument(text)
  documents.set(text, document)
  return document
}

type Get = (path: string, options?: RequestOptions) => Promise<RawResponse>

/** Sends the same requests, and fails if an exchange contradicts the published document. */
export function checked(get: Get): Get {
  let document: PublishedDocument | null = null
  return async (path, options = {}) => {
    const answer = await get(path, options)
    document ??= documentOf((await get('/api/openapi.json')).body.toString('utf8'))
    const { method = 'GET' } = options
    const exchange = { method, url: path, sent: await sentBy(options), ...receivedFrom(answer) }
    const contradictions = document.contradictions(exchange)
    const where = `${method} ${path} → ${answer.status} ${answer.body.toString('utf8', 0, 2000)}`
    if (answer.status === 401 && answer.headers['www-authenticate'] !== CHALLENGE)
      throw new Error(`A 401 lacks WWW-Authenticate (RFC 9110 §11.6.1): ${where}`)
    if (contradictions.length === 0) return answer
    throw new Error(`Contradicts the OpenAPI document: ${where}\n${contradictions.join('\n')}`)
  }
}

async function sentBy({
  headers = {},
  body,
}: RequestOptions): Promise<{ readonly mediaType: string; readonly body: unknown }> {
  const [, type = ''] = Object.entries(headers).find(([name]) => /^content-type$/i.test(name)) ?? []
  const mediaType = essenceOf(type)
  if (body === undefined || body.length === 0 || body.length > MAX_CHECKED) return { mediaType, body: undefined }
  if (mediaType === 'multipart/form-data')
    return { mediaType, body: await valuesOf(new Uint8Array(Buffer.from(body)), type) }
  return { mediaType, body: isJson(mediaType) ? parsed(body.toString()) : undefined }
}

/** A file is a text in a schema. A deliberately broken form has no values to compare. */
async function valuesOf(body: Uint8Array<ArrayBuffer>, type: string): Promise<unknown> {
  const sent = new Response(body, { headers: { 'Content-Type': type } })
  // oxlint-disable-next-line typescript/no-deprecated -- slow for large forms, and these are small
  const form = await sent.formData().catch(() => null)
  if (form === null) return undefined
  return Object.fromEntries(Array.from(form, ([name, value]) => [name, typeof value === 'string' ? value : '']))
}

function receivedFrom({ status, headers, body: bytes }: RawResponse): {
  readonly status: number
  readonly mediaType: string
  readonly body: unknown
} {
  const mediaType = essenceOf(headers['content-type'] ?? '')
  // A part of a compressed body cannot be decompressed.
  if (bytes.length > MAX_CHECKED || status === 206) return { status, mediaType, body: undefined }
  const text = decoded(bytes, headers['content-encoding'])
  if (text === '') return { status, mediaType, body: null }
  return { status, mediaType, body: isJson(mediaType) ? parsed(text) : text }
}

function decoded(bytes: Buffer, coding: string | undefined): string {
  if (bytes.length === 0 || coding === undefined) return bytes.toString('utf8')
  return (coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString('utf8')
}

function essenceOf(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase()
}

function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType)
}

/**
 * Undefined for invalid JSON. `__proto__` is dropped as the service does: zod skips it in objects with any names, and
 * JSON Schema would refuse it.
 */
function parsed(text: string): unknown {
  try {
    if (!text.includes('__proto__')) return JSON.parse(text)
    return JSON.parse(text, (name, value: unknown) => (name === '__proto__' ? undefined : value))
  } catch {
    return undefined
  }
}
