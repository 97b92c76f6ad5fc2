import { append } from '../../../platform/append.ts'
import type { Pauses } from '../../../platform/concurrency/turns.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import type { RuleSimilarity, Vector } from './rule-similarity.ts'

/** Minimum similarity of two rules that are paired by their words. */
const MIN_SIMILARITY = 0.7
/** How much more similar a pair must be than either rule is to any other rule of the other release. */
const MIN_LEAD = 0.03
/** Rules whose titles are less similar than this are not compared. */
const MIN_TITLE_SIMILARITY = 0.5
/** Limit of rules with similar titles whose whole texts are compared. */
const MAX_COMPARED = 20
/** Limit of comparisons of two rules. Beyond it, rules are matched only by their identifiers. */
const MAX_PAIRS = 4_000_000

/** All rules of a release, and those that are not paired yet. */
export interface ReleaseRules {
  readonly rules: readonly Rule[]
  readonly open: ReadonlySet<Rule>
}

export type ReleasePair = Readonly<Record<'before' | 'after', ReleaseRules>>

interface MatchTools {
  readonly similarity: RuleSimilarity
  readonly pauses: Pauses
}

export type RulePair = readonly [before: Rule, after: Rule]

/**
 * Pairs unmatched rules with similar texts. Each must be the most similar rule of its release to the other, by a
 * margin. A title must not have a word that is missing from the other rule but used in titles of the other release.
 * Matched rules are compared too: a rule that resembles one of them most is a related rule, not the successor of
 * another one.
 */
export async function matchByText({ before, after }: ReleasePair, tools: MatchTools): Promise<readonly RulePair[]> {
  const pairs = Math.max(before.open.size * after.rules.length, after.open.size * before.rules.length)
  if (pairs > MAX_PAIRS) return []
  const { similarity, pauses } = tools
  const old = await TitleIndex.of(before.rules, tools)
  const young = await TitleIndex.of(after.rules, tools)
  const successors = await nearest(before.open, young, pauses)
  const predecessors = await nearest(after.open, old, pauses)
  return [...successors].filter(([oldRule, other]) => {
    if (!after.open.has(other) || predecessors.get(other) !== oldRule) return false
    const addedWords = similarity.titleWordsOnlyIn(other, oldRule).filter((word) => old.hasWord(word))
    const removedWords = similarity.titleWordsOnlyIn(oldRule, other).filter((word) => young.hasWord(word))
    return addedWords.length + removedWords.length === 0
  })
}

/** Returns the most similar rule for each rule, if it is clearly more similar than the next one. */
async function nearest(open: ReadonlySet<Rule>, index: TitleIndex, pauses: Pauses): Promise<ReadonlyMap<Rule, Rule>> {
  const matches = new Map<Rule, Rule>()
  for (const rule of open) {
    const [first, second] = await index.mostAlike(rule, pauses)
    if (first === undefined || first.share < MIN_SIMILARITY) continue
    if (first.share - (second?.share ?? 0) >= MIN_LEAD) matches.set(rule, first.rule)
  }
  return matches
}

interface Candidate {
  readonly rule: Rule
  readonly share: number
}

/** Finds rules with similar titles by an index of words, so that not all rules need to be compared. */
class TitleIndex {
  readonly #similarity: RuleSimilarity
  readonly #rules = new Map<string, { readonly rule: Rule; readonly weight: number }[]>()

  private constructor(similarity: RuleSimilarity) {
    this.#similarity = similarity
  }

  static async of(rules: readonly Rule[], { similarity, pauses }: MatchTools): Promise<TitleIndex> {
    const index = new TitleIndex(similarity)
    for (const rule of rules) {
      for (const [word, weight] of similarity.title(rule)) append(index.#rules, word, { rule, weight })
      await pauses.rest()
    }
    return index
  }

  /** Whether any title has the word. */
  hasWord(word: string): boolean {
    return this.#rules.has(word)
  }

  async mostAlike(rule: Rule, pauses: Pauses): Promise<readonly Candidate[]> {
    const candidates: Candidate[] = []
    for (const other of this.#titled(this.#similarity.title(rule))) {
      candidates.push({ rule: other, share: this.#similarity.between(rule, other) })
      await pauses.rest()
    }
    return candidates.sort((a, b) => b.share - a.share)
  }

  #titled(title: Vector): readonly Rule[] {
    const shares = new Map<Rule, number>()
    for (const [word, titleWeight] of title)
      for (const { rule, weight } of this.#rules.get(word) ?? [])
        shares.set(rule, (shares.get(rule) ?? 0) + titleWeight * weight)
    return [...shares]
      .filter(([, share]) => share >= MIN_TITLE_SIMILARITY)
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_COMPARED)
      .map(([rule]) => rule)
  }
}
