import { Refusal } from '../../platform/errors.ts'
import type { Caller } from '../caller.ts'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/session.ts'
import { requireUser } from '../users/reader.ts'
import type { LocalSignIn } from './sign-in.ts'

/** How long a single sign-on counts as fresh. */
const FRESH_MS = 5 * 60_000

interface Claim {
  readonly caller: Caller
  readonly session: Session
  readonly password: string | undefined
}

/**
 * Makes sure that it is still the person who signed in: by the current password, or, for somebody
 * without a local one, by a single sign-on of the last five minutes. A wrong password counts as a
 * failed attempt.
 */
export async function proveIdentity(
  { database, limits }: Parts,
  local: LocalSignIn,
  { caller, session, password }: Claim,
): Promise<void> {
  const user = await requireUser(database.read, caller.id)
  if (user.password_hash === null) {
    const { provenAt } = session.data
    if (provenAt !== undefined && provenAt + FRESH_MS > Date.now()) return
    throw new Refusal(
      'incorrect_password',
      'The account has no local password. Sign in again through the provider, then repeat this within five minutes.',
    )
  }
  const key = `proof ${caller.id}`
  await limits.logins.count(key)
  if (password === undefined || !(await local.confirm(caller.id, password)))
    throw new Refusal('incorrect_password', 'The current password is missing or wrong.')
  await limits.logins.forgive(key)
}
