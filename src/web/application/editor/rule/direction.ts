/** Letters that are written from right to left, and marks that turn what follows. */
const TURNING =
  /[\u0590-\u08FF\u200F\u202B\u202E\u2067\u2068\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/**
 * How a text that is being written is laid out. With `auto`, browsers look at each of its lines for what it begins with,
 * at every key; where nothing runs from right to left, that is found to be `ltr` everywhere.
 */
export function directionOf(text: string): 'auto' | 'ltr' {
  return TURNING.test(text) ? 'auto' : 'ltr'
}
