import { Refusal, type RefusalCode } from '../platform/errors.ts'

type Members = Readonly<Record<string, unknown>>

export const HOW_TO_AUTHENTICATE: Members = {
  how_to_authenticate: {
    session: 'POST /api/auth/login with {"email", "password"}, then send the session cookie.',
    token: 'Send the header "Authorization: Token <ACCESS_TOKEN>".',
  },
}

/** Refusals of authentication also have the member `error`, which existing clients look for. */
export function refuseTokens(code: RefusalCode, detail: string, members: Members = {}): Refusal {
  return new Refusal(code, detail, { error: detail, ...members })
}

export function notAuthenticated(): Refusal {
  const detail = 'Sign in or send a personal access token.'
  return refuseTokens('not_authenticated', detail, HOW_TO_AUTHENTICATE)
}

/** An administrator who can give the caller the role. */
export interface Admin {
  readonly name: string
  readonly email: string
}

/** Refuses an operation on a record that the caller may know. */
export function permissionDenied(detail: string, admins: readonly Admin[] = []): Refusal {
  return new Refusal('permission_denied', detail, {
    admins,
    toast: { title: 'Not Authorized.', message: detail, variant: 'danger' },
  })
}
