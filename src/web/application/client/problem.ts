import type { components } from '#api-types'

type ProblemAnswer = Partial<components['schemas']['Problem']>

/** Plain messages for codes whose own message is written for programs. */
const MESSAGES: Readonly<Record<string, string>> = {
  invalid_csrf_token: 'Somebody signed in or out in another window. Reload this page.',
  not_authenticated: 'Sign in first.',
  session_timed_out: 'Your session has ended. Sign in again.',
  no_release: 'No release of the ontology is open yet.',
}

/** The problem for a service that does not answer. */
export const UNREACHABLE = 0

/** A refusal of the API (RFC 9457), with a sentence that people can act on. */
export class Problem extends Error {
  readonly code: string
  readonly status: number
  readonly details: ProblemAnswer

  constructor(status: number, details: ProblemAnswer) {
    const code = details.code ?? 'unreadable'
    super(MESSAGES[code] ?? details.detail ?? unexplainedProblem(status))
    this.name = 'Problem'
    this.code = code
    this.status = status
    this.details = details
  }

  /** Whether the failure is temporary, so that a retry may succeed. */
  get isPassing(): boolean {
    return [UNREACHABLE, 429, 502, 503, 504].includes(this.status)
  }

  /** Milliseconds that the service asks to wait, if it does. */
  get wait(): number | null {
    const seconds = this.details.retry_after
    return seconds === undefined ? null : seconds * 1000
  }

  get suggestions(): readonly string[] {
    return this.details.did_you_mean ?? []
  }
}

function unexplainedProblem(status: number): string {
  return status === 404 ? 'It does not exist.' : `The service cannot answer now (${status}).`
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new Problem(500, { code: 'internal_error', detail: `This page failed: ${detail}` })
}

/** Whether the record does not exist, so that a retry would not help. */
export function isRefused(error: unknown): boolean {
  return error !== null && !problemOf(error).isPassing
}

/** The problem in an answer. A proxy may answer in another format. */
export async function readProblem(response: Response): Promise<Problem> {
  const details: unknown = await response.json().catch(() => ({}))
  const shownDetails = typeof details === 'object' && details !== null ? details : {}
  const waits = Number(response.headers.get('Retry-After'))
  return new Problem(response.status, { ...(waits > 0 && { retry_after: waits }), ...shownDetails })
}
