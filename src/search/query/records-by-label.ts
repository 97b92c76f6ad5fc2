import { nameOf } from '../../platform/words.ts'
import type { Library } from '../index/library.ts'
import type { OntologyIndex } from '../knowledge/ontology-index.ts'
import { isAttack, isThreatOrTechnique, tokensWithoutIntent } from './intent.ts'
import type { ParsedQuery, Token } from './parse-query.ts'

/** A label in more than this share of all records, and in more than a few, is a common word: `Server`, `Tool`. */
const TOO_COMMON = 0.02
const FEW = 20

/** Whether a query is the identifier, label or synonym of an attack or weakness, and not a common word. */
export function isThreat({ tokens }: ParsedQuery, library: Library): boolean {
  const words = tokens.flatMap((token) => token.words)
  if (isCommon(words, library)) return false
  const { byLabel, names, records } = library.knowledge
  const name = nameOf(tokens.map(({ text }) => text).join(' '))
  const named = [...(byLabel.get(words.join(' ')) ?? []), ...(names.get(name) ?? [])]
  return named.some((record) => isAttack(records[record]?.kind))
}

/** Whether many records have these words next to each other. */
export function isCommon(words: readonly string[], library: Library): boolean {
  return library.count(...words) > Math.max(FEW, TOO_COMMON * library.size)
}

/** Records whose label or synonym the query is. For threats and techniques, words of intent are ignored. */
export function recordsCalled(query: ParsedQuery, knowledge: OntologyIndex): readonly number[] {
  const whole = recordsWithLabel(query.tokens, knowledge)
  if (whole.length > 0) return whole
  const { records } = knowledge
  return recordsWithLabel(tokensWithoutIntent(query), knowledge).filter((record) =>
    isThreatOrTechnique(records[record]?.kind),
  )
}

/** Records with these words, or an alternative of them, as a label or synonym. */
export function recordsWithLabel(
  tokens: readonly Token[],
  { alternatives, byLabel }: OntologyIndex,
): readonly number[] {
  const words = tokens.flatMap((token) => token.words).join(' ')
  const otherWords = alternatives.get(words) ?? []
  return [words, ...otherWords.map((alternative) => alternative.words.join(' '))].flatMap(
    (name) => byLabel.get(name) ?? [],
  )
}
