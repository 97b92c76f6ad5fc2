import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs } from '../../platform/concurrency/backoff.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { authorizationHeader, type Credentials } from './digest.ts'

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
    const found = await tryPut(store, url.href, nTriples)
    if (found === null) return
    failure = found
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
