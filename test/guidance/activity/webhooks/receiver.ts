import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Sets the status of all later answers; null never answers. */
  answer(status: number | null, headers?: Readonly<Record<string, string>>): void
}

/** A program on this machine that webhooks can be sent to, until the test has finished. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let status: number | null = 204
  let answered: Readonly<Record<string, string>> = {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      received.push({ path, headers, body: Buffer.concat(chunks).toString('utf8') })
      if (status !== null) response.writeHead(status, answered).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = portOf(server.address())
  return {
    url: `http://127.0.0.1:${port}/hook?key=in-the-address`,
    received,
    answer: (next, headers = {}) => {
      status = next
      answered = headers
    },
  }
}

function portOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return address
}
