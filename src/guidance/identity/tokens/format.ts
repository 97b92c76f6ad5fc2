import { createHmac, randomInt } from 'node:crypto'

const PREFIX = 'svc_'
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const LENGTH = 36
const PREFIX_LENGTH = 8

/** A new raw token: about 211 random bits. */
export function mintToken(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
  return PREFIX + letters.join('')
}

/** The digest that is stored. Without the key, a stored digest cannot be matched with a token. */
export function digestToken(raw: string, key: Buffer): string {
  return createHmac('sha256', key).update(raw).digest('base64url')
}

/** The first characters, by which the owner recognises a token. */
export function tokenPrefix(raw: string): string {
  return raw.slice(0, PREFIX_LENGTH)
}
