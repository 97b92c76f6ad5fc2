import type { TextCheck } from '../finding.ts'
import type { GuideCode } from '../guide.ts'
import { commonWords, wordsOf } from '../text/words.ts'
import { firstOf } from './first-of.ts'

/** Shorter titles are alike by chance. */
const LEAST_WORDS = 4
/** The share of the title's words in the sentence, and of the sentence's words in the title. */
const OF_TITLE = 0.9
const OF_SENTENCE = 0.7

/** Sentences that demand what the title demands; those that match the pattern demand something. */
export function repeatsTitle(code: GuideCode, demand: RegExp): TextCheck {
  return ({ sentences }, { title: { words: wanted } }) => {
    if (wanted.size < LEAST_WORDS) return []
    const alike = sentences.filter(({ text: sentence }) => {
      if (!demand.test(sentence)) return false
      const words = wordsOf(sentence)
      const common = commonWords(wanted, words)
      return common >= wanted.size * OF_TITLE && common >= words.size * OF_SENTENCE
    })
    const message = 'This sentence says what the requirement says.'
    return firstOf(alike, ({ start, end }) => ({ code, start, end, message, suggestion: null }))
  }
}
