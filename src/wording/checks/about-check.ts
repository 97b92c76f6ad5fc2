import type { TextRemark, RuleTexts, TextCheck } from '../finding.ts'
import type { Reading } from '../text/reading.ts'
import { partsOf, wordsOf } from '../text/words.ts'

/** Every fix and check may use these words, so they do not show that both belong together. */
const ANY = wordsOf(
  'access account add administrator application change check click command computer configuration configure ' +
    'configured correct default disable disabled display edit enable enabled ensure enter example feature file ' +
    'finding follow following information install installed level line local log menu must navigate new note open ' +
    'operating option organization organizational path perform policy policies procedure procedures product program ' +
    'properly protect required requirement requirements restart review run save screen secure securely select ' +
    'server service set setting settings site software step sudo system systems tab technology template templates ' +
    'tool type update use used user users using value values verify windows work',
)
/** With so many words, one in common may be chance. */
const MANY_WORDS = 10
/** With fewer it says too little to tell. */
const FEW_WORDS = 3
/** With more in common they are about the same. */
const MOST_COMMON = 2
/** Texts with more words are read so far: each is looked for among the others. */
const MOST_WORDS = 400
/** A check with fewer words of its own does not say what it looks for. */
const LEAST_WORDS = 4

/** A setting and what it is to be, on a line of its own or quoted: `PermitRootLogin = no`. */
const SETTINGS = /(?:^[ \t]*|["\u201c])([A-Za-z][\w.-]{3,} ?= ?[\w"'.-]{1,80})(?=["\u201d]|[ \t]*$)/gm
/** Anything by its name: a path, a menu, a setting, what is quoted, a command. */
const NAMED =
  /["“'‘`\\/_=<>|]|\w\.\w|[a-z][A-Z]|[A-Z]{3}|\d{2}|^[ \t]*[$#]|\b(?:group policy|profile|console|utility|wizard)\b/m

const NONE = 'This fix has hardly a word of the check: say how to set what it looks for.'

/** Counts the words of the fix alone that the check or the title has too, as far as it matters. */
function commonIn(fix: Reading, { checks, title }: RuleTexts): number | null {
  const looked = new Set([...ownWords(title), ...ownWords(checks)].slice(0, MOST_WORDS))
  if (looked.size < LEAST_WORDS) return null
  let common = 0
  for (const word of contentWordsOf(fix).slice(0, MOST_WORDS)) {
    if (!partsOf(word).some((part) => isAmong(part, looked))) continue
    // A name that both have is not there by chance: `smbv1`.
    common += /[a-z]\d/.test(word) ? MOST_COMMON : 1
    if (common > MOST_COMMON) break
  }
  return common
}

/** Also as a part: `unsupported` among `support`, `smbv1` among `smb`. */
function isAmong(word: string, words: ReadonlySet<string>): boolean {
  if (words.has(word)) return true
  return [...words].some((one) => one.length > 2 && (word.includes(one) || (word.length > 3 && one.includes(word))))
}

function contentWordsOf({ words }: Reading): readonly string[] {
  return [...words].filter((word) => !ANY.has(word))
}

function ownWords({ words }: Reading): readonly string[] {
  return [...words].flatMap((word) => partsOf(word)).filter((part) => !ANY.has(part))
}

/** The check looks for a setting by its name; the fix names nothing at all. */
function unnamedIn({ text }: Reading, { checks }: RuleTexts): string | null {
  const [setting] = Array.from(checks.text.matchAll(SETTINGS), ([, found]) => found)
  return setting === undefined || NAMED.test(text) ? null : setting.trim()
}

function remarkOn({ text }: Reading, message: string): TextRemark {
  return { code: 'fix_check', start: 0, end: text.length, message, suggestion: null }
}

export const aboutTheCheck: TextCheck = (fix, around) => {
  if (fix.isBlank || around.checks.isBlank) return []
  const common = commonIn(fix, around)
  if (common === null || common > MOST_COMMON) return []
  const setting = unnamedIn(fix, around)
  if (setting !== null) return [remarkOn(fix, `The check looks for ${setting}; the fix does not name it.`)]
  const own = contentWordsOf(fix).length
  const chance = own >= MANY_WORDS ? 1 : 0
  return own < FEW_WORDS || common > chance ? [] : [remarkOn(fix, NONE)]
}
