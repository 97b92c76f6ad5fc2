import { createHash } from 'node:crypto'

/** A UUID (RFC 9562, version 8) that depends on the text alone, so that everybody makes the same of it. */
export function stableUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  // Two bits of the 17th digit are the variant.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
