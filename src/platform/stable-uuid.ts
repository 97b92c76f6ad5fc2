import { createHash } from 'node:crypto'

/** A UUID (RFC 9562, version 8) that depends only on the text, so that every installation makes the same. */
export function stableUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return shapeUuid(hex, '8')
}

function shapeUuid(hex: string, version: '5' | '8'): string {
  // Two bits of the 17th digit are the variant.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `${version}${hex.slice(13, 16)}`]
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

/** The name space of the UUIDs below. */
const NAMESPACE = Buffer.from('6f1d2c5e8a4b4f0c9d3e7b15a2c84e60', 'hex')

/**
 * A UUID of version 5 (RFC 9562, §5.5) that depends on the text alone, for formats that allow no other version: STIX and
 * OSCAL.
 */
export function nameBasedUuid(text: string): string {
  const hex = createHash('sha1').update(NAMESPACE).update(text).digest('hex')
  return shapeUuid(hex, '5')
}
