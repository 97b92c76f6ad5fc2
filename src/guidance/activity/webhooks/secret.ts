import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** A secret for webhooks whose owner gives none. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Encrypts a secret; it can be decrypted only with the same key and for the same project. */
export function sealSecret(secret: string, key: Buffer, projectId: number): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(contextOf(projectId))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Throws when it was encrypted with another key or for another project. */
export function openSecret(sealed: string, key: Buffer, projectId: number): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(contextOf(projectId))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const rest = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(rest), decipher.final()]).toString('utf8')
}

/** The value of `X-Parapet-Signature-256` for a body that is sent at this time (Unix seconds). */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

function contextOf(projectId: number): Buffer {
  return Buffer.from(`webhook of project ${projectId}`)
}
