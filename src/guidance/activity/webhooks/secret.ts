import { createHmac, randomBytes } from 'node:crypto'
import { seal, unseal } from '../../parts/sealed.ts'

/** A secret for webhooks whose owner gives none. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Encrypts a secret; it can be decrypted only with the same key and for the same project. */
export function sealSecret(secret: string, key: Buffer, projectId: number): string {
  return seal(secret, key, purposeOf(projectId))
}

/** Throws when it was encrypted with another key or for another project. */
export function openSecret(sealed: string, key: Buffer, projectId: number): string {
  return unseal(sealed, key, purposeOf(projectId))
}

/** The value of `X-Parapet-Signature-256` for a body that is sent at this time (Unix seconds). */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

function purposeOf(projectId: number): string {
  return `webhook of project ${projectId}`
}
