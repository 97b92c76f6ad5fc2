import type { SearchAnswer } from '../../contracts/search.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import type { Alternative } from '../knowledge/knowledge.ts'
import type { Token } from './query.ts'
import { joined, MOST_ALTERNATIVES, wayOf, type TermWay, type Vocabulary } from './ways.ts'

/** A synonym or abbreviation that was added to the query, to be shown. */
export type Expansion = SearchAnswer['query']['expanded'][number]

const LONGEST_RUN = 6

/** Words of a query next to each other, the ways to say them, and which of these are to be shown. */
export interface QueryRun extends AlternativeWays {
  readonly run: readonly Token[]
}

export function runsIn(tokens: readonly Token[], known: Vocabulary): readonly QueryRun[] {
  const isBeforeContent = (run: readonly Token[]): boolean =>
    tokens[tokens.findIndex((token) => token === run.at(-1)) + 1]?.isStop === false
  return runsOf(tokens).map((run) => ({
    run,
    ...alternativesOf(run, known, isBeforeContent(run)),
  }))
}

/** Runs of neighbouring tokens, which may have a synonym or abbreviation. */
function runsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const runs: (readonly Token[])[] = []
  for (let from = 0; from < tokens.length; from += 1) {
    for (let length = 1; length <= LONGEST_RUN && from + length <= tokens.length; length += 1) {
      const run = tokens.slice(from, from + length)
      if (run.at(-1)?.quoted === true && length > 1) break
      if (run.some(({ isStop }) => !isStop)) runs.push(run)
      if (run[0]?.quoted === true) break
    }
  }
  return runs
}

interface AlternativeWays {
  readonly ways: readonly TermWay[]
  readonly expanded: readonly Expansion[]
}

function alternativesOf(run: readonly Token[], known: Vocabulary, isBeforeContent: boolean): AlternativeWays {
  const from = run.length === 1 ? (run[0]?.text ?? '') : run.map(({ text }) => text).join(' ')
  const others = alternativesFor(run, known).concat(alternativesForJoined(run, known, isBeforeContent))
  return {
    ways: [...joinedRun(run, from), ...others.flatMap((other) => waysOf(other, known))],
    expanded: others.map(({ text, because }) => ({ from, to: text, because })),
  }
}

/** `MFA` is multi-factor authentication, which is also written multifactor authentication. */
function waysOf({ text, words, because }: Alternative, { count }: Vocabulary): readonly TermWay[] {
  const pieces = text.split(/[\s_-]+/)
  const written = pieces.slice(1).flatMap((piece, place): (readonly string[])[] => {
    const one = wordsOf(`${pieces[place]}${piece}`.toLowerCase())
    if (count(...one) === 0) return []
    return [[...wordsOf(pieces.slice(0, place).join(' ')), ...one, ...wordsOf(pieces.slice(place + 2).join(' '))]]
  })
  return [words, ...written].map((way) => wayOf(because, way))
}

function alternativesFor(run: readonly Token[], { alternatives }: Vocabulary): readonly Alternative[] {
  const found = alternatives.get(run.flatMap(({ words }) => words).join(' ')) ?? []
  return found.slice(0, MOST_ALTERNATIVES)
}

/** Finds `login` for `log in`; for `logging in` as well, unless that may be logging in something. */
function alternativesForJoined(
  run: readonly Token[],
  { alternatives }: Vocabulary,
  isBeforeContent: boolean,
): readonly Alternative[] {
  if (run.length !== 2) return []
  const known = (text: string): readonly Alternative[] | undefined => alternatives.get(wordsOf(text).join(' '))
  const asTyped = known(run.map(({ text }) => text).join(''))
  const asStems = isBeforeContent ? [] : known(run.flatMap(({ words }) => words).join(''))
  return (asTyped ?? asStems ?? []).slice(0, MOST_ALTERNATIVES)
}

/** `multi factor` → `multifactor`, `cci 366` → `cci-366`, `ike version 2` → `ikev2`. */
function joinedRun(run: readonly Token[], text: string): readonly TermWay[] {
  if (run.length === 1) return []
  const name = /\d/.test(text) ? [wayOf('name', [nameOf(text)])] : []
  if (run.length === 3) return [...name, ...versionWays(text)]
  const isJoined = run.length === 2 && /^[\p{L}\p{N}]+ [\p{L}\p{N}]+$/u.test(text)
  return isJoined ? [...name, wayOf('joined', joined(text))] : name
}

function versionWays(text: string): readonly TermWay[] {
  const [, what, version] = /^(\p{L}+) version (\d+)$/iu.exec(text) ?? []
  if (what === undefined || version === undefined) return []
  return [wayOf('joined', wordsOf(`${what}v${version}`))]
}
