import { createHash, randomBytes } from 'node:crypto'

/** A writer that an engine has admitted. */
export interface Credentials {
  readonly user: string
  readonly password: string
}

/**
 * The Authorization header that answers a challenge: Digest (RFC 7616, MD5 and SHA-256), or Basic. Null for other schemes.
 */
export function authorizationHeader(
  challenge: string,
  { user, password }: Credentials,
  { method, url }: { readonly method: string; readonly url: string },
): string | null {
  if (/^basic\b/i.test(challenge)) return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  if (!/^digest\b/i.test(challenge)) return null
  const parameters = parametersOf(challenge)
  const { realm = '', nonce = '', algorithm = 'MD5', opaque } = parameters
  const name = HASHES[algorithm.toUpperCase()]
  if (name === undefined) return null
  const hash = (text: string): string => createHash(name).update(text).digest('hex')
  const { pathname, search } = new URL(url)
  const uri = pathname + search
  const [count, cnonce] = ['00000001', randomBytes(8).toString('hex')]
  const ha1 = hash(`${user}:${realm}:${password}`)
  const ha2 = hash(`${method}:${uri}`)
  const response =
    parameters['qop'] === undefined
      ? hash(`${ha1}:${nonce}:${ha2}`)
      : hash(`${ha1}:${nonce}:${count}:${cnonce}:auth:${ha2}`)
  const quoted = {
    username: user,
    realm,
    nonce,
    uri,
    response,
    cnonce,
    ...(opaque !== undefined && { opaque }),
  }
  const members = Object.entries(quoted).map(([key, value]) => `${key}="${escapeLine(value)}"`)
  const rest = parameters['qop'] === undefined ? [] : ['qop=auth', `nc=${count}`]
  return `Digest ${[...members, ...rest, `algorithm=${algorithm}`].join(', ')}`
}

const HASHES: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256' }

function parametersOf(challenge: string): Readonly<Record<string, string | undefined>> {
  const found = challenge.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)
  return Object.fromEntries(
    Array.from(found, ([, name = '', quoted, plain = '']) => [name.toLowerCase(), quoted ?? plain]),
  )
}

function escapeLine(text: string): string {
  return text.replaceAll(/["\\]/g, String.raw`\$&`)
}
