import { z } from 'zod'
import { Refusal, REFUSALS } from '../platform/errors.ts'

/** An RFC 9457 problem details object. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly [member: string]: unknown
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8'

/**
 * The challenge that RFC 9110 §11.6.1 asks for in every 401. Browsers ignore the scheme: `Basic` would open a dialog
 * over our own sign-in page.
 */
export const CHALLENGE = 'Token realm="Parapet"'

/**
 * The problem of a refusal; a bug becomes one fixed sentence, its detail belongs in the log, where the id of the
 * request finds it.
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

const ofTheCaller = z.object({ status: z.int().min(400).max(499), expose: z.literal(true) })

/** Express itself throws these for a Range or a precondition of a file that fails. */
function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  if (!ofTheCaller.safeParse(error).success) return null
  return new Refusal('parameter_invalid', 'A header of the request cannot be used here.')
}
