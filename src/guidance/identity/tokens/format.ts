import { createHmac, randomInt } from 'node:crypto'

const PREFIX = 'svc_'
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const LENGTH = 36
const SHOWN = 8

/** A new raw token: about 211 bits of chance. */
export function mintToken(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
  return PREFIX + letters.join('')
}

/** What is stored of a token. Without the key it cannot be told which token it belongs to. */
export function digestToken(raw: string, key: Buffer): string {
  return createHmac('sha256', key).update(raw).digest('base64url')
}

/** The first characters, by which its owner recognises a token. */
export function tokenPrefix(raw: string): string {
  return raw.slice(0, SHOWN)
}
