import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface RawAnswer {
  readonly status: number
  /** The status line and the headers. */
  readonly head: string
  readonly body: string
}

/** Sends bytes unchanged over a new connection, because HTTP clients refuse to send some requests. */
export async function sendRaw(baseUrl: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  const answer = (await buffer(socket)).toString('utf8')
  const end = answer.indexOf('\r\n\r\n')
  const head = answer.slice(0, end)
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body: answer.slice(end + 4) }
}

/** The bytes of a request without a body that ends its connection. */
export function rawRequest(method: string, path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n`
}
