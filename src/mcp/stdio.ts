import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { messageOf, Refusal } from '../platform/errors.ts'
import { apiOver, type SentRequest } from './ask.ts'
import { mcpServer } from './server.ts'

/** In milliseconds; no endpoint needs as long. */
const TIMEOUT_MS = 60_000
const LONGEST_CHECK = 10_000

const health = z.object({ status: z.literal('ok') })

interface StdioOptions {
  /** Address of a running service, without a final slash. */
  readonly baseUrl: string
  /** A personal access token; null: what everybody may read. */
  readonly token: string | null
  readonly version: string
}

/** Refuses (`service_unreachable`) if no Parapet answers at the address. */
export async function requireService(baseUrl: string): Promise<void> {
  const advice = 'Start the service, or set SERVICE_BASE_URL to its address.'
  try {
    const answer = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(LONGEST_CHECK), redirect: 'error' })
    health.parse(await answer.json())
  } catch {
    throw new Refusal('service_unreachable', `No Parapet answers at ${baseUrl}. ${advice}`)
  }
}

/** Serves the Model Context Protocol over standard input and output, until the input ends. */
export function serveOverStdio({ baseUrl, token, version }: StdioOptions): void {
  const ask = apiOver(baseUrl, (sent) => send(sent, { baseUrl, token }))
  const onFault = (error: unknown): void => {
    report(`${baseUrl} does not answer: ${messageOf(error)}`)
  }
  serveStdio(() => mcpServer({ ask, version, onFault }), {
    onerror: (error) => {
      report(error.message)
    },
  })
}

/** Faults go to standard error, because standard output has only messages of the protocol. */
function report(line: string): void {
  process.stderr.write(`${line}\n`)
}

async function send(
  { method, path, headers, body }: SentRequest,
  { baseUrl, token }: Pick<StdioOptions, 'baseUrl' | 'token'>,
): Promise<{ status: number; mediaType: string; text: string }> {
  const authorization = token === null ? {} : { Authorization: `Token ${token}` }
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { ...headers, ...authorization },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
    ...(body !== null && { body }),
  })
  return { status: answer.status, mediaType: answer.headers.get('Content-Type') ?? '', text: await answer.text() }
}
