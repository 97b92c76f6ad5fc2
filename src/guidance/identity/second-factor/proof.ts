import { refuseValues } from '../../../http/toast.ts'
import type { Parts } from '../../parts/parts.ts'
import { isFresh, proveIdentity, type IdentityProof } from '../sign-in/proof.ts'
import type { LocalSignIn } from '../sign-in/sign-in.ts'
import { requireOwn } from '../users/reader.ts'
import { recentSignInRequired } from './refusals.ts'
import { hasSecondFactor } from './state.ts'

/**
 * Before a second factor comes, goes or gets other recovery codes: the password alone must not be enough once there is
 * one. So that needs a whole sign-in of the last five minutes; the first factor of all needs that or the password.
 */
export async function proveForFactors(parts: Parts, local: LocalSignIn, claim: IdentityProof): Promise<void> {
  const { caller, session } = claim
  const user = await requireOwn(parts.database.read, caller)
  if (user.password_hash === null) {
    const message = 'You sign in through a provider: set up the second factor there'
    throw refuseValues('Could not change the second factor.', [{ field: null, message }])
  }
  if (await hasSecondFactor(parts.database.read, user.id)) {
    if (!isFresh(session) || session.data.twoStep !== true) throw recentSignInRequired()
    return
  }
  if (isFresh(session)) return
  await proveIdentity(parts, local, claim)
  await session.remember({ provenAt: Date.now() })
}
