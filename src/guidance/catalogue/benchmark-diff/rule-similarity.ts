import type { Pauses } from '../../../platform/concurrency/turns.ts'
import { getOrMake } from '../../../platform/get-or-make.ts'
import type { Rule } from '../xccdf/benchmark.ts'

/** Number of rules of each release that word frequencies are measured on. */
const SAMPLE = 500
/** Limit of compared characters of a part. A check names its subject at the beginning. */
const MAX_CHARACTERS = 6000
/** A word in a larger share of the rules is ignored, such as the name of the product, or `must`. */
const COMMON_SHARE = 1 / 3
/** A word that occurs in no more rules than this is never ignored: it may be common by chance. */
const COMMON_RULES = 10

/** Parts of a rule and their weights. A part counts only if both rules have it. */
const PARTS = [
  { weight: 2, textOf: ({ title }: Rule) => title },
  {
    weight: 2,
    textOf: ({ checks, fixes }: Rule) =>
      [...checks.map(({ content }) => content), ...fixes.map(({ text }) => text)].join(' '),
  },
  { weight: 1, textOf: ({ discussion }: Rule) => discussion.vuln_discussion ?? '' },
] as const

/** Word frequencies weighted by rarity, normalised to length 1. */
export type Vector = ReadonlyMap<string, number>

interface RuleProfile {
  readonly title: ReadonlySet<string>
  readonly parts: readonly Vector[]
}

/**
 * Measures the similarity of two rules, from 0 to 1: the cosine of their words for each part, weighted by tf-idf
 * (Manning et al., Introduction to Information Retrieval, §6.2). So boilerplate hardly counts, but the name of a
 * setting does.
 */
export class RuleSimilarity {
  /** Number of sampled rules that contain each word. */
  readonly #frequencies = new Map<string, number>()
  readonly #profiles = new Map<Rule, RuleProfile>()
  #sampleSize = 0

  static async of(sides: readonly (readonly Rule[])[], pauses: Pauses): Promise<RuleSimilarity> {
    const similarity = new RuleSimilarity()
    for (const rules of sides) {
      const step = Math.max(1, rules.length / SAMPLE)
      for (let position = 0; position < rules.length; position += step) {
        const rule = rules[Math.floor(position)]
        if (rule !== undefined) similarity.#count(rule)
        await pauses.rest()
      }
    }
    return similarity
  }

  between(a: Rule, b: Rule): number {
    const [profile, other] = [this.#profileOf(a), this.#profileOf(b)]
    let sum = 0
    let weights = 0
    for (const [index, { weight }] of PARTS.entries()) {
      const [left, right] = [profile.parts[index], other.parts[index]]
      if (left === undefined || right === undefined || left.size * right.size === 0) continue
      sum += weight * cosine(left, right)
      weights += weight
    }
    return weights === 0 ? 0 : sum / weights
  }

  /** Words of the title, without common ones. */
  title({ title }: Rule): Vector {
    return this.#vector(wordsOf(title).filter((word) => !this.#isCommon(word)))
  }

  /** Words in the title of `a` that are nowhere in `b`, without common ones. */
  titleWordsOnlyIn(a: Rule, b: Rule): readonly string[] {
    const { parts } = this.#profileOf(b)
    const isInOther = (word: string): boolean => parts.some((part) => part.has(word))
    return [...this.#profileOf(a).title].filter((word) => !this.#isCommon(word) && !isInOther(word))
  }

  #count(rule: Rule): void {
    const words = new Set(PARTS.flatMap(({ textOf }) => wordsOf(textOf(rule))))
    for (const word of words) this.#frequencies.set(word, this.#frequency(word) + 1)
    this.#sampleSize += 1
  }

  #frequency(word: string): number {
    return this.#frequencies.get(word) ?? 0
  }

  #isCommon(word: string): boolean {
    return this.#frequency(word) > Math.max(COMMON_RULES, COMMON_SHARE * this.#sampleSize)
  }

  #rarity(word: string): number {
    return Math.log(1 + this.#sampleSize / Math.max(1, this.#frequency(word)))
  }

  #profileOf(rule: Rule): RuleProfile {
    return getOrMake(this.#profiles, rule, () => ({
      title: new Set(wordsOf(rule.title)),
      parts: PARTS.map(({ textOf }) => this.#vector(wordsOf(textOf(rule)))),
    }))
  }

  #vector(words: readonly string[]): Vector {
    const weights = new Map<string, number>()
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + 1)
    let squares = 0
    for (const [word, times] of weights) {
      const weight = (1 + Math.log(times)) * this.#rarity(word)
      weights.set(word, weight)
      squares += weight * weight
    }
    for (const [word, weight] of weights) weights.set(word, weight / Math.sqrt(squares))
    return weights
  }
}

function cosine(a: Vector, b: Vector): number {
  let sum = 0
  for (const [word, weight] of a) sum += weight * (b.get(word) ?? 0)
  return sum
}

/** Single letters are ignored; digits are not (`TLS 1.2`). */
const WORDS = /[\p{L}\p{Nd}]{2,}|\p{Nd}/gu
/** Whole paths: `/etc/gshadow-` is not `/etc/gshadow`, and `/tmp` is not a part of `/var/tmp`. */
const PATHS = /(?:\/[\w.-]+)*\/[\w.-]*[\w-]/g

function wordsOf(text: string): readonly string[] {
  const beginning = text.slice(0, MAX_CHARACTERS).toLowerCase()
  return [...(beginning.match(WORDS) ?? []), ...(beginning.match(PATHS) ?? [])]
}
