import type { ParsedText } from './parsed-text.ts'

/** Instructions do not begin with these words: articles, pronouns, conditions. */
const NO_VERB =
  /^["'(\u201c]*(?:the|this|these|those|that|all|any|an?|if|no|each|every|it|when|where|for|in|on|only|some|there|such|note|as|unless|access to)\b/i

/** Whether no sentence can be an instruction, by its first word. */
export function hasNoInstruction({ sentences }: ParsedText): boolean {
  return sentences.length > 0 && sentences.every(({ text }) => NO_VERB.test(text))
}
