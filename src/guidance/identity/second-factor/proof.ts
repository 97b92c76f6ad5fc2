import { refuseValues } from '../../../http/toast.ts'
import type { Parts } from '../../parts/parts.ts'
import { isFresh, proveIdentity, type IdentityProof } from '../sign-in/proof.ts'
import type { LocalSignIn } from '../sign-in/sign-in.ts'
import { requireOwn } from '../users/reader.ts'
import { recentSignInRequired } from './refusals.ts'
import { hasSecondFactor } from './state.ts'

/**
 * Checks the identity before second factors or recovery codes are changed. The password is enough only for the first
 * factor. With a second factor, a complete sign-in of the last five minutes is needed.
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
