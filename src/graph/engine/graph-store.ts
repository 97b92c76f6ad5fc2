import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs } from '../../platform/concurrency/backoff.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'

/** A writer that an engine has admitted. */
interface Credentials {
  readonly user: string
  readonly password: string
}

const HASHES: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256' }

/** A server that stores graphs by the SPARQL 1.1 Graph Store HTTP Protocol. */
export interface GraphStore {
  readonly url: string
  readonly credentials: Credentials | null
  readonly timeoutMs: number
}

const MAX_ATTEMPTS = 4
const BACKOFF = { firstMs: 500, longestMs: 2000 }
const RETRYABLE_STATUSES = new Set([429, 502, 503, 504])
const N_TRIPLES = 'application/n-triples'
/** N-Triples are also valid Turtle, and some stores accept only that. */
const TURTLE = 'text/turtle'
const MAX_ANSWER_TEXT = 300

/** Replaces a graph by statements (N-Triples). Repeats the PUT while the store does not answer. */
export async function putGraph(store: GraphStore, graph: string, nTriples: string): Promise<void> {
  const url = new URL(store.url)
  url.searchParams.set('graph', graph)
  let failure = ''
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const refusal = await tryPut(store, url.href, nTriples)
    if (refusal === null) return
    failure = refusal
    if (attempt < MAX_ATTEMPTS) await sleep(backoffMs(attempt, BACKOFF))
  }
  throw new Refusal('engine_unavailable', `${store.url} does not answer: ${failure}.`)
}

/** Null if it succeeded; otherwise why another attempt may succeed. Refuses if no further attempt can. */
async function tryPut(store: GraphStore, url: string, nTriples: string): Promise<string | null> {
  try {
    let response = await sendGraph(store, url, { body: nTriples, mediaType: N_TRIPLES })
    if (response.status === 415) response = await sendGraph(store, url, { body: nTriples, mediaType: TURTLE })
    if (response.ok) return null
    if (RETRYABLE_STATUSES.has(response.status)) return `it answered with ${response.status}`
    const answerText = (await response.text()).replaceAll(/\s+/g, ' ').slice(0, MAX_ANSWER_TEXT)
    throw new Refusal('push_refused', `${store.url} answered with ${response.status}: ${answerText}`)
  } catch (error) {
    if (error instanceof Refusal) throw error
    return messageOf(error instanceof Error ? (error.cause ?? error) : error)
  }
}

/** An empty request gets the challenge first, so that the graph is sent only once. */
async function sendGraph(
  { credentials, timeoutMs }: GraphStore,
  url: string,
  { body, mediaType }: { readonly body: string; readonly mediaType: string },
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  const method = 'PUT'
  const headers = { 'Content-Type': mediaType }
  if (credentials === null) return fetch(url, { method, headers, body, signal })
  const challenged = await fetch(url, { method, headers, body: '', signal })
  await challenged.body?.cancel()
  const challenge = challenged.headers.get('WWW-Authenticate')
  const Authorization = challenge === null ? null : authorizationHeader(challenge, credentials, { method, url })
  if (Authorization === null) return fetch(url, { method, headers, body, signal })
  return fetch(url, { method, headers: { ...headers, Authorization }, body, signal })
}

/**
 * The Authorization header that answers a challenge: Digest (RFC 7616, MD5 and SHA-256), or Basic. Null for other schemes.
 */
function authorizationHeader(
  challenge: string,
  { user, password }: Credentials,
  { method, url }: { readonly method: string; readonly url: string },
): string | null {
  if (/^basic\b/i.test(challenge)) return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  if (!/^digest\b/i.test(challenge)) return null
  const parameters = parametersOf(challenge)
  const { realm = '', nonce = '', algorithm = 'MD5', opaque } = parameters
  const name = HASHES[algorithm.toUpperCase()]
  if (name === undefined) return null
  const hash = (text: string): string => createHash(name).update(text).digest('hex')
  const { pathname, search } = new URL(url)
  const uri = pathname + search
  const [count, cnonce] = ['00000001', randomBytes(8).toString('hex')]
  const ha1 = hash(`${user}:${realm}:${password}`)
  const ha2 = hash(`${method}:${uri}`)
  const response =
    parameters['qop'] === undefined
      ? hash(`${ha1}:${nonce}:${ha2}`)
      : hash(`${ha1}:${nonce}:${count}:${cnonce}:auth:${ha2}`)
  const quoted = {
    username: user,
    realm,
    nonce,
    uri,
    response,
    cnonce,
    ...(opaque !== undefined && { opaque }),
  }
  const members = Object.entries(quoted).map(([key, value]) => `${key}="${escapeLine(value)}"`)
  const protection = parameters['qop'] === undefined ? [] : ['qop=auth', `nc=${count}`]
  return `Digest ${[...members, ...protection, `algorithm=${algorithm}`].join(', ')}`
}

function parametersOf(challenge: string): Readonly<Record<string, string | undefined>> {
  const parameters = challenge.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)
  return Object.fromEntries(
    Array.from(parameters, ([, name = '', quoted, plain = '']) => [name.toLowerCase(), quoted ?? plain]),
  )
}

function escapeLine(text: string): string {
  return text.replaceAll(/["\\]/g, String.raw`\$&`)
}
