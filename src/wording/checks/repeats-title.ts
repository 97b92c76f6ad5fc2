import type { TextCheck } from '../finding.ts'
import type { GuideCode } from '../guide.ts'
import { commonWords, wordsOf } from '../text/words.ts'
import { limitRemarks } from './limit-remarks.ts'

/** Shorter titles may be similar by chance. */
const LEAST_WORDS = 4
/** Least share of the title's words that the sentence has, and of the sentence's words that the title has. */
const MIN_SHARE_OF_TITLE = 0.9
const MIN_SHARE_OF_SENTENCE = 0.7

/** Finds sentences that repeat the title. Only sentences that match `demand` state a requirement. */
export function repeatsTitle(code: GuideCode, demand: RegExp): TextCheck {
  return ({ sentences }, { title: { words: titleWords } }) => {
    if (titleWords.size < LEAST_WORDS) return []
    const repeating = sentences.filter(({ text: sentence }) => {
      if (!demand.test(sentence)) return false
      const words = wordsOf(sentence)
      const common = commonWords(titleWords, words)
      return common >= titleWords.size * MIN_SHARE_OF_TITLE && common >= words.size * MIN_SHARE_OF_SENTENCE
    })
    const message = 'This sentence says what the requirement says.'
    return limitRemarks(repeating, ({ start, end }) => ({ code, start, end, message, suggestion: null }))
  }
}
