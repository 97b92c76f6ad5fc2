/** Letters of right-to-left scripts, and control characters of direction. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\u200F\u202B\u202E\u2067\u2068\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/**
 * The `dir` of a field. With `auto`, browsers determine the direction of every line at each key, which is slow. A text
 * without right-to-left characters is `ltr`.
 */
export function directionOf(text: string): 'auto' | 'ltr' {
  return RIGHT_TO_LEFT.test(text) ? 'auto' : 'ltr'
}
