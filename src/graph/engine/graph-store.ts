import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs } from '../../platform/concurrency/backoff.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { authorisation, type Credentials } from './digest.ts'

/** A server that stores graphs by the SPARQL 1.1 Graph Store HTTP Protocol. */
export interface GraphStore {
  readonly url: string
  readonly credentials: Credentials | null
  readonly timeoutMs: number
}

const TRIES = 4
const PAUSES = { firstMs: 500, longestMs: 2000 }
const PASSING = new Set([429, 502, 503, 504])
const N_TRIPLES = 'application/n-triples'
/** Every line of N-Triples is one of Turtle; some stores take only that. */
const TURTLE = 'text/turtle'
const MOST_SAID = 300

/** Puts statements (N-Triples) in the place of a graph. Tries again while the store is away; a PUT can be repeated. */
export async function putGraph(store: GraphStore, graph: string, nTriples: string): Promise<void> {
  const url = new URL(store.url)
  url.searchParams.set('graph', graph)
  let failure = ''
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const found = await tryPut(store, url.href, nTriples)
    if (found === null) return
    failure = found
    if (attempt < TRIES) await sleep(backoffMs(attempt, PAUSES))
  }
  throw new Refusal('engine_unavailable', `${store.url} does not answer: ${failure}.`)
}

/** Null where it is done; else why it may be worth another try. Refuses what no further try mends. */
async function tryPut(store: GraphStore, url: string, nTriples: string): Promise<string | null> {
  try {
    let response = await put(store, url, { body: nTriples, mediaType: N_TRIPLES })
    if (response.status === 415) response = await put(store, url, { body: nTriples, mediaType: TURTLE })
    if (response.ok) return null
    if (PASSING.has(response.status)) return `it answered with ${response.status}`
    const said = (await response.text()).replaceAll(/\s+/g, ' ').slice(0, MOST_SAID)
    throw new Refusal('push_refused', `${store.url} answered with ${response.status}: ${said}`)
  } catch (error) {
    if (error instanceof Refusal) throw error
    return messageOf(error instanceof Error ? (error.cause ?? error) : error)
  }
}

interface GraphBody {
  readonly body: string
  readonly mediaType: string
}

/** The challenge is asked for by itself, so that the graph is sent once. */
async function put(
  { credentials, timeoutMs }: GraphStore,
  url: string,
  { body, mediaType }: GraphBody,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  const method = 'PUT'
  const headers = { 'Content-Type': mediaType }
  if (credentials === null) return fetch(url, { method, headers, body, signal })
  const challenged = await fetch(url, { method, headers, body: '', signal })
  await challenged.body?.cancel()
  const challenge = challenged.headers.get('WWW-Authenticate')
  const Authorization = challenge === null ? null : authorisation(challenge, credentials, { method, url })
  if (Authorization === null) return fetch(url, { method, headers, body, signal })
  return fetch(url, { method, headers: { ...headers, Authorization }, body, signal })
}
