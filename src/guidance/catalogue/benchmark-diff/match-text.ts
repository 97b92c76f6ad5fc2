import { append } from '../../../platform/append.ts'
import type { Pace } from '../../../platform/concurrency/turns.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import type { Likeness, Vector } from './likeness.ts'

/** Rules that are less similar than this are not paired by their words. */
const LEAST_ALIKE = 0.7
/** How much more similar a pair must be than either rule is to any other rule of the other release. */
const MARGIN = 0.03
/** Rules whose titles are less similar than this are not compared. */
const LEAST_TITLE = 0.5
/** How many rules with similar titles are compared as a whole. */
const MOST_COMPARED = 20
/** Comparisons of an open rule with one of the other release; with more, only identifiers are matched. */
const MAX_PAIRS = 4_000_000

/** Rules of one release: all of them, and those without a partner. */
export interface ReleaseRules {
  readonly all: readonly Rule[]
  readonly open: ReadonlySet<Rule>
}

export type ReleasePair = Readonly<Record<'before' | 'after', ReleaseRules>>

interface MatchTools {
  readonly likeness: Likeness
  readonly pace: Pace
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
  const { likeness, pace } = tools
  const old = await TitleIndex.of(before.all, tools)
  const young = await TitleIndex.of(after.all, tools)
  const successors = await nearest(before.open, young, pace)
  const predecessors = await nearest(after.open, old, pace)
  return [...successors].filter(([one, other]) => {
    if (!after.open.has(other) || predecessors.get(other) !== one) return false
    const news = likeness.saidOnlyBy(other, one).filter((word) => old.knows(word))
    const losses = likeness.saidOnlyBy(one, other).filter((word) => young.knows(word))
    return news.length + losses.length === 0
  })
}

/** The most similar rule for each rule, where it stands out. */
async function nearest(open: ReadonlySet<Rule>, index: TitleIndex, pace: Pace): Promise<ReadonlyMap<Rule, Rule>> {
  const found = new Map<Rule, Rule>()
  for (const rule of open) {
    const [first, second] = await index.mostAlike(rule, pace)
    if (first === undefined || first.share < LEAST_ALIKE) continue
    if (first.share - (second?.share ?? 0) >= MARGIN) found.set(rule, first.rule)
  }
  return found
}

interface Candidate {
  readonly rule: Rule
  readonly share: number
}

/** Finds similar rules of a release by the words of their titles, instead of comparing with all. */
class TitleIndex {
  readonly #likeness: Likeness
  readonly #rules = new Map<string, { readonly rule: Rule; readonly weight: number }[]>()

  private constructor(likeness: Likeness) {
    this.#likeness = likeness
  }

  static async of(rules: readonly Rule[], { likeness, pace }: MatchTools): Promise<TitleIndex> {
    const index = new TitleIndex(likeness)
    for (const rule of rules) {
      for (const [word, weight] of likeness.title(rule)) append(index.#rules, word, { rule, weight })
      await pace.rest()
    }
    return index
  }

  /** Whether any title has the word. */
  knows(word: string): boolean {
    return this.#rules.has(word)
  }

  async mostAlike(rule: Rule, pace: Pace): Promise<readonly Candidate[]> {
    const found: Candidate[] = []
    for (const other of this.#titled(this.#likeness.title(rule))) {
      found.push({ rule: other, share: this.#likeness.between(rule, other) })
      await pace.rest()
    }
    return found.sort((a, b) => b.share - a.share)
  }

  #titled(title: Vector): readonly Rule[] {
    const shares = new Map<Rule, number>()
    for (const [word, own] of title)
      for (const { rule, weight } of this.#rules.get(word) ?? [])
        shares.set(rule, (shares.get(rule) ?? 0) + own * weight)
    return [...shares]
      .filter(([, share]) => share >= LEAST_TITLE)
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_COMPARED)
      .map(([rule]) => rule)
  }
}
