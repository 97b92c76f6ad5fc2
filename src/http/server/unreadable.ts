import { randomUUID } from 'node:crypto'
import { ServerResponse, STATUS_CODES, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Refusal, type RefusalCode } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { problemAnswer, problemOf } from '../answer/problem.ts'

/** Refusals by the error codes of node:http; other errors are `malformed_request`. */
const REFUSALS_BY_CODE: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['head_too_large', 'The path and the headers of a request are 16 KiB together at most.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_too_slow', 'The request did not arrive in time.'],
}

interface ParserError extends Error {
  readonly code?: string
  /** The message of the parser in node:http. */
  readonly reason?: string
}

/**
 * Explains what is wrong with a request that cannot be parsed; node:http would only send a status line. Such a request
 * has no path, so it reaches no endpoint and has no line in the access log. It gets a line of its own with its id.
 */
export function explainUnreadable(server: Server, log: Log): void {
  server.on('clientError', (fault: ParserError, socket) => {
    if (socket.writable && !isAnswering(socket)) {
      const request_id = randomUUID()
      log.info({ request_id, cause: fault.code }, 'A request cannot be read')
      socket.end(answerOf(fault, request_id), () => socket.destroy())
    } else socket.destroy(fault)
  })
}

/**
 * Whether an answer is being sent: a second one would be taken for a part of its body. This reads the property in which
 * Node itself keeps the answer, because recording each answer would make every request slower.
 */
function isAnswering(socket: Duplex): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage')
  return answer instanceof ServerResponse && answer.headersSent
}

function answerOf({ code = '', reason }: ParserError, requestId: string): string {
  const unreadable = `The request is not valid HTTP/1.1${reason === undefined ? '' : `: ${reason}`}.`
  const refusal = new Refusal(...(REFUSALS_BY_CODE[code] ?? ['malformed_request', unreadable]))
  const { status, headers, body } = problemAnswer(problemOf(refusal, requestId), requestId)
  const lines = Array.from(
    { length: headers.length / 2 },
    (_, index) => `${headers[2 * index]}: ${headers[2 * index + 1]}`,
  )
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`
  return [statusLine, ...lines, 'Connection: close', '', body].join('\r\n')
}
