/** The methods that paths of a release allow. */
export const METHODS = 'GET, HEAD, OPTIONS'

/** Sent with every answer, by the service and by servers of its static copies. */
export const OPEN_TO_ALL = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'ETag'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/** Headers of answers that the next release may replace. */
export const CURRENT = ['Cache-Control', 'no-cache'] as const

/** Headers of answers that never change. */
export const PINNED = ['Cache-Control', 'public, max-age=31536000, immutable'] as const

export const VARY = ['Vary', 'Accept-Encoding'] as const
