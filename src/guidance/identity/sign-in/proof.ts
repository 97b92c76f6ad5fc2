import type { Caller } from '../../../http/caller.ts'
import type { Session } from '../../../http/session.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Parts } from '../../parts/parts.ts'
import { requireOwn } from '../users/reader.ts'
import { logFailure } from './failures.ts'
import type { LocalSignIn } from './sign-in.ts'

/** How long a sign-in counts as recent. */
const FRESH_MS = 5 * 60_000

export interface IdentityProof {
  readonly caller: Caller
  readonly session: Session
  readonly password: string | undefined
}

/**
 * Checks that the caller is still the person who signed in: by the current password, or, without a local one, by a
 * single sign-on of the last five minutes. A wrong password counts as a failed attempt.
 */
export async function proveIdentity(
  { database, limits, log }: Parts,
  local: LocalSignIn,
  { caller, session, password }: IdentityProof,
): Promise<void> {
  const user = await requireOwn(database.read, caller)
  if (user.password_hash === null) {
    if (isFresh(session)) return
    throw new Refusal(
      'incorrect_password',
      'The account has no local password. Sign in again through the provider, then repeat this within five minutes.',
    )
  }
  const key = `proof ${caller.id}`
  await limits.logins.count(key)
  if (password === undefined) throw unprovenRefusal()
  const { address = '' } = session.data.from ?? {}
  await logFailure(
    { log },
    { method: 'proof', address, findAccount: () => Promise.resolve({ user: caller.id }) },
    async () => {
      if (!(await local.confirm(caller.id, password))) throw unprovenRefusal()
    },
  )
  await limits.logins.forgive(key)
}

/** Accepts any sign-in of the last five minutes as a proof. */
export async function proveRecently(parts: Parts, local: LocalSignIn, claim: IdentityProof): Promise<void> {
  if (!isFresh(claim.session)) await proveIdentity(parts, local, claim)
}

/** Whether the sign-in of this session was in the last five minutes. */
export function isFresh({ data: { provenAt } }: Session): boolean {
  return provenAt !== undefined && provenAt + FRESH_MS > Date.now()
}

export function unprovenRefusal(): Refusal {
  return new Refusal('incorrect_password', 'The current password is missing or wrong.')
}
