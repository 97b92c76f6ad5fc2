import { append } from '../../../../platform/append.ts'
import { Pauses } from '../../../../platform/concurrency/turns.ts'
import { wordsOf } from '../../../../wording/text/words.ts'

/** The parts of a comment by which it is compared with others. */
export interface ComparedComment {
  readonly id: number
  readonly comment: string
  readonly ruleId: number | null
  /** The requirement of the rule, without the technology; null for a rule without a requirement. */
  readonly family: string | null
}

/** A comment of a cluster. Its likeness is to the comment because of which it joined; 1 for the first comment. */
export interface ClusterMember {
  readonly id: number
  readonly likeness: number
}

/** The least likeness of two comments: on one rule or on rules of one requirement, and on other rules. */
const MIN_LIKENESS_NEARBY = 0.45
const MIN_LIKENESS_ELSEWHERE = 0.7
/** Shorter comments on different rules are alike by chance: `Agree.` */
const LEAST_WORDS = 4
/** Only this many words of a long comment are compared. */
const MAX_WORDS = 80

/** Names of rules and requirements, in which copies of a comment differ. A redirected comment begins with one, too. */
const NAMES = /\b(?:SRG-[A-Z]+-\d{6}(?:-[A-Z]+-\d{5,6})?|[A-Z0-9]+-\d\d-\d{6}|S?V-\d{4,}(?:r\d+_rule)?)\b/gi
const REDIRECTED = /^\[Re: [^\]]*\]/

/**
 * Groups similar comments, in the order given; leaves out comments that are like no other. Each comment joins the
 * cluster of the earlier comment that is most like it. The likeness is the cosine of the sets of their content words.
 * Pauses, so that other requests can run.
 */
export async function findClusters(
  comments: readonly ComparedComment[],
): Promise<readonly (readonly ClusterMember[])[]> {
  const clusters = new Map<number, ClusterMember[]>()
  const clusterOf: number[] = []
  const index = new WordIndex()
  const pauses = new Pauses()
  for (const [position, { id, comment, ruleId, family }] of comments.entries()) {
    const indexed = { words: contentWordsOf(comment), ruleId, family }
    const nearest = index.nearest(indexed)
    const cluster = nearest === null ? position : (clusterOf[nearest.position] ?? position)
    clusterOf.push(cluster)
    append(clusters, cluster, { id, likeness: nearest?.likeness ?? 1 })
    index.add(indexed)
    await pauses.rest()
  }
  return [...clusters.values()].filter(({ length }) => length > 1)
}

interface IndexedComment {
  readonly words: readonly string[]
  readonly ruleId: number | null
  readonly family: string | null
}

/** Finds comments by their words, so that only comments with a common word are compared. */
class WordIndex {
  readonly #comments: IndexedComment[] = []
  readonly #byWord = new Map<string, number[]>()

  add(comment: IndexedComment): void {
    for (const word of comment.words) append(this.#byWord, word, this.#comments.length)
    this.#comments.push(comment)
  }

  /** The earlier comment that is most like this one, the oldest if several are; null if none is like enough. */
  nearest(comment: IndexedComment): { readonly position: number; readonly likeness: number } | null {
    let best: { readonly position: number; readonly likeness: number } | null = null
    const shared = this.#countShared(comment)
    for (const [position, other] of this.#comments.entries()) {
      const likeness = (shared[position] ?? 0) / Math.sqrt(comment.words.length * other.words.length)
      if (likeness > (best?.likeness ?? 0) && likeness >= leastLikeness(comment, other)) best = { position, likeness }
    }
    return best
  }

  /** Counts for each earlier comment the words that it shares with this one. */
  #countShared({ words }: IndexedComment): Uint16Array {
    const shared = new Uint16Array(this.#comments.length)
    for (const word of words)
      for (const position of this.#byWord.get(word) ?? []) shared[position] = (shared[position] ?? 0) + 1
    return shared
  }
}

function leastLikeness(comment: IndexedComment, other: IndexedComment): number {
  const isNear = other.ruleId === comment.ruleId || (comment.family !== null && other.family === comment.family)
  if (isNear) return MIN_LIKENESS_NEARBY
  return Math.min(comment.words.length, other.words.length) < LEAST_WORDS ? Infinity : MIN_LIKENESS_ELSEWHERE
}

/** The content words of a comment, or the whole text if no words are found, as in other scripts. */
function contentWordsOf(comment: string): readonly string[] {
  const text = comment.replace(REDIRECTED, '').replaceAll(NAMES, ' ')
  const words = [...wordsOf(text)].slice(0, MAX_WORDS)
  return words.length === 0 ? [text.trim().toLowerCase()] : words
}
