import type { TextRemark, RuleTexts, TextCheck } from '../finding.ts'
import type { ParsedText } from '../text/parsed-text.ts'
import { partsOf, wordsOf } from '../text/words.ts'

/** Any fix or check may use these words, so they do not show that the two belong together. */
const COMMON_WORDS = wordsOf(
  'access account add administrator application change check click command computer configuration configure ' +
    'configured correct default disable disabled display edit enable enabled ensure enter example feature file ' +
    'finding follow following information install installed level line local log menu must navigate new note open ' +
    'operating option organization organizational path perform policy policies procedure procedures product program ' +
    'properly protect required requirement requirements restart review run save screen secure securely select ' +
    'server service set setting settings site software step sudo system systems tab technology template templates ' +
    'tool type update use used user users using value values verify windows work',
)
/** In a fix with this many words, one common word may be chance. */
const MANY_WORDS = 10
/** A shorter fix is not compared. */
const FEW_WORDS = 3
/** With more common words, fix and check have the same subject. */
const MAX_COMMON = 2
/** Limit of the compared words, because each is compared with all others. */
const MAX_WORDS = 400
/** A check with fewer specific words is not compared. */
const LEAST_WORDS = 4

/** A setting and its value, on a line of its own or quoted: `PermitRootLogin = no`. */
const SETTINGS = /(?:^[ \t]*|["\u201c])([A-Za-z][\w.-]{3,} ?= ?[\w"'.-]{1,80})(?=["\u201d]|[ \t]*$)/gm
/** A specific name: a path, a menu, a setting, a quotation, a command. */
const SPECIFIC_NAME =
  /["“'‘`\\/_=<>|]|\w\.\w|[a-z][A-Z]|[A-Z]{3}|\d{2}|^[ \t]*[$#]|\b(?:group policy|profile|console|utility|wizard)\b/m

const NO_COMMON_WORDS = 'This fix has hardly a word of the check: say how to set what it looks for.'

/** Counts the words of the fix that the check or the title also has, up to `MAX_COMMON`; null if the check says too little. */
function countCommonWords(fix: ParsedText, { checks, title }: RuleTexts): number | null {
  const requiredWords = new Set([...ownWords(title), ...ownWords(checks)].slice(0, MAX_WORDS))
  if (requiredWords.size < LEAST_WORDS) return null
  let common = 0
  for (const word of contentWordsOf(fix).slice(0, MAX_WORDS)) {
    if (!partsOf(word).some((part) => containsWord(part, requiredWords))) continue
    // A common name such as `smbv1` is no chance.
    common += /[a-z]\d/.test(word) ? MAX_COMMON : 1
    if (common > MAX_COMMON) break
  }
  return common
}

/** Also finds parts of words: `unsupported` contains `support`, `smbv1` contains `smb`. */
function containsWord(word: string, words: ReadonlySet<string>): boolean {
  if (words.has(word)) return true
  return [...words].some(
    (other) => other.length > 2 && (word.includes(other) || (word.length > 3 && other.includes(word))),
  )
}

function contentWordsOf({ words }: ParsedText): readonly string[] {
  return [...words].filter((word) => !COMMON_WORDS.has(word))
}

function ownWords({ words }: ParsedText): readonly string[] {
  return [...words].flatMap((word) => partsOf(word)).filter((part) => !COMMON_WORDS.has(part))
}

/** The setting that the check names, if the fix has no specific name at all. */
function findUnnamedSetting({ text }: ParsedText, { checks }: RuleTexts): string | null {
  const [setting] = Array.from(checks.text.matchAll(SETTINGS), ([, name]) => name)
  return setting === undefined || SPECIFIC_NAME.test(text) ? null : setting.trim()
}

function remarkOn({ text }: ParsedText, message: string): TextRemark {
  return { code: 'fix_check', start: 0, end: text.length, message, suggestion: null }
}

export const fixMatchesCheck: TextCheck = (fix, ruleTexts) => {
  if (fix.isBlank || ruleTexts.checks.isBlank) return []
  const common = countCommonWords(fix, ruleTexts)
  if (common === null || common > MAX_COMMON) return []
  const setting = findUnnamedSetting(fix, ruleTexts)
  if (setting !== null) return [remarkOn(fix, `The check looks for ${setting}; the fix does not name it.`)]
  const fixWords = contentWordsOf(fix).length
  const chance = fixWords >= MANY_WORDS ? 1 : 0
  return fixWords < FEW_WORDS || common > chance ? [] : [remarkOn(fix, NO_COMMON_WORDS)]
}
