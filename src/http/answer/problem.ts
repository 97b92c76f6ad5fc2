import { z } from 'zod'
import { Refusal, REFUSALS } from '../../platform/errors.ts'
import { contextOf } from '../server/request-context.ts'
import type { Exchange } from './representation.ts'

/** An RFC 9457 problem details object. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly [member: string]: unknown
}

const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8'

/** Default of Retry-After for temporary failures, in seconds. */
const RETRY_SECONDS = 1

/**
 * The challenge that RFC 9110 §11.6.1 asks for in every 401. Browsers ignore the scheme: `Basic` would open a dialog
 * over our own sign-in page.
 */
export const CHALLENGE = 'Token realm="Parapet"'

/**
 * The problem for a refusal. For a bug, it has one fixed sentence; the log has the details under the id of the request.
 */
export function problemOf(error: unknown, requestId?: string): Problem {
  const refusal = refusalOf(error)
  const request = requestId === undefined ? {} : { request_id: requestId }
  if (refusal !== null) {
    const { status, title } = REFUSALS[refusal.code]
    const { code, message: detail, members } = refusal
    return { type: `/docs/api/errors#${code}`, title, status, detail, code, ...members, ...request }
  }
  return {
    type: '/docs/api/errors#internal_error',
    title: 'The service failed',
    status: 500,
    detail: 'Something went wrong on our side. The log has the details.',
    code: 'internal_error',
    ...request,
  }
}

/** A problem as it is sent, with its headers: names and values in turn. */
export interface ProblemAnswer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

export function problemAnswer(problem: Problem, requestId: string): ProblemAnswer {
  const body = JSON.stringify(problem)
  const { status, retry_after: retry = status === 503 ? RETRY_SECONDS : null } = problem
  return {
    status,
    headers: [
      'Content-Type',
      PROBLEM_MEDIA_TYPE,
      'Content-Length',
      String(Buffer.byteLength(body)),
      'X-Request-Id',
      requestId,
      'Cache-Control',
      'no-store',
      ...(typeof retry === 'number' ? ['Retry-After', String(retry)] : []),
      ...(status === 401 ? ['WWW-Authenticate', CHALLENGE] : []),
    ],
    body,
  }
}

/** Answers with the problem for an error. Headers that are already set are sent, too. */
export function sendProblem({ request, response }: Exchange, error: unknown): void {
  const { id } = contextOf(request)
  const { status, headers, body } = problemAnswer(problemOf(error, id), id)
  response.writeHead(status, [...headers])
  response.end(request.method === 'HEAD' ? undefined : body)
}

const clientError = z.object({ status: z.int().min(400).max(499), expose: z.literal(true) })

/** Express itself throws these for a Range or a precondition of a file that fails. */
function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  if (!clientError.safeParse(error).success) return null
  return new Refusal('parameter_invalid', 'A header of the request cannot be used here.')
}
