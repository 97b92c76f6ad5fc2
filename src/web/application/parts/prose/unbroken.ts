/** Longer texts without a space are not words, paths or keys that people read. */
const MAX_WORD_LENGTH = 2000
const SPACES = [9, 10, 13, 32]
/** Number of characters that are shown from the beginning and from the end. */
const SHOWN_LENGTH = 160

/**
 * Whether a text has a stretch without a space that may take seconds to break into lines, because browsers shape the
 * rest of it again for each line.
 */
export function isUnbroken(text: string): boolean {
  let run = 0
  for (let index = 0; index < text.length; index++) {
    run = SPACES.includes(text.charCodeAt(index)) ? 0 : run + 1
    if (run === MAX_WORD_LENGTH) return true
  }
  return false
}

/** Omits the middle of long unbroken text. */
export function withoutUnbroken(text: string): string {
  if (!isUnbroken(text)) return text
  const words = text.split(/([\t\n\r ]+)/)
  return words
    .map((word) =>
      word.length < MAX_WORD_LENGTH ? word : `${word.slice(0, SHOWN_LENGTH)}…${word.slice(-SHOWN_LENGTH)}`,
    )
    .join('')
}
