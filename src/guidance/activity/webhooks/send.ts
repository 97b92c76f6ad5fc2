import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { messageOf } from '../../../platform/errors.ts'
import { AddressRefused, isInside, lookUpPublic } from '../../../platform/network/addresses.ts'
import { hasBlockedPort } from '../../../platform/network/ports.ts'

/** Maximum wait in milliseconds until the answer begins. */
const TIMEOUT_MS = 10_000
/** Bytes that are read of an answer; its body is not used. */
const MAX_ANSWER = 16 * 1024
const MAX_ERROR = 500

export interface WebhookPost {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** `status` is null without an answer; `error` is null when the receiver accepted the event. */
export interface PostOutcome {
  readonly status: number | null
  readonly error: string | null
  /** For the log; may contain details that the owner of the webhook must not see. */
  readonly reason?: string
}

/**
 * One text for unknown names, internal addresses and closed ports, because different texts would reveal the internal
 * network to owners of webhooks.
 */
const UNREACHABLE = 'The receiver cannot be reached at a public address'

interface PostOptions {
  readonly allowPrivate: boolean
  /** Aborts the request. */
  readonly signal: AbortSignal
}

/** Posts to a webhook without following redirects. Errors are returned, never thrown. */
export async function post(posting: WebhookPost, options: PostOptions): Promise<PostOutcome> {
  const fault = faultOf(new URL(posting.url), options.allowPrivate)
  if (fault !== null) return { status: null, error: fault, reason: fault }
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  const ending = new AbortController()
  const end = (): void => {
    ending.abort()
  }
  deadline.addEventListener('abort', end)
  options.signal.addEventListener('abort', end)
  if (options.signal.aborted) end()
  const connection = { stood: false }
  const onConnect = (): void => {
    connection.stood = true
  }
  try {
    const response = await send(posting, { ...options, signal: ending.signal, onConnect })
    await discardBody(response)
    return outcomeOf(response)
  } catch (error) {
    const timeoutMessage = `No answer within ${TIMEOUT_MS / 1000} seconds`
    const reason = deadline.aborted ? timeoutMessage : messageOf(error).slice(0, MAX_ERROR)
    return { status: null, error: connection.stood ? reason : UNREACHABLE, reason }
  } finally {
    deadline.removeEventListener('abort', end)
    options.signal.removeEventListener('abort', end)
  }
}

/**
 * The reason why an address is not allowed; null if it is. It may have been stored by an earlier version, or under other
 * settings.
 */
function faultOf(target: URL, allowPrivate: boolean): string | null {
  if (hasBlockedPort(target)) return `Deliveries are not sent to port ${target.port}, which is not for HTTP`
  if (target.protocol !== 'https:' && !allowPrivate) return 'The address must begin with https://'
  return null
}

async function send(
  { url, body, headers }: WebhookPost,
  { allowPrivate, signal, onConnect }: PostOptions & { readonly onConnect: () => void },
): Promise<IncomingMessage> {
  const target = new URL(url)
  const secure = target.protocol === 'https:'
  if (!allowPrivate && isInside(target)) throw new AddressRefused()
  signal.throwIfAborted()
  const request = secure ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = request(target, {
      method: 'POST',
      headers,
      signal,
      agent: false,
      ...(!allowPrivate && { lookup: lookUpPublic }),
    })
    outgoing.on('socket', (socket) => socket.once('connect', onConnect))
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Reads a little of the answer, so that the receiver can finish; only the status matters. */
async function discardBody(response: IncomingMessage): Promise<void> {
  let read = 0
  try {
    const chunks: AsyncIterable<Buffer> = response
    for await (const chunk of chunks) {
      read += chunk.length
      if (read > MAX_ANSWER) break
    }
  } catch {
    // An answer that breaks off does not matter: its status is known.
  }
  response.destroy()
}

function outcomeOf({ statusCode = 0 }: IncomingMessage): PostOutcome {
  if (statusCode >= 200 && statusCode < 300) return { status: statusCode, error: null }
  const redirected = statusCode >= 300 && statusCode < 400
  const error = redirected ? 'Redirections are not followed' : 'The receiver did not accept the delivery'
  return { status: statusCode, error }
}
