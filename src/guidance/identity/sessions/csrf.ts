import { timingSafeEqual } from 'node:crypto'
import type { Session } from '../../../http/session.ts'
import { Refusal } from '../../../platform/errors.ts'

/** Refuses a write whose header `X-CSRF-Token` is not the token of the session. */
export function checkCsrfToken({ csrfToken }: Session, token: string | undefined): void {
  const expected = Buffer.from(csrfToken)
  const presented = Buffer.from(token ?? '')
  if (presented.length === expected.length && timingSafeEqual(presented, expected)) return
  throw new Refusal(
    'invalid_csrf_token',
    'Send the header X-CSRF-Token with the value that GET /api/auth/csrf gives for this session.',
  )
}
