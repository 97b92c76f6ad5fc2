import type { SearchAnswer } from '../../contracts/search-answer.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import type { Alternative } from '../knowledge/ontology-index-builder.ts'
import type { Token } from './parse-query.ts'
import { joined, MAX_ALTERNATIVES, termVariant, type TermVariant, type Vocabulary } from './term-variants.ts'

/** A synonym or abbreviation that was added to the query, to be shown. */
export type Expansion = SearchAnswer['query']['expanded'][number]

const MAX_RUN_LENGTH = 6

/** Adjacent tokens of a query with their alternatives, and the alternatives that the answer lists. */
export interface QueryRun extends AlternativeVariants {
  readonly run: readonly Token[]
}

export function runsIn(tokens: readonly Token[], vocabulary: Vocabulary): readonly QueryRun[] {
  const isBeforeContent = (run: readonly Token[]): boolean =>
    tokens[tokens.findIndex((token) => token === run.at(-1)) + 1]?.isStop === false
  return runsOf(tokens).map((run) => ({
    run,
    ...alternativesOf(run, vocabulary, isBeforeContent(run)),
  }))
}

/** Runs of neighbouring tokens, which may have a synonym or abbreviation, or be a name. */
export function runsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const runs: (readonly Token[])[] = []
  for (let from = 0; from < tokens.length; from += 1) {
    for (let length = 1; length <= MAX_RUN_LENGTH && from + length <= tokens.length; length += 1) {
      const run = tokens.slice(from, from + length)
      if (run.at(-1)?.quoted === true && length > 1) break
      if (run.some(({ isStop }) => !isStop)) runs.push(run)
      if (run[0]?.quoted === true) break
    }
  }
  return runs
}

interface AlternativeVariants {
  readonly variants: readonly TermVariant[]
  readonly expanded: readonly Expansion[]
}

function alternativesOf(run: readonly Token[], vocabulary: Vocabulary, isBeforeContent: boolean): AlternativeVariants {
  const from = run.length === 1 ? (run[0]?.text ?? '') : run.map(({ text }) => text).join(' ')
  const alternatives = alternativesFor(run, vocabulary).concat(alternativesForJoined(run, vocabulary, isBeforeContent))
  return {
    variants: [...joinedRun(run, from), ...alternatives.flatMap((alternative) => variantsOf(alternative, vocabulary))],
    expanded: alternatives.map(({ text, because }) => ({ from, to: text, because })),
  }
}

/** `MFA` is multi-factor authentication, which is also written multifactor authentication. */
function variantsOf({ text, words, because }: Alternative, { count }: Vocabulary): readonly TermVariant[] {
  const pieces = text.split(/[\s_-]+/)
  const written = pieces.slice(1).flatMap((piece, index): (readonly string[])[] => {
    const joined = wordsOf(`${pieces[index]}${piece}`.toLowerCase())
    if (count(...joined) === 0) return []
    return [[...wordsOf(pieces.slice(0, index).join(' ')), ...joined, ...wordsOf(pieces.slice(index + 2).join(' '))]]
  })
  return [words, ...written].map((variant) => termVariant(because, variant))
}

function alternativesFor(run: readonly Token[], { alternatives }: Vocabulary): readonly Alternative[] {
  const found = alternatives.get(run.flatMap(({ words }) => words).join(' ')) ?? []
  return found.slice(0, MAX_ALTERNATIVES)
}

/** Finds `login` for `log in`; also for `logging in`, unless another word follows (`logging in Apache`). */
function alternativesForJoined(
  run: readonly Token[],
  { alternatives }: Vocabulary,
  isBeforeContent: boolean,
): readonly Alternative[] {
  if (run.length !== 2) return []
  const alternativesForText = (text: string): readonly Alternative[] | undefined =>
    alternatives.get(wordsOf(text).join(' '))
  const asTyped = alternativesForText(run.map(({ text }) => text).join(''))
  const asStems = isBeforeContent ? [] : alternativesForText(run.flatMap(({ words }) => words).join(''))
  return (asTyped ?? asStems ?? []).slice(0, MAX_ALTERNATIVES)
}

/** `multi factor` → `multifactor`, `cci 366` → `cci-366`, `ike version 2` → `ikev2`. */
function joinedRun(run: readonly Token[], text: string): readonly TermVariant[] {
  if (run.length === 1) return []
  const name = /\d/.test(text) ? [termVariant('name', [nameOf(text)])] : []
  if (run.length === 3) return [...name, ...versionVariants(text)]
  const isJoined = run.length === 2 && /^[\p{L}\p{N}]+ [\p{L}\p{N}]+$/u.test(text)
  return isJoined ? [...name, termVariant('joined', joined(text))] : name
}

function versionVariants(text: string): readonly TermVariant[] {
  const [, product, version] = /^(\p{L}+) version (\d+)$/iu.exec(text) ?? []
  if (product === undefined || version === undefined) return []
  return [termVariant('joined', wordsOf(`${product}v${version}`))]
}
