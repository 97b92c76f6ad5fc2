import type { TextRemark, TextCheck } from '../finding.ts'
import type { GuideCode } from '../guide.ts'
import { findHits } from '../text/pattern-hits.ts'
import type { TextPiece } from '../text/sentences.ts'
import { limitRemarks } from './limit-remarks.ts'

const STRAIGHT_QUOTES: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u201f': '"',
  '\u00ab': '"',
  '\u00bb': '"',
  '\u2032': "'",
  '\u2033': '"',
  '\u00b4': "'",
}

const PLAIN: Readonly<Record<string, string>> = {
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
  '\u2022': '-',
  '\u00b7': '-',
  '\u25cf': '-',
  '\u25aa': '-',
  '\u2026': '...',
  '\u00a0': ' ',
  '\u2002': ' ',
  '\u2003': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u00ad': '',
  '\u200b': '',
  '\u200c': '',
  '\u200d': '',
  '\u2060': '',
  '\ufeff': '',
  '\u2192': '->',
  '\u2190': '<-',
  '\u21d2': '=>',
  '\u2264': '<=',
  '\u2265': '>=',
  '\u2260': '!=',
  '\u00d7': 'x',
  '\u00ae': '(R)',
  '\u2122': '(TM)',
  '\u00a9': '(c)',
  '\ufb01': 'fi',
  '\ufb02': 'fl',
  '\u00bd': '1/2',
  '\u00bc': '1/4',
  '\u00be': '3/4',
}

/** Characters that are not on a plain keyboard, except letters and numbers of any script. */
const SPECIAL = /[^\t\n\r\x20-\x7e\p{L}\p{M}\p{N}]+|[\ufb01\ufb02\u00bd\u00bc\u00be]/u
/** UTF-8 that was decoded with another encoding. It begins with a letter, so `SPECIAL` does not match it. */
const GARBLED = /\u00e2\u20ac[\u0080-\u00bf\u0152-\u2122]?|\u00c3[\u0080-\u00bf]|\u00c2[\u00a0-\u00bf]/u
const ODD_CHARACTERS = new RegExp(`${GARBLED.source}|${SPECIAL.source}`, 'gu')
const QUOTES = new RegExp(`^[${Object.keys(STRAIGHT_QUOTES).join('')}]+$`)

const TAGS = /<\/?(?:b|i|u|br|p|ul|ol|li|strong|em|font|span|div|h[1-6]|table|tr|td)(?: [^<>\n]{0,200})?\s?\/?>/
const MARKDOWN = /\*\*[A-Za-z][^*\n]{0,200}\*\*|\[[^\]\n]{1,200}\]\(https?:[^)\n]{1,400}\)|^[ \t]*```\w*$/

const characters: TextCheck = ({ text }) => {
  const hits = findHits([{ start: 0, end: text.length, text }], ODD_CHARACTERS)
  return [
    ...limitRemarks(
      hits.filter((hit) => !QUOTES.test(hit.text)),
      remarkOnCharacters,
    ),
    ...limitRemarks(
      hits.filter((hit) => QUOTES.test(hit.text)),
      (hit) => remarkOnHit(hit, 'plain_quotes'),
    ),
  ]
}

function remarkOnCharacters(hit: TextPiece): TextRemark {
  if (!GARBLED.test(hit.text)) return remarkOnHit(hit, 'plain_characters')
  const { start, end } = hit
  const message = 'These characters were damaged on the way here.'
  return { code: 'plain_characters', start, end, message, suggestion: null }
}

function remarkOnHit({ start, end, text }: TextPiece, code: GuideCode): TextRemark {
  const letters = Array.from(text)
  const replacements = letters.map((letter) => STRAIGHT_QUOTES[letter] ?? PLAIN[letter])
  const knownReplacements = replacements.filter((replacement) => replacement !== undefined)
  const suggestion = knownReplacements.length === replacements.length ? knownReplacements.join('') : null
  return { code, start, end, message: `${namesOf(letters)}: ${describeSuggestion(suggestion)}`, suggestion }
}

function describeSuggestion(suggestion: string | null): string {
  if (suggestion === null) return 'write it with plain characters.'
  return suggestion.trim() === '' ? 'write a plain blank or nothing.' : `write ${suggestion} instead.`
}

/** Invisible characters are named only by their number. */
function namesOf(characters: readonly string[]): string {
  const [first = ''] = characters
  const number = `U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return /[\p{Z}\p{C}]/u.test(first) ? `Character ${number}` : `Character ${first} (${number})`
}

const FORMAT = new RegExp(`${TAGS.source}|${MARKDOWN.source}`, 'gim')

const format: TextCheck = ({ prose }) =>
  limitRemarks(findHits(prose, FORMAT), ({ start, end }) => ({
    code: 'plain_format',
    start,
    end,
    suggestion: null,
    message: 'Formatting is lost in the submission.',
  }))

export const PLAIN_TEXT: readonly TextCheck[] = [characters, format]
