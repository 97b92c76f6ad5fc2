const LENGTH = 64

/** Line breaks and other controls, unpaired surrogates, and marks that change the direction of text. */
const UNFIT_CHARACTERS = /[\s\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** Mail programs may turn these into a link or an address. */
const LIKE_A_LINK = /[/:@]|[\p{L}\p{N}][.。．｡][\p{L}\p{N}]{2}/u

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The name as a mail shows it: one line of at most 64 characters. Empty when it could be read as a link: otherwise
 * anybody could register somebody else's address and make us mail them a link in the name.
 */
export function greetingName(name: string): string {
  const line = name.replace(UNFIT_CHARACTERS, ' ').trim()
  if (LIKE_A_LINK.test(line)) return ''
  const kept = [...characters.segment(line)].map(({ segment }) => segment)
  return kept.length <= LENGTH ? line : `${kept.slice(0, LENGTH - 1).join('')}…`
}
