import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { asSent, type Sent } from '../support/sent.ts'

export interface Answer {
  /** 0: the connection ended before the answer. */
  readonly status: number
  readonly body: string
  readonly cookies: readonly string[]
  readonly csrfToken: string
}

const PATIENCE_MS = 30_000
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
const NONE: Answer = { status: 0, body: '', cookies: [], csrfToken: '' }

/** One request to the service on a port; never rejects. */
export function send(port: number, path: string, sent: Sent = {}): Promise<Answer> {
  const { method, headers, bytes } = asSent(sent)
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, agent, headers }, (incoming) => {
      const { statusCode: status = 0, headers: got } = incoming
      const cookies = (got['set-cookie'] ?? []).map((set) => set.split(';')[0] ?? '')
      const csrfToken = String(got['x-csrf-token'])
      text(incoming).then(
        (whole) => {
          resolve({ status, body: whole, cookies, csrfToken })
        },
        () => {
          resolve(NONE)
        },
      )
    })
    outgoing.on('error', () => {
      resolve(NONE)
    })
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy())
    outgoing.end(bytes)
  })
}
