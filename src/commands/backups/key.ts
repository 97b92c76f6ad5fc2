import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../../platform/errors.ts'

const MIN_PASSPHRASE = 12
const CIPHER = 'aes-256-gcm'
/** Takes 128 MB and about half a second. */
const COST = { N: 2 ** 17, r: 8, p: 1 }
const MAX_MEMORY = 1024 ** 3

const bytes = z.base64()
const sealed = z.object({
  cipher: z.literal(CIPHER),
  kdf: z.literal('scrypt'),
  N: z
    .int()
    .min(2)
    .max(2 ** 20),
  r: z.int().min(1).max(16),
  p: z.int().min(1).max(4),
  salt: bytes,
  iv: bytes,
  tag: bytes,
  secret: bytes,
})

/** Encrypts the secret with a passphrase, as JSON. */
export async function sealSecret(secret: string, passphrase: string): Promise<string> {
  if (passphrase.length < MIN_PASSPHRASE)
    throw new Refusal('usage', `The passphrase must have at least ${MIN_PASSPHRASE} characters.`)
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv(CIPHER, await deriveKey(passphrase, salt, COST), iv)
  const hidden = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  const parts = { salt, iv, tag: cipher.getAuthTag(), secret: hidden }
  const texts = Object.entries(parts).map(([name, part]) => [name, part.toString('base64')])
  return JSON.stringify({ cipher: CIPHER, kdf: 'scrypt', ...COST, ...Object.fromEntries(texts) })
}

export async function openSecret(text: string, passphrase: string): Promise<string> {
  try {
    const { salt, iv, tag, secret, ...cost } = sealed.parse(JSON.parse(text))
    const key = await deriveKey(passphrase, Buffer.from(salt, 'base64'), cost)
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64'), { authTagLength: 16 })
    decipher.setAuthTag(Buffer.from(tag, 'base64'))
    const plaintext = [decipher.update(Buffer.from(secret, 'base64')), decipher.final()]
    return Buffer.concat(plaintext).toString('utf8')
  } catch {
    throw new Refusal('backup_unusable', 'The passphrase does not open the key in the backup.')
  }
}

function deriveKey(
  passphrase: string,
  salt: Buffer,
  { N, r, p }: { readonly N: number; readonly r: number; readonly p: number },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: MAX_MEMORY }
    scrypt(passphrase.normalize('NFC'), salt, 32, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
