import { z } from 'zod'
import { requiredText } from '../../../http/input.ts'
import { currentPassword } from '../users/schemas.ts'
import type { SecondFactor } from './factors.ts'

const KINDS = z.enum(['passkey', 'totp'])

export const secondFactor = z.object({
  id: z.int(),
  kind: KINDS.meta({ description: 'totp: one-time codes of an app' }),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})

export function shapeFactor(factor: SecondFactor): z.infer<typeof secondFactor> {
  const { id, kind, name, created_at, last_used_at } = factor
  return { id, kind, name, created_at, last_used_at }
}

export const factorName = requiredText('Name', { max: 100 })

/** Accepts any text; the check of the code decides. */
export const typedCode = z.string('Code must be a text').max(100)

/** Far more than any authenticator sends. */
const encoded = z.string().max(20_000)
const credential = z.object({
  id: encoded,
  rawId: encoded,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
})

/** The result of `navigator.credentials.create`, as JSON (WebAuthn Level 3). */
export const createdPasskey = credential.extend({
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(50)).max(10).optional(),
  }),
})

/** The result of `navigator.credentials.get`. */
export const usedPasskey = credential.extend({
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.optional(),
  }),
})

const named = z.object({ id: z.string(), type: z.string() })
const credentialList = z.array(named.extend({ transports: z.array(z.string()).optional() }))

const requirement = z.enum(['required', 'preferred', 'discouraged'])
const options = z.object({ challenge: z.string(), timeout: z.int().optional() })

/** For `navigator.credentials.get`. */
export const requestOptions = options.extend({
  rpId: z.string().optional(),
  allowCredentials: credentialList.optional(),
  userVerification: requirement.optional(),
})

/** For `navigator.credentials.create`. */
export const creationOptions = options.extend({
  rp: z.object({ id: z.string().optional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  excludeCredentials: credentialList.optional(),
  authenticatorSelection: z
    .object({
      authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
      residentKey: requirement.optional(),
      requireResidentKey: z.boolean().optional(),
      userVerification: requirement.optional(),
    })
    .optional(),
  attestation: z.enum(['none', 'indirect', 'direct', 'enterprise']).optional(),
  hints: z.array(z.enum(['hybrid', 'security-key', 'client-device'])).optional(),
  extensions: z.object({ credProps: z.boolean().optional() }).optional(),
})

/** The password, where the sign-in is no longer recent and there is no second factor yet. */
export const provenBody = z.object({ current_password: currentPassword.optional() }).optional()
