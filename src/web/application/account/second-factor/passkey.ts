import {
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { components } from '#api-types'
import { Problem } from '../../client/problem.ts'

type PasskeyAssertion = Extract<components['schemas']['FinishSignInRequest'], { passkey: unknown }>['passkey']
type PasskeyRegistration = components['schemas']['ConfirmPasskeyRequest']['credential']

/** Signs with a passkey, for which the browser asks. */
export async function signWithPasskey(optionsJSON: PublicKeyCredentialRequestOptionsJSON): Promise<PasskeyAssertion> {
  const { id, rawId, response } = await askForPasskey(() => startAuthentication({ optionsJSON }))
  const { clientDataJSON, authenticatorData, signature } = response
  const signed = { clientDataJSON, authenticatorData, signature }
  return { id, rawId, type: 'public-key', clientExtensionResults: {}, response: signed }
}

/** Creates a passkey in the browser. */
export async function makePasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON): Promise<PasskeyRegistration> {
  const { id, rawId, response } = await askForPasskey(() => startRegistration({ optionsJSON }))
  const { clientDataJSON, attestationObject, transports = [] } = response
  const attestation = { clientDataJSON, attestationObject, transports }
  return { id, rawId, type: 'public-key', clientExtensionResults: {}, response: attestation }
}

/** Replaces messages of browsers, which people do not understand. */
async function askForPasskey<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError'
    const detail = isKnown
      ? 'This device has a passkey of the account already.'
      : 'No passkey was received: it was cancelled, took too long, or this browser has none.'
    throw new Problem(400, { detail })
  }
}
