/** Headers of answers that the next release may replace. */
export const CURRENT = ['Cache-Control', 'no-cache'] as const

/** Headers of answers that never change. */
export const IMMUTABLE_HEADER = ['Cache-Control', 'public, max-age=31536000, immutable'] as const

export const VARY = ['Vary', 'Accept-Encoding'] as const
