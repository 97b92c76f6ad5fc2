/** What the paths of a release can be asked with. */
export const METHODS = 'GET, HEAD, OPTIONS'

/** Sent with every answer, by the service and by servers of its static copies. */
export const OPEN_TO_ALL = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'ETag'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/** Of what another release may replace. */
export const CURRENT = ['Cache-Control', 'no-cache'] as const

/** Of what never changes. */
export const PINNED = ['Cache-Control', 'public, max-age=31536000, immutable'] as const

export const VARY = ['Vary', 'Accept-Encoding'] as const
