import { append } from '../../../platform/append.ts'
import type { Pace } from '../../../platform/turns.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import type { Likeness, Vector } from './likeness.ts'

/** Below this, rules are not taken for the same by their words. */
const LEAST_ALIKE = 0.7
/** By how much a pair has to be more alike than either is to any other rule of the other release. */
const MARGIN = 0.03
/** Rules whose titles are less alike than this are not compared. */
const LEAST_TITLE = 0.5
/** Of the rules with alike titles, so many are compared as a whole. */
const MOST_COMPARED = 20
/** Pairs of an open rule and one of the other release; beyond, only identifiers count. */
const MAX_PAIRS = 4_000_000

/** Rules of one release: those without a partner, among all. */
export interface ReleaseRules {
  readonly all: readonly Rule[]
  readonly open: ReadonlySet<Rule>
}

export type BothReleases = Readonly<Record<'before' | 'after', ReleaseRules>>

interface MatchMeans {
  readonly likeness: Likeness
  readonly pace: Pace
}

export type RulePair = readonly [before: Rule, after: Rule]

/**
 * Pairs open rules that require the same by their words: each is the most alike of its whole release to the
 * other, by a margin, and neither title says a word that the other rule does not know though its release
 * does. A rule that was paired already counts: what is most like it is another one beside it, not its
 * successor.
 */
export async function matchByText(
  { before, after }: BothReleases,
  means: MatchMeans,
): Promise<readonly RulePair[]> {
  const pairs = Math.max(before.open.size * after.all.length, after.open.size * before.all.length)
  if (pairs > MAX_PAIRS) return []
  const { likeness, pace } = means
  const old = await TitleIndex.of(before.all, means)
  const young = await TitleIndex.of(after.all, means)
  const successors = await nearest(before.open, young, pace)
  const predecessors = await nearest(after.open, old, pace)
  return [...successors].filter(([one, other]) => {
    if (!after.open.has(other) || predecessors.get(other) !== one) return false
    const news = likeness.saidOnlyBy(other, one).filter((word) => old.knows(word))
    const losses = likeness.saidOnlyBy(one, other).filter((word) => young.knows(word))
    return news.length + losses.length === 0
  })
}

/** What each rule is most alike to, where one is so clearly. */
async function nearest(
  open: ReadonlySet<Rule>,
  index: TitleIndex,
  pace: Pace,
): Promise<ReadonlyMap<Rule, Rule>> {
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

/** Finds the rules of a release that may be alike to another without comparing it with each. */
class TitleIndex {
  readonly #likeness: Likeness
  readonly #rules = new Map<string, { readonly rule: Rule; readonly weight: number }[]>()

  private constructor(likeness: Likeness) {
    this.#likeness = likeness
  }

  static async of(rules: readonly Rule[], { likeness, pace }: MatchMeans): Promise<TitleIndex> {
    const index = new TitleIndex(likeness)
    for (const rule of rules) {
      for (const [word, weight] of likeness.title(rule))
        append(index.#rules, word, { rule, weight })
      await pace.rest()
    }
    return index
  }

  /** Whether a title has the word. */
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
