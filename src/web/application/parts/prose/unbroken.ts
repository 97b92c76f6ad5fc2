/** So many letters without a space are no word, path or key that anybody reads. */
const MAX_WORD_LENGTH = 2000
const SPACES = [9, 10, 13, 32]
/** Number of characters that are shown from the beginning and from the end. */
const SHOWN_LENGTH = 160

/**
 * Whether a text has a stretch without a space that may cost seconds to break into lines: browsers shape what is left
 * of it anew for each.
 */
export function isUnbroken(text: string): boolean {
  let run = 0
  for (let at = 0; at < text.length; at++) {
    run = SPACES.includes(text.charCodeAt(at)) ? 0 : run + 1
    if (run === MAX_WORD_LENGTH) return true
  }
  return false
}

/** Cuts the middle out of unbroken stretches. */
export function withoutUnbroken(text: string): string {
  if (!isUnbroken(text)) return text
  const words = text.split(/([\t\n\r ]+)/)
  return words
    .map((word) =>
      word.length < MAX_WORD_LENGTH ? word : `${word.slice(0, SHOWN_LENGTH)}…${word.slice(-SHOWN_LENGTH)}`,
    )
    .join('')
}
