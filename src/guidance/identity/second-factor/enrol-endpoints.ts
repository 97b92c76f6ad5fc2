import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { bySession } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { refuseValues, toast, toastSchema } from '../../../http/toast.ts'
import type { IdentityParts } from '../parts.ts'
import type { LocalSignIn } from '../sign-in/sign-in.ts'
import { requireOwn } from '../users/reader.ts'
import { enrol } from './enrol.ts'
import { findFactors } from './factors.ts'
import { makeSecret, openSecret, sealSecret, stepOf } from './one-time-codes.ts'
import { beginPasskey, challengeOf, hasPasskeys, readPasskey } from './passkeys.ts'
import { proveForFactors } from './proof.ts'
import {
  createdPasskey,
  creationOptions,
  factorName,
  provenBody,
  secondFactor,
  shapeFactor,
  typedCode,
} from './schemas.ts'

const TAG = 'Second factor'
const FAILURE_MESSAGE = 'Could not add the second factor.'
/** Time for scanning the code and typing. */
const SETUP_MS = 10 * 60_000

const REFUSALS = ['incorrect_password', 'recent_sign_in_required', 'validation_failed'] as const

/** Setting up a second factor in two steps; tokens are refused. */
export function enrolEndpoints(parts: IdentityParts, local: LocalSignIn): readonly Endpoint[] {
  return [beginCodes(parts, local), confirmCodes(parts), beginPasskeys(parts, local), confirmPasskey(parts)]
}

const enrolled = z.object({
  toast: toastSchema,
  second_factor: secondFactor,
  recovery_codes: z.array(z.string()).nullable().meta({
    description: 'Only with the first second factor: shown once, each valid for one sign-in',
  }),
})

function answerOf({ added, recoveryCodes }: Awaited<ReturnType<typeof enrol>>) {
  const advice = recoveryCodes === null ? '' : ' Keep the recovery codes: they are not shown again.'
  return {
    ...toast('Second factor added.', `It is asked for at the next sign-in.${advice}`),
    second_factor: shapeFactor(added),
    recovery_codes: recoveryCodes === null ? null : [...recoveryCodes],
  }
}

function beginCodes(parts: IdentityParts, local: LocalSignIn): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/second_factors/totp',
    operation: 'beginOneTimeCodes',
    tag: TAG,
    summary: 'A new secret for one-time codes; nothing changes until a code of it is confirmed',
    refusals: REFUSALS,
    access: bySession,
    beforeSecondFactor: true,
    input: z.object({ body: provenBody }),
    answer: z.object({
      secret: z.string().meta({ description: 'In base 32, to be typed' }),
      uri: z.string().meta({ description: 'otpauth://, to be shown as a QR code' }),
    }),
    handle: async ({ grant: { caller }, input: { body }, session }) => {
      await proveForFactors(parts, local, { caller, session, password: body?.current_password })
      const secret = makeSecret(caller.email)
      const sealed = sealSecret(secret.secret, parts.keys.oneTimeCode, caller.id)
      await session.remember({ newSecret: { sealed, at: Date.now() } })
      return secret
    },
  })
}

function confirmCodes(parts: IdentityParts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/second_factors/totp/confirm',
    operation: 'confirmOneTimeCodes',
    tag: TAG,
    summary: 'Add one-time codes as a second factor, with the first of them',
    refusals: ['validation_failed', 'rate_limited'],
    access: bySession,
    beforeSecondFactor: true,
    failure: FAILURE_MESSAGE,
    input: z.object({ body: z.object({ name: factorName, code: typedCode }) }),
    answer: enrolled,
    handle: async ({ grant: { caller }, input: { body }, session }) => {
      const { newSecret } = session.data
      if (newSecret === undefined || newSecret.at + SETUP_MS < Date.now())
        throw refuse(null, 'Too much time has passed: begin again')
      const limit = `new codes ${caller.id}`
      await parts.limits.logins.count(limit)
      const { sealed: key } = newSecret
      const secret = openSecret(key, parts.keys.oneTimeCode, caller.id)
      const step = stepOf(secret, body.code)
      if (step === null) throw refuse('code', 'The code is wrong. Compare the clock of your device')
      await parts.limits.logins.forgive(limit)
      const { name } = body
      const codes = { kind: 'totp', name, key, used_up_to: step } as const
      const factor = { ...codes, credentialId: null, transports: [] }
      return answerOf(await enrol(parts, { caller, session, factor, title: FAILURE_MESSAGE }))
    },
  })
}

function beginPasskeys(parts: IdentityParts, local: LocalSignIn): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/second_factors/passkey',
    operation: 'beginPasskey',
    tag: TAG,
    summary: 'Options for a new passkey, for navigator.credentials.create',
    refusals: REFUSALS,
    access: bySession,
    beforeSecondFactor: true,
    input: z.object({ body: provenBody }),
    answer: creationOptions,
    handle: async ({ grant: { caller }, input: { body }, session }) => {
      if (!hasPasskeys(parts.baseUrl)) throw refuse(null, 'SERVICE_BASE_URL has no host name, which passkeys need')
      await proveForFactors(parts, local, { caller, session, password: body?.current_password })
      const { read } = parts.database
      const user = await requireOwn(read, caller)
      const options = await beginPasskey(parts, user, await findFactors(read, user.id))
      await session.remember({ challenge: { value: options.challenge, at: Date.now() } })
      return options
    },
  })
}

function confirmPasskey(parts: IdentityParts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/second_factors/passkey/confirm',
    operation: 'confirmPasskey',
    tag: TAG,
    summary: 'Add a passkey that the browser has made as a second factor',
    refusals: ['validation_failed'],
    access: bySession,
    beforeSecondFactor: true,
    failure: FAILURE_MESSAGE,
    input: z.object({ body: z.object({ name: factorName, credential: createdPasskey }) }),
    answer: enrolled,
    handle: async ({ grant: { caller }, input: { body }, session }) => {
      const challenge = challengeOf(session.data)
      if (challenge === null) throw refuse(null, 'Too much time has passed: begin again')
      // The challenge is valid for one attempt.
      await session.remember({ challenge: undefined })
      const response = toResponse(body.credential)
      const passkey = await readPasskey(parts, { response, challenge })
      if (passkey === null) throw refuse(null, 'The passkey could not be checked. Try again')
      const factor = { ...passkey, kind: 'passkey', name: body.name } as const
      return answerOf(await enrol(parts, { caller, session, factor, title: FAILURE_MESSAGE }))
    },
  })
}

function toResponse({ response, ...credentialFields }: z.infer<typeof createdPasskey>): RegistrationResponseJSON {
  const { transports, ...credential } = response
  return { ...credentialFields, response: { ...credential, ...(transports !== undefined && { transports }) } }
}

function refuse(field: string | null, message: string): ReturnType<typeof refuseValues> {
  return refuseValues(FAILURE_MESSAGE, [{ field, message }])
}
