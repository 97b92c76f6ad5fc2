import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { EmbeddedGraph } from '../../src/graph/store.ts'

/** A SPARQL endpoint on a free port, whose behaviour tests control. */
export interface SparqlEndpoint {
  readonly url: string
  readonly graph: EmbeddedGraph
  /** The answers to requests; `cut` silently truncates them to this number of rows. */
  behaviour: 'well' | 'busy' | 'silent' | { readonly cut: number }
  /** Requests so far. */
  readonly count: number
  close(): Promise<void>
}

export async function startSparqlEndpoint(): Promise<SparqlEndpoint> {
  let count = 0
  const endpoint: Omit<SparqlEndpoint, 'url'> & { url: string } = {
    url: '',
    graph: new EmbeddedGraph(),
    behaviour: 'well',
    get count() {
      return count
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    count += 1
    void answer(endpoint, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening')
  endpoint.url = `http://127.0.0.1:${address.port}/sparql`
  return endpoint
}

async function answer(
  { graph, behaviour }: Pick<SparqlEndpoint, 'graph' | 'behaviour'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const query = await queryOf(request)
  if (behaviour === 'silent') return
  if (behaviour === 'busy') {
    response.writeHead(503).end()
    return
  }
  response.writeHead(200, { 'Content-Type': 'application/sparql-results+json' })
  if (/\bASK\b/.test(query)) {
    response.end(JSON.stringify({ head: {}, boolean: true }))
    return
  }
  const names = [...new Set(Array.from(query.matchAll(/\?(\w+)/g), ([, name = '']) => name))]
  const rows = await graph.select({ text: query, columns: [], optional: names })
  const bindings = typeof behaviour === 'object' ? rows.slice(0, behaviour.cut) : rows
  response.end(JSON.stringify({ head: { vars: names }, results: { bindings } }))
}

async function queryOf(request: IncomingMessage): Promise<string> {
  const form = new URLSearchParams(await text(request))
  const inUrl = new URL(request.url ?? '/', 'http://localhost').searchParams
  return form.get('query') ?? inUrl.get('query') ?? ''
}
