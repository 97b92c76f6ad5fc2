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

/** Asks for a path, as a visitor would. */
export type AskInProcess = (path: string, headers: OutgoingHttpHeaders) => Promise<InProcessAnswer>

/** Sends requests to a handler without a network; nobody else can reach what this makes. */
export function inProcess(handle: RequestListener): AskInProcess {
  const server = createServer(handle)
  const createConnection = (): ReturnType<typeof duplexPair>[0] => {
    const [client, service] = duplexPair()
    server.emit('connection', Object.assign(service, { remoteAddress: '127.0.0.1' }))
    return client
  }
  return (path, headers) =>
    new Promise((resolve, reject) => {
      const asked = request({ createConnection, path, headers: { Host: 'localhost', ...headers } }, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response
          resolve({ status, headers: answered, body: Buffer.concat(pieces) })
        })
      })
      asked.on('error', reject)
      asked.end()
    })
}
