import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type * as WebAuthn from '@simplewebauthn/server'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import type { SessionContent } from '../../../http/session.ts'
import type { Writer } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import type { User } from '../users/reader.ts'
import type { SecondFactor } from './factors.ts'

type PasskeyParts = Pick<Parts, 'baseUrl' | 'keys' | 'log'>

/** Time for an authenticator to answer. */
const CHALLENGE_MS = 5 * 60_000
const NAME = 'Parapet'

const transportList = z.array(z.string())

/** Loads the library only for people who have or add a passkey. */
function library(): Promise<typeof WebAuthn> {
  return import('@simplewebauthn/server')
}

/** Whether passkeys are possible: browsers bind them to host names, not to IP addresses. */
export function hasPasskeys(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0
}

/** Makes the options with which a browser creates a passkey for this account. */
export async function beginPasskey(
  { baseUrl, keys }: PasskeyParts,
  user: User,
  factors: readonly SecondFactor[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: new URL(baseUrl).hostname,
    userName: user.email,
    userDisplayName: user.name,
    userID: handleOf(keys.secondFactor, user.id),
    timeout: CHALLENGE_MS,
    excludeCredentials: credentialsOf(factors),
  })
}

/** Names an account to authenticators without revealing whose it is. */
function handleOf(key: Buffer, userId: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', key).update(`passkeys of user ${userId}`).digest())
}

function credentialsOf(factors: readonly SecondFactor[]): { readonly id: string; readonly transports: string[] }[] {
  return factors.flatMap(({ credential_id: id, transports }) =>
    id === null ? [] : [{ id, transports: transportList.parse(JSON.parse(transports)) }],
  )
}

interface SignedChallenge<Response> {
  readonly response: Response
  readonly challenge: string
}

export interface NewPasskey {
  readonly credentialId: string
  readonly key: string
  readonly used_up_to: number
  readonly transports: readonly string[]
}

/** Returns the new passkey; null if the browser's answer is invalid. */
export async function readPasskey(
  { baseUrl, log }: PasskeyParts,
  { response, challenge }: SignedChallenge<RegistrationResponseJSON>,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      ...verificationOptions(baseUrl),
    })
    if (registrationInfo === undefined) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return {
      credentialId: id,
      key: Buffer.from(publicKey).toString('base64url'),
      used_up_to: counter,
      transports: response.response.transports ?? [],
    }
  } catch (error) {
    log.info({ reason: String(error) }, 'A new passkey was refused')
    return null
  }
}

export async function askPasskeys(
  { baseUrl }: PasskeyParts,
  factors: readonly SecondFactor[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: new URL(baseUrl).hostname,
    allowCredentials: credentialsOf(factors),
    timeout: CHALLENGE_MS,
  })
}

/** A passkey that signed the challenge, and its new counter. */
export interface UsedPasskey {
  readonly factor: SecondFactor
  readonly counter: number
}

/** Finds the passkey that signed the challenge; null if none did or if its counter went back. */
export async function checkPasskey(
  { baseUrl, log }: PasskeyParts,
  { response, challenge }: SignedChallenge<AuthenticationResponseJSON>,
  factors: readonly SecondFactor[],
): Promise<UsedPasskey | null> {
  const factor = factors.find(({ credential_id }) => credential_id === response.id)
  if (factor === undefined) return null
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      ...verificationOptions(baseUrl),
      credential: {
        id: response.id,
        publicKey: new Uint8Array(Buffer.from(factor.key, 'base64url')),
        counter: factor.used_up_to,
      },
    })
    return verified ? { factor, counter: authenticationInfo.newCounter } : null
  } catch (error) {
    const { user_id: user, id } = factor
    log.warn({ user, factor: id, reason: String(error) }, 'A passkey was refused')
    return null
  }
}

function verificationOptions(baseUrl: string) {
  const { origin, hostname } = new URL(baseUrl)
  // User verification is not needed, because the password has already identified the person.
  return { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: false }
}

/** Stores the new counter; false if the passkey was removed or used meanwhile. */
export async function spendPasskey(
  writer: Writer,
  { factor: { id, used_up_to }, counter }: UsedPasskey,
): Promise<boolean> {
  const spent = await writer
    .updateTable('second_factors')
    .set({ used_up_to: counter, last_used_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('used_up_to', '=', used_up_to)
    .returning('id')
    .executeTakeFirst()
  return spent !== undefined
}

/** Returns the challenge to sign; null without one, or if it has expired. */
export function challengeOf({ challenge }: Pick<SessionContent, 'challenge'>): string | null {
  if (challenge === undefined || challenge.at + CHALLENGE_MS < Date.now()) return null
  return challenge.value
}
