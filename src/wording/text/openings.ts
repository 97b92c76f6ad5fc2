import type { Reading } from './reading.ts'

/** Instructions do not begin with these words: articles, pronouns, conditions. */
const NO_VERB =
  /^["'(\u201c]*(?:the|this|these|those|that|all|any|an?|if|no|each|every|it|when|where|for|in|on|only|some|there|such|note|as|unless|access to)\b/i

/** Whether each sentence begins with what no instruction begins with. */
export function saysNothingToDo({ sentences }: Reading): boolean {
  return sentences.length > 0 && sentences.every(({ text }) => NO_VERB.test(text))
}
