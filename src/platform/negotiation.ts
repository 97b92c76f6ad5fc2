import Negotiator from 'negotiator'

/** The content codings that answers are kept in; identity is unpacked for those who insist. */
export const CODINGS = ['br', 'gzip', 'identity'] as const

export type Coding = (typeof CODINGS)[number]

/** Clients send few different headers; what comes after the first ones is worked out each time. */
const codingByHeader = new Map<string, Coding>()
const MAX_REMEMBERED = 500

/**
 * The coding for an Accept-Encoding header (RFC 9110 §12.5.3): the caller's highest weight, brotli
 * before gzip among equals. Without the header, identity.
 */
export function acceptedCoding(header: string | undefined): Coding {
  if (header === undefined) return 'identity'
  const known = codingByHeader.get(header)
  if (known !== undefined) return known
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  const chosen = negotiator.encoding([...CODINGS], { preferred: [...CODINGS] })
  const coding = CODINGS.find((name) => name === chosen) ?? 'identity'
  if (codingByHeader.size < MAX_REMEMBERED) codingByHeader.set(header, coding)
  return coding
}

/** The media type of those offered that an Accept header prefers; the first among equals. */
export function acceptedMediaType(
  header: string | undefined,
  offered: readonly string[],
): string | undefined {
  return new Negotiator({ headers: { accept: header ?? '*/*' } }).mediaType([...offered])
}

/** Whether an If-None-Match header names the entity tag (RFC 9110 §13.1.2, weak comparison). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
