import { refuseTokens } from '../../../http/refusals.ts'
import { Refusal } from '../../../platform/errors.ts'

/** Tells programs that sign in which second factors are possible. */
export function secondFactorRequired(methods: readonly string[]): Refusal {
  return refuseTokens(
    'second_factor_required',
    'The password is right. Now send a second factor to POST /api/auth/second_factor.',
    { methods },
  )
}

export function secondFactorWrong(): Refusal {
  return refuseTokens('second_factor_wrong', 'The second factor is wrong, or was used before.')
}

export function notBegun(): Refusal {
  return refuseTokens('sign_in_not_begun', 'Too much time has passed. Begin again with the password.')
}

export function setupRequired(detail: string): Refusal {
  return refuseTokens('second_factor_setup_required', detail)
}

export function recentSignInRequired(): Refusal {
  return new Refusal(
    'recent_sign_in_required',
    'Sign in again, with password and second factor, then repeat this within five minutes.',
  )
}
