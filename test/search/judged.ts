import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { SearchResult } from '../../src/contracts/search-answer.ts'

const entry = z.union([z.string(), z.object({ any: z.array(z.string()) })])
const judgement = z.object({
  query: z.string(),
  kind: z.string(),
  why: z.string(),
  first3: z.array(entry),
  first10: z.array(entry),
})

type Judgement = z.infer<typeof judgement>

/** Reads a file with a record of JSON in each line. */
export function readRecords(file: URL): readonly unknown[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line): unknown => JSON.parse(line))
}

/** Reads the queries with their expected results; the README beside the file describes its form. */
export function readJudgements(): readonly Judgement[] {
  const file = new URL('./judgements.jsonl', import.meta.url)
  return z.array(judgement).parse(readRecords(file))
}

/** How the judgements call a result. */
export function keyOf({ kind, id, iri }: Pick<SearchResult, 'kind' | 'id' | 'iri'>): string {
  const byId = ['weakness', 'cci', 'control', 'requirement', 'rule']
  return `${kind}:${byId.includes(kind) ? (id ?? '') : (iri ?? '').replace(/^.*[#/]/, '')}`
}

/** Figures of one query, or of many. */
export interface Figures {
  readonly queries: number
  /** Entries that are met, and how many there are. */
  readonly first3: readonly [number, number]
  readonly first10: readonly [number, number]
  readonly reciprocalRanks: number
}

/** How well hits, the best first, meet a judgement. */
export function judge(hits: readonly string[], { first3, first10 }: Judgement): Figures {
  const [three, ten] = [hits.slice(0, 3), hits.slice(0, 10)]
  const judged = [...first3, ...first10]
  const wanted = first3.length > 0 ? first3 : first10
  const rank = hits.findIndex((hit) => wanted.some((right) => meets(right, [hit])))
  return {
    queries: 1,
    first3: [first3.filter((right) => meets(right, three)).length, first3.length],
    first10: [judged.filter((right) => meets(right, ten)).length, judged.length],
    reciprocalRanks: rank === -1 ? 0 : 1 / (rank + 1),
  }
}

function meets(wanted: z.infer<typeof entry>, hits: readonly string[]): boolean {
  const any = typeof wanted === 'string' ? [wanted] : wanted.any
  return any.some((key) => hits.includes(key))
}

export function sumOf(figures: readonly Figures[]): Figures {
  const none: Figures = { queries: 0, first3: [0, 0], first10: [0, 0], reciprocalRanks: 0 }
  return figures.reduce(
    (sum, next) => ({
      queries: sum.queries + next.queries,
      first3: [sum.first3[0] + next.first3[0], sum.first3[1] + next.first3[1]],
      first10: [sum.first10[0] + next.first10[0], sum.first10[1] + next.first10[1]],
      reciprocalRanks: sum.reciprocalRanks + next.reciprocalRanks,
    }),
    none,
  )
}

/** As the README defines them; null where there is nothing to meet. */
export function ratesOf({ queries, first3, first10, reciprocalRanks }: Figures): {
  readonly successIn3: number | null
  readonly recallIn10: number | null
  readonly reciprocalRank: number
} {
  const share = ([met, total]: readonly [number, number]): number | null => (total === 0 ? null : met / total)
  return { successIn3: share(first3), recallIn10: share(first10), reciprocalRank: reciprocalRanks / queries }
}
