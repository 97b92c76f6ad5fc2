import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { hasBlockedPort } from '../network/ports.ts'
import { isAddressRange } from './address-range.ts'

/** Types of the values of variables. A message completes the sentence that begins with the name of the variable. */

export const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')

export function count(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((number) => number >= min && number <= max, message)
}

const MAX_PROCESSES = 64

/** `auto` is one for each core that may be used. */
export const processes = z.union(
  [z.literal('auto').transform(() => Math.min(MAX_PROCESSES, availableParallelism())), count(1, MAX_PROCESSES)],
  `must be auto, or a whole number from 1 to ${MAX_PROCESSES}`,
)

export function choice<const T extends readonly string[]>(names: T): z.ZodType<T[number], T[number]> {
  return z.enum(names, `must be one of ${names.join(', ')}`)
}

export const line = z
  .string()
  .max(500, 'must not be longer than 500 characters')
  .regex(/^\P{Cc}*$/u, 'must be one line')

/** A program by its whole path, and its arguments, separated by blanks. No shell reads it, so there are no quotes. */
export const command = line
  .transform((text) => text.trim().split(/ +/))
  .refine(
    ([program = '', ...rest]) =>
      program.startsWith('/') && ![program, ...rest].some((part) => /["'`$|;&<>]/.test(part)),
    'must be the whole path of a program, such as /usr/bin/clamdscan, and perhaps arguments without quotes',
  )

/** A contact, as RFC 9116 §2.5.3 requires. */
export const contact = line.refine(
  (text) => /^(?:mailto:[^@\s]+@[^@\s]+|https:\/\/\S+|tel:[+\d-]+)$/.test(text),
  'must be a URI such as mailto:security@example.org, https://example.org/security or tel:+1-201-555-0123',
)

export const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #007a33')

export const attribute = z.string().regex(/^[A-Za-z][\w.-]*$/, 'must be the name of an attribute, such as uid')

/** Names of ranges in the library for forwarded addresses. */
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal']

/** `/0` is refused, because every client could then choose its own address. */
export const proxies = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ''))
  .refine(
    (items) => items.every((item) => NAMED_RANGES.includes(item) || (isAddressRange(item) && !item.endsWith('/0'))),
    `must be addresses and CIDR ranges such as 10.0.0.0/8, or ${NAMED_RANGES.join(', ')}, separated by commas`,
  )

/** Only scheme, host and port, as browsers write them. */
export const origin = z.string().transform((text, context) => {
  const url = parseUrl(text, ['http:', 'https:'])
  if (url !== null && url.href === `${url.origin}/`) return url.origin
  context.issues.push({
    code: 'custom',
    input: text,
    message:
      'must be http:// or https:// with a host and perhaps a port, and nothing after them. ' +
      'A service that shares its host with others needs a host name of its own, not a path',
  })
  return z.NEVER
})

/** Must not contain a user and a password, because the log and problems name it. */
export const endpoint = line.refine(
  isRequestable,
  'must be an http or https URL without a user, at a port that HTTP may use',
)

/** Several endpoints, separated by blanks or line breaks. */
export const endpoints = z
  .string()
  .transform((text) => text.split(/\s+/).filter((item) => item !== ''))
  .refine(
    (items) => items.length <= 100 && items.every(isOneEndpoint),
    'must be at most 100 http or https URLs without a user, at ports that HTTP may use, separated by blanks (not by commas)',
  )

function isOneEndpoint(item: string): boolean {
  // URLs that are separated by commas would form one wrong URL.
  return endpoint.safeParse(item).success && !/,https?:/.test(item)
}

/** The IRI of a graph, with `{version}` in it unless all releases are in the same graph. */
export const graph = line.refine(
  (text) => /^[a-z][a-z0-9+.-]*:[^\s<>"\\^`|]+$/i.test(text),
  'must be an IRI, with {version} for the version of a release',
)

export const issuer = z
  .string()
  .refine(
    (text) => isRequestable(text) && !/[?#]/.test(text),
    'must be the http:// or https:// address of the provider, without a query or credentials, at a port that HTTP may use',
  )

export const scopes = line.refine(
  (text) => text.split(' ').includes('openid'),
  'must have openid among the scopes, which are separated by blanks',
)

export const directory = z
  .string()
  .refine(
    (text) => isPlain(text, ['ldap:', 'ldaps:']) && /^ldaps?:\/\/[^/?#[\]]+\/?$/.test(text),
    'must be ldap:// or ldaps:// with a host name and perhaps a port, and nothing after them',
  )

export const mailServer = z
  .string()
  .refine(
    (text) => parseUrl(text, ['smtp:', 'smtps:']) !== null,
    'must start with smtp:// or smtps:// and name a host; write special characters of the password percent-encoded',
  )

/** May contain a password, percent-encoded. */
export const proxy = z
  .string()
  .refine(
    (text) => parseUrl(text, ['http:', 'https:']) !== null && /^https?:\/\/[^/?#]+\/?$/.test(text),
    'must be http:// or https:// with a host and perhaps a port, and nothing after them',
  )

export const databaseUrl = z
  .string()
  .refine(
    (text) => /^file:(?!:memory:)./.test(text) || parseUrl(text, ['postgres:', 'postgresql:']) !== null,
    'must be postgres://… or file:PATH; write special characters of the password percent-encoded',
  )

/** Whether `fetch` can send requests there; it refuses the ports of other protocols. */
function isRequestable(text: string): boolean {
  return isPlain(text, ['http:', 'https:']) && !hasBlockedPort(new URL(text))
}

function isPlain(text: string, protocols: readonly string[]): boolean {
  const url = /\s/.test(text) ? null : parseUrl(text, protocols)
  return url !== null && url.hostname !== '' && url.username === '' && url.password === ''
}

/** Null if the text is not a URL, has another scheme, or has percent signs that encode nothing. */
function parseUrl(text: string, protocols: readonly string[]): URL | null {
  if (!/^\w+:\/\//.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  return protocols.includes(url.protocol) && isDecodable(text) ? url : null
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
