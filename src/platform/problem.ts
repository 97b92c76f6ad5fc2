import { Refusal, REFUSALS } from './errors.ts'

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

/** The problem of a refusal; a bug becomes one fixed sentence, its detail belongs in the log. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Refusal) {
    const { status, title } = REFUSALS[error.code]
    const { code, message: detail, members } = error
    return { type: `/docs/api/errors#${code}`, title, status, detail, code, ...members }
  }
  return {
    type: '/docs/api/errors#internal_error',
    title: 'The service failed',
    status: 500,
    detail: 'Something went wrong on our side. The log has the details.',
    code: 'internal_error',
  }
}
