import type { RecordKind } from '../../contracts/sources.ts'
import { wordsOf } from '../../platform/words.ts'
import type { ParsedQuery, Token } from './parse-query.ts'

/** Words that people add to the name of an attack or weakness: an intent such as "prevent", or its kind. */
const INTENT = new Set(
  wordsOf(
    `against attack attempt avoid avoidance block counter countermeasure defence defend defense detect detection mitigate
    mitigation prevent prevention protect protection risk stop threat vulnerable vulnerability weakness`,
  ),
)

/** The subject of a query, without words of intent: `how to prevent brute force attacks`. */
export function tokensWithoutIntent({ tokens }: ParsedQuery): readonly Token[] {
  const isMeant = (token: Token): boolean => !token.isStop && !isIntent(token)
  return tokens.slice(tokens.findIndex(isMeant), tokens.findLastIndex(isMeant) + 1)
}

/** Removes words of intent from a query such as `how do I stop phishing`; null if it has none. */
export function withoutIntent(query: ParsedQuery): ParsedQuery | null {
  const tokens = tokensWithoutIntent(query)
  const isAsked = tokens.length > 0 && tokens.length < query.tokens.filter(({ isStop }) => !isStop).length
  return isAsked ? { ...query, tokens, used: tokens.map(({ text }) => text).join(' ') } : null
}

function isIntent({ words, quoted }: Token): boolean {
  return !quoted && words.every((word) => INTENT.has(word))
}

/** Whether a kind is an attack, a weakness or a technique. */
export function isThreatOrTechnique(kind: RecordKind | undefined): boolean {
  return isAttack(kind) || kind === 'technique'
}

export function isAttack(kind: RecordKind | undefined): boolean {
  return kind === 'offensive-technique' || kind === 'weakness'
}
