import { append } from '../../../platform/append.ts'
import type { Pauses } from '../../../platform/concurrency/turns.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import type { RuleSimilarity, Vector } from './rule-similarity.ts'

/** Rules that are less similar than this are not paired by their words. */
const MIN_SIMILARITY = 0.7
/** How much more similar a pair must be than either rule is to any other rule of the other release. */
const MIN_LEAD = 0.03
/** Rules whose titles are less similar than this are not compared. */
const MIN_TITLE_SIMILARITY = 0.5
/** How many rules with similar titles are compared as a whole. */
const MAX_COMPARED = 20
/** Comparisons of an open rule with one of the other release; with more, only identifiers are matched. */
const MAX_PAIRS = 4_000_000

/** Rules of one release: all of them, and those without a partner. */
export interface ReleaseRules {
  readonly all: readonly Rule[]
  readonly open: ReadonlySet<Rule>
}

export type ReleasePair = Readonly<Record<'before' | 'after', ReleaseRules>>

interface MatchTools {
  readonly likeness: RuleSimilarity
  readonly pauses: Pauses
}

export type RulePair = readonly [before: Rule, after: Rule]

/**
 * Pairs open rules whose words say that they require the same: each must be the most similar one of its whole
 * release to the other, by a margin, and neither title may have a word that the other rule lacks although it occurs
 * in titles of the other release. Rules that are paired already are compared too: a rule that is most similar to
 * one of them is not its successor, but another rule beside it.
 */
export async function matchByText({ before, after }: ReleasePair, tools: MatchTools): Promise<readonly RulePair[]> {
  const pairs = Math.max(before.open.size * after.all.length, after.open.size * before.all.length)
  if (pairs > MAX_PAIRS) return []
  const { likeness, pauses } = tools
  const old = await TitleIndex.of(before.all, tools)
  const young = await TitleIndex.of(after.all, tools)
  const successors = await nearest(before.open, young, pauses)
  const predecessors = await nearest(after.open, old, pauses)
  return [...successors].filter(([one, other]) => {
    if (!after.open.has(other) || predecessors.get(other) !== one) return false
    const news = likeness.saidOnlyBy(other, one).filter((word) => old.knows(word))
    const losses = likeness.saidOnlyBy(one, other).filter((word) => young.knows(word))
    return news.length + losses.length === 0
  })
}

/** The most similar rule for each rule, where it stands out. */
async function nearest(open: ReadonlySet<Rule>, index: TitleIndex, pauses: Pauses): Promise<ReadonlyMap<Rule, Rule>> {
  const found = new Map<Rule, Rule>()
  for (const rule of open) {
    const [first, second] = await index.mostAlike(rule, pauses)
    if (first === undefined || first.share < MIN_SIMILARITY) continue
    if (first.share - (second?.share ?? 0) >= MIN_LEAD) found.set(rule, first.rule)
  }
  return found
}

interface Candidate {
  readonly rule: Rule
  readonly share: number
}

/** Finds similar rules of a release by the words of their titles, instead of comparing with all. */
class TitleIndex {
  readonly #likeness: RuleSimilarity
  readonly #rules = new Map<string, { readonly rule: Rule; readonly weight: number }[]>()

  private constructor(likeness: RuleSimilarity) {
    this.#likeness = likeness
  }

  static async of(rules: readonly Rule[], { likeness, pauses }: MatchTools): Promise<TitleIndex> {
    const index = new TitleIndex(likeness)
    for (const rule of rules) {
      for (const [word, weight] of likeness.title(rule)) append(index.#rules, word, { rule, weight })
      await pauses.rest()
    }
    return index
  }

  /** Whether any title has the word. */
  knows(word: string): boolean {
    return this.#rules.has(word)
  }

  async mostAlike(rule: Rule, pauses: Pauses): Promise<readonly Candidate[]> {
    const found: Candidate[] = []
    for (const other of this.#titled(this.#likeness.title(rule))) {
      found.push({ rule: other, share: this.#likeness.between(rule, other) })
      await pauses.rest()
    }
    return found.sort((a, b) => b.share - a.share)
  }

  #titled(title: Vector): readonly Rule[] {
    const shares = new Map<Rule, number>()
    for (const [word, own] of title)
      for (const { rule, weight } of this.#rules.get(word) ?? [])
        shares.set(rule, (shares.get(rule) ?? 0) + own * weight)
    return [...shares]
      .filter(([, share]) => share >= MIN_TITLE_SIMILARITY)
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_COMPARED)
      .map(([rule]) => rule)
  }
}
