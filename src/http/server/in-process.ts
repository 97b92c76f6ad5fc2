import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
} from 'node:http'
import { duplexPair } from 'node:stream'

export interface InProcessAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface InProcessOptions {
  readonly method?: 'GET' | 'POST'
  readonly body?: string | null
  /** The address that the request comes from; default: this machine. */
  readonly address?: string
}

/** Sends a request without a network. */
export type AskInProcess = (
  path: string,
  headers: OutgoingHttpHeaders,
  options?: InProcessOptions,
) => Promise<InProcessAnswer>

/** Sends requests to a handler without a network, so that nobody else can reach it. */
export function inProcess(handle: RequestListener): AskInProcess {
  const server = createServer(handle)
  const connectFrom = (remoteAddress: string): ReturnType<typeof duplexPair>[0] => {
    const [client, service] = duplexPair()
    server.emit('connection', Object.assign(service, { remoteAddress }))
    return client
  }
  return (path, headers, { method = 'GET', body = null, address = '127.0.0.1' } = {}) =>
    new Promise((resolve, reject) => {
      const createConnection = (): ReturnType<typeof connectFrom> => connectFrom(address)
      const length = body === null ? {} : { 'Content-Length': Buffer.byteLength(body) }
      const sent = { createConnection, method, path, headers: { Host: 'localhost', ...length, ...headers } }
      const outgoing = request(sent, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response
          resolve({ status, headers: answered, body: Buffer.concat(pieces) })
        })
      })
      outgoing.on('error', reject)
      outgoing.end(body ?? undefined)
    })
}
