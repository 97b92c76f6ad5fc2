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
import {
  askPasskeys,
  challengeOf,
  checkPasskey,
  spendPasskey,
  type UsedPasskey,
} from './passkeys.ts'
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
    summary: 'What a passkey has to sign as the second factor, for navigator.credentials.get',
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

const shown = z.union(
  [
    z.strictObject({ code: typedCode.meta({ description: 'A one-time code' }) }),
    z.strictObject({ recovery_code: typedCode }),
    z.strictObject({ passkey: usedPasskey }),
  ],
  'Send one of code, recovery_code and passkey',
)

type Shown = z.infer<typeof shown>

function finish(parts: IdentityParts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/api/auth/second_factor',
    operation: 'finishSignIn',
    tag: TAG,
    summary:
      'Complete a sign-in with the second factor: a one-time code, a passkey or a recovery code',
    refusals: [
      ...(['second_factor_wrong', 'sign_in_not_begun', 'account_locked'] as const),
      'insecure_transport',
    ],
    headers: ['X-CSRF-Token'],
    access: everyone,
    limited: true,
    keepsNoText: true,
    input: z.object({ body: shown }),
    answer: currentUser,
    handle: async (asked) => {
      const { session, address, input } = asked
      const { userId } = session.data.pending ?? {}
      const whose = () => Promise.resolve(userId === undefined ? null : { user: userId })
      const user = await logFailure(parts, { way: 'second factor', address, whose }, () =>
        showFactor(parts, session, input.body),
      )
      await asked.forgive()
      return beginSession(parts, asked, { userId: user.id, provenAt: Date.now(), twoStep: true })
    },
  })
}

/** The account whose second factor this is. */
async function showFactor(parts: IdentityParts, session: Session, given: Shown): Promise<User> {
  const { database, limits } = parts
  const pending = await requirePending(database.read, session)
  const key = `second factor ${pending.user.id}`
  await limits.logins.count(key)
  const passkey = await readShown(parts, session, { pending, given })
  // A wrong one is returned, not thrown, so that its count is committed.
  const outcome = await database.transact(async (writer) => {
    await writer.lock('user', pending.user.id)
    const now = await requirePending(writer, session)
    const refusal = await spend(writer, parts, { pending: now, given, passkey })
    if (refusal !== null) return refusal
    await endPending(writer, session)
    await forgetWrongCodes(writer, now.user.id)
    return noteSignIn(writer, now.user)
  })
  if (outcome instanceof Refusal) throw outcome
  await limits.logins.forgive(key)
  if ('recovery_code' in given) await tellOwner(parts, outcome)
  return outcome
}

/** Takes time, so it comes before the transaction. Each challenge is good for one attempt. */
async function readShown(
  parts: IdentityParts,
  session: Session,
  { pending, given }: { readonly pending: PendingSignIn; readonly given: Shown },
): Promise<UsedPasskey | null> {
  if (!('passkey' in given)) return null
  const challenge = challengeOf(session.data)
  if (challenge === null) return null
  await session.remember({ challenge: undefined })
  const response = toResponse(given.passkey)
  return checkPasskey(parts, { response, challenge }, pending.factors)
}

function toResponse({
  response,
  ...others
}: z.infer<typeof usedPasskey>): AuthenticationResponseJSON {
  const { userHandle, ...signed } = response
  return { ...others, response: { ...signed, ...(userHandle !== undefined && { userHandle }) } }
}

interface Spending {
  readonly pending: PendingSignIn
  readonly given: Shown
  readonly passkey: UsedPasskey | null
}

/** Uses the factor up; null when it was right. */
async function spend(
  writer: Writer,
  parts: IdentityParts,
  { pending: { user, factors }, given, passkey }: Spending,
): Promise<Refusal | null> {
  const { keys, log, settings } = parts
  if ('code' in given) {
    const { code } = given
    const refusal = refuseTooMany(user, settings.lockout)
    if (refusal !== null) return refusal
    const spent = await spendCode(writer, { code, factors, key: keys.oneTimeCode, log })
    if (spent !== null) return null
    await countWrongCode(writer, user)
    return secondFactorWrong()
  }
  if ('recovery_code' in given) {
    const offered = { userId: user.id, code: given.recovery_code }
    if (!(await spendRecoveryCode(writer, keys.secondFactor, offered))) return secondFactorWrong()
    const actor = { id: user.id, name: user.name, via: 'sign-in' }
    await note(writer, user, { actor, comment: 'A recovery code was used' })
    return null
  }
  return passkey !== null && (await spendPasskey(writer, passkey)) ? null : secondFactorWrong()
}

/** Somebody else may have found the list of codes. */
async function tellOwner({ database, mailer }: IdentityParts, user: User): Promise<void> {
  const left = await countRecoveryCodes(database.read, user.id)
  mailer?.send(recoveryCodeUsedMessage({ to: user.email, name: user.name }, left))
}
