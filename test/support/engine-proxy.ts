import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** The behaviour of the proxy: answers of the engine, faults, or fewer rows. */
export type Behaviour =
  | 'well'
  | 'silent'
  | 'busy'
  | 'breaks off'
  | {
      /** Number of rows that it passes on. */
      readonly rows: number
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
    }

export interface EngineProxy {
  readonly url: string
  behaviour: Behaviour
  /** Number of queries, and number of those that the client cancelled. */
  asked: string[]
  left: number
  /** Restores the initial behaviour. */
  reset(): void
  close(): void
}

/** A proxy between a service and its engine, whose behaviour tests control. */
export async function startEngineProxy(engineUrl: string): Promise<EngineProxy> {
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableEnded) proxy.left += 1
    })
    void text(request).then(async (form) => {
      const query = new URLSearchParams(form)
      const { behaviour } = proxy
      proxy.asked.push(query.get('query') ?? '')
      if (behaviour === 'silent') return
      if (typeof behaviour === 'object') cut(query, behaviour.rows)
      const headers = { accept: request.headers.accept ?? '' }
      await pass(await fetch(engineUrl, { method: 'POST', body: query, headers }), behaviour, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const proxy: EngineProxy = {
    url: `http://127.0.0.1:${port}/sparql`,
    behaviour: 'well',
    asked: [],
    left: 0,
    reset: () => {
      Object.assign(proxy, { behaviour: 'well', asked: [], left: 0 })
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return proxy
}

async function pass(
  answer: Response,
  behaviour: Exclude<Behaviour, 'silent'>,
  response: ServerResponse,
): Promise<void> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  const type = { 'Content-Type': answer.headers.get('Content-Type') ?? '' }
  if (behaviour === 'busy') response.writeHead(503).end()
  else if (behaviour === 'breaks off') {
    response.writeHead(200, { ...type, 'Content-Length': bytes.length })
    response.write(bytes.subarray(0, 10), () => response.destroy())
  } else if (typeof behaviour === 'object')
    response.writeHead(behaviour.status ?? answer.status, { ...type, ...behaviour.headers }).end(bytes)
  else response.writeHead(answer.status, type).end(bytes)
}

/** Truncates rows, but counts all of them, as engines do that truncate silently. */
function cut(query: URLSearchParams, rows: number): void {
  const sent = query.get('query') ?? ''
  if (sent.includes('COUNT(*)')) return
  const without = sent.replace(/LIMIT 100001/, '')
  query.set('query', `${without} LIMIT ${rows}`)
}
