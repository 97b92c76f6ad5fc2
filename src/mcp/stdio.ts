import type { Readable, Writable } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { messageOf } from '../platform/errors.ts'
import { apiOver, type SentRequest } from './ask.ts'
import { mcpServer } from './server.ts'

/** In milliseconds; no endpoint needs as long. */
const LONGEST = 60_000

interface StdioOptions {
  /** Address of a running service, without a final slash. */
  readonly baseUrl: string
  /** A personal access token; null: what everybody may read. */
  readonly token: string | null
  readonly version: string
  readonly input?: Readable
  readonly output?: Writable
  /** Gets one line for each fault. Standard output has the messages of the protocol and nothing else. */
  readonly report?: (line: string) => void
}

/** Serves the Model Context Protocol over standard input and output, until the input ends. */
export function serveOverStdio(options: StdioOptions): { readonly close: () => Promise<void> } {
  const { baseUrl, token, version, input = process.stdin, output = process.stdout } = options
  const report = options.report ?? ((line: string) => void process.stderr.write(`${line}\n`))
  const ask = apiOver(baseUrl, (sent) => send(sent, { baseUrl, token }))
  const onFault = (error: unknown): void => {
    report(`${baseUrl} does not answer: ${messageOf(error)}`)
  }
  return serveStdio(() => mcpServer({ ask, version, onFault }), {
    transport: new StdioServerTransport(input, output),
    onerror: (error) => {
      report(error.message)
    },
  })
}

async function send(
  { method, path, headers, body }: SentRequest,
  { baseUrl, token }: Pick<StdioOptions, 'baseUrl' | 'token'>,
): Promise<{ status: number; mediaType: string; text: string }> {
  const authorization = token === null ? {} : { Authorization: `Token ${token}` }
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...headers, ...authorization },
    signal: AbortSignal.timeout(LONGEST),
    redirect: 'error',
    ...(body !== null && { body }),
  })
  return { status: answer.status, mediaType: answer.headers.get('Content-Type') ?? '', text: await answer.text() }
}
