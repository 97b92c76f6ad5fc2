import type { Kind } from '../../contracts/sources.ts'
import { wordsOf } from '../../platform/words.ts'
import type { ParsedQuery, Token } from './query.ts'

/** What people say beside the name of an attack or a weakness: what is to be done about it, or that it is one. */
const INTENT = new Set(
  wordsOf(
    `against attack attempt avoid avoidance block counter countermeasure defence defend defense detect detection mitigate
    mitigation prevent prevention protect protection risk stop threat vulnerable vulnerability weakness`,
  ),
)

/** What a query is about, without words that only tell what is to be done: `how to prevent brute force attacks`. */
export function tokensWithoutIntent({ tokens }: ParsedQuery): readonly Token[] {
  const isMeant = (token: Token): boolean => !token.isStop && !isIntent(token)
  return tokens.slice(tokens.findIndex(isMeant), tokens.findLastIndex(isMeant) + 1)
}

function isIntent({ words, quoted }: Token): boolean {
  return !quoted && words.every((word) => INTENT.has(word))
}

/** Attacks, weaknesses, and what defends against them. */
export function isThreatOrTechnique(kind: Kind | undefined): boolean {
  return kind === 'offensive-technique' || kind === 'weakness' || kind === 'technique'
}
