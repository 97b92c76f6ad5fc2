import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { NO_INPUT } from '../../../http/input.ts'
import type { Session } from '../../../http/session.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Writer } from '../../database/transaction.ts'
import { recoveryCodeUsedMessage } from '../mail/messages.ts'
import type { IdentityParts } from '../parts.ts'
import { beginSession } from '../sign-in/endpoints.ts'
import { logFailure } from '../sign-in/failures.ts'
import { noteSignIn } from '../sign-in/sign-in.ts'
import type { User } from '../users/reader.ts'
import { currentUser } from '../users/schemas.ts'
import { forgetWrongCodes, note } from './factors.ts'
import { countWrongCode, refuseTooMany, spendCode } from './one-time-codes.ts'
import { askPasskeys, challengeOf, checkPasskey, spendPasskey, type UsedPasskey } from './passkeys.ts'
import { endPending, requirePending, type PendingSignIn } from './pending.ts'
import { countRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
import { secondFactorWrong } from './refusals.ts'
import { requestOptions, typedCode, usedPasskey } from './schemas.ts'

const TAG = 'Authentication'

/** The second step of a sign-in, after `POST /api/auth/login` has refused with `second_factor_required`. */
export function secondStepEndpoints(parts: IdentityParts): readonly Endpoint[] {
  return [askPasskey(parts), finish(parts)]
}

function askPasskey(parts: IdentityParts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/api/auth/second_factor/passkey',
    operation: 'askPasskey',
    tag: TAG,
    summary: 'Challenge for a passkey as the second factor, for navigator.credentials.get',
    refusals: ['sign_in_not_begun', 'account_locked'],
    access: everyone,
    limited: true,
    input: NO_INPUT,
    answer: requestOptions,
    handle: async ({ session, forgive }) => {
      const { factors } = await requirePending(parts.database.read, session)
      const options = await askPasskeys(parts, factors)
      await session.remember({ challenge: { value: options.challenge, at: Date.now() } })
      await forgive()
      return options
    },
  })
}

const presentedFactor = z.union(
  [
    z.strictObject({ code: typedCode.meta({ description: 'A one-time code' }) }),
    z.strictObject({ recovery_code: typedCode }),
    z.strictObject({ passkey: usedPasskey }),
  ],
  'Send one of code, recovery_code and passkey',
)

type PresentedFactor = z.infer<typeof presentedFactor>

function finish(parts: IdentityParts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/api/auth/second_factor',
    operation: 'finishSignIn',
    tag: TAG,
    summary: 'Complete a sign-in with the second factor: a one-time code, a passkey or a recovery code',
    refusals: ['second_factor_wrong', 'sign_in_not_begun', 'account_locked', 'insecure_transport'],
    headers: ['X-CSRF-Token'],
    access: everyone,
    limited: true,
    keepsNoText: true,
    input: z.object({ body: presentedFactor }),
    answer: currentUser,
    handle: async (context) => {
      const { session, address, input } = context
      const { userId } = session.data.pending ?? {}
      const findAccount = () => Promise.resolve(userId === undefined ? null : { user: userId })
      const user = await logFailure(parts, { method: 'second factor', address, findAccount }, () =>
        showFactor(parts, session, input.body),
      )
      await context.forgive()
      return beginSession(parts, context, { userId: user.id, provenAt: Date.now(), twoStep: true })
    },
  })
}

/** Returns the account of the second factor. */
async function showFactor(parts: IdentityParts, session: Session, factor: PresentedFactor): Promise<User> {
  const { database, limits } = parts
  const pending = await requirePending(database.read, session)
  const key = `second factor ${pending.user.id}`
  await limits.logins.count(key)
  const passkey = await readFactor(parts, session, { pending, factor })
  // The refusal of a wrong factor is returned, not thrown, so that its count is committed.
  const outcome = await database.transact(async (writer) => {
    await writer.lock('user', pending.user.id)
    const now = await requirePending(writer, session)
    const refusal = await spend(writer, parts, { pending: now, factor, passkey })
    if (refusal !== null) return refusal
    await endPending(writer, session)
    await forgetWrongCodes(writer, now.user.id)
    return noteSignIn(writer, now.user)
  })
  if (outcome instanceof Refusal) throw outcome
  await limits.logins.forgive(key)
  if ('recovery_code' in factor) await notifyOwner(parts, outcome)
  return outcome
}

/** Takes time, so it comes before the transaction. Each challenge is valid for one attempt. */
async function readFactor(
  parts: IdentityParts,
  session: Session,
  { pending, factor }: { readonly pending: PendingSignIn; readonly factor: PresentedFactor },
): Promise<UsedPasskey | null> {
  if (!('passkey' in factor)) return null
  const challenge = challengeOf(session.data)
  if (challenge === null) return null
  await session.remember({ challenge: undefined })
  return checkPasskey(parts, { response: toResponse(factor.passkey), challenge }, pending.factors)
}

function toResponse({ response, ...credential }: z.infer<typeof usedPasskey>): AuthenticationResponseJSON {
  const { userHandle, ...signed } = response
  return { ...credential, response: { ...signed, ...(userHandle !== undefined && { userHandle }) } }
}

interface FactorAttempt {
  readonly pending: PendingSignIn
  readonly factor: PresentedFactor
  readonly passkey: UsedPasskey | null
}

/** Uses the factor; returns the refusal of a wrong one, else null. */
async function spend(
  writer: Writer,
  parts: IdentityParts,
  { pending: { user, factors }, factor, passkey }: FactorAttempt,
): Promise<Refusal | null> {
  const { keys, log, settings } = parts
  if ('code' in factor) {
    const { code } = factor
    const refusal = refuseTooMany(user, settings.lockout)
    if (refusal !== null) return refusal
    const spent = await spendCode(writer, { code, factors, key: keys.oneTimeCode, log })
    if (spent !== null) return null
    await countWrongCode(writer, user)
    return secondFactorWrong()
  }
  if ('recovery_code' in factor) {
    const recoveryCode = { userId: user.id, code: factor.recovery_code }
    if (!(await spendRecoveryCode(writer, keys.secondFactor, recoveryCode))) return secondFactorWrong()
    const actor = { id: user.id, name: user.name, via: 'sign-in' }
    await note(writer, user, { actor, comment: 'A recovery code was used' })
    return null
  }
  return passkey !== null && (await spendPasskey(writer, passkey)) ? null : secondFactorWrong()
}

/** Notifies the owner, because somebody else may have found the list of codes. */
async function notifyOwner({ database, mailer }: IdentityParts, user: User): Promise<void> {
  const remainingCodes = await countRecoveryCodes(database.read, user.id)
  mailer?.send(recoveryCodeUsedMessage({ to: user.email, name: user.name }, remainingCodes))
}
