const LENGTH = 64

/** Line breaks and other controls, halves of characters, and marks that turn the direction of text. */
const UNFIT = /[\s\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** What mail programs may turn into a link or an address. */
const LIKE_A_LINK = /[/:@]|[\p{L}\p{N}][.。．｡][\p{L}\p{N}]{2}/u

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The name as a mail shows it: one line of at most 64 characters. Empty when it could be read as a
 * link: anybody can register somebody else's address, and would have us send that link for them.
 */
export function greetingName(name: string): string {
  const line = name.replace(UNFIT, ' ').trim()
  if (LIKE_A_LINK.test(line)) return ''
  const kept = [...characters.segment(line)].map(({ segment }) => segment)
  return kept.length <= LENGTH ? line : `${kept.slice(0, LENGTH - 1).join('')}…`
}
