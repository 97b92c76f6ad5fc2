import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { SearchResult } from '../../src/contracts/search-answer.ts'
import type { OntologyContent } from '../../src/contracts/sources.ts'
import { append } from '../../src/platform/append.ts'
import { CORPUS } from '../support/corpus.ts'
import { readRecords } from './judged.ts'

/** A query, and how its right answers are called: STIG ids, or IRIs. */
export interface Yardstick {
  readonly query: string
  readonly right: ReadonlySet<string>
}

/** How well one query was answered. */
export interface Measured {
  readonly reciprocalRank: number
  readonly in1: number
  readonly in3: number
  /** The share of the right answers that the first ten have, of at most ten. */
  readonly recall10: number
  readonly ndcg10: number
}

const KNOWN_ITEMS = join(CORPUS, 'search/known-items.json')
const knownItems = z.array(z.object({ query: z.string(), stig_ids: z.array(z.string()) }))

/** Titles that another project gave to requirements, and the rules that it says they are. */
export function readKnownItems(): readonly Yardstick[] {
  if (!existsSync(KNOWN_ITEMS)) return []
  const items = knownItems.parse(JSON.parse(readFileSync(KNOWN_ITEMS, 'utf8')))
  return items.map(({ query, stig_ids }) => ({ query, right: new Set(stig_ids) }))
}

const SECOND_SET = join(CORPUS, 'search/blind-2.json')
const secondSet = z.object({
  queries: z.array(z.object({ query: z.string(), kind: z.string(), rel_ids: z.record(z.string(), z.int()) })),
})

/** Questions by others of nine kinds, by kind. A record of grade 2 or more is a right answer. */
export function readSecondSet(): ReadonlyMap<string, readonly Yardstick[]> {
  const kinds = new Map<string, Yardstick[]>()
  if (!existsSync(SECOND_SET)) return kinds
  for (const { query, kind, rel_ids } of secondSet.parse(JSON.parse(readFileSync(SECOND_SET, 'utf8'))).queries) {
    const right = Object.entries(rel_ids).flatMap(([id, grade]) => (grade < 2 ? [] : [id, D3F + id]))
    append(kinds, kind, { query, right: new Set(right) })
  }
  return kinds
}

const D3F = 'http://d3fend.mitre.org/ontologies/d3fend.owl#'
const questions = z.array(
  z.object({
    query: z.string(),
    kind: z.string(),
    half: z.literal([1, 2]),
    rules: z.array(z.string()),
    records: z.array(z.string()),
  }),
)

/** Written by somebody who knew the data, but not the search; the README tells the form. Of the second half none was read. */
export function readQuestions(half: 1 | 2): readonly Yardstick[] {
  const file = new URL('./questions.jsonl', import.meta.url)
  return questions
    .parse(readRecords(file))
    .filter((question) => question.half === half)
    .map(({ query, rules, records }) => {
      return { query, right: new Set([...rules, ...records.map((name) => D3F + name)]) }
    })
}

const PRODUCTS: Readonly<Record<string, string>> = { RHEL: 'red hat enterprise linux', OL: 'oracle linux' }

/** Known items with a product in the query, whose rules alone are right, and two letters swapped in its longest word. */
export function withProductAndMistake(items: readonly Yardstick[]): readonly Yardstick[] {
  return items.flatMap(({ query, right }) => {
    const [first = ''] = right
    const [, name = '', version = ''] = /^([A-Z]+)-?(\d+)-/.exec(first) ?? []
    const product = PRODUCTS[name]
    if (product === undefined) return []
    const sameStig = [...right].filter((id) => id.startsWith(/^[A-Z]+-?\d+-/.exec(first)?.[0] ?? first))
    return [{ query: `${product} ${Number(version)} ${withMistake(query)}`, right: new Set(sameStig) }]
  })
}

function withMistake(text: string): string {
  const longest = text.split(/[^A-Za-z]+/).reduce((a, b) => (b.length > a.length ? b : a), '')
  const middle = Math.floor(longest.length / 2)
  const swapped =
    longest.slice(0, middle - 1) +
    longest.slice(middle, middle + 1) +
    longest.slice(middle - 1, middle) +
    longest.slice(middle + 1)
  return text.replace(longest, swapped)
}

/**
 * Names of controls with the techniques that the ontology links to them, and the ontology without these controls, so
 * that the search can find the techniques by words alone.
 */
export function controlNames(content: OntologyContent): {
  readonly hidden: OntologyContent
  readonly yardsticks: readonly Yardstick[]
} {
  const controls = content.documents.filter(({ kind }) => kind === 'control' || kind === 'cci')
  const yardsticks = controls.flatMap(({ id, kind, label, text }) => {
    const links = content.links.filter(({ control }) => control === id)
    const right = new Set(links.map(({ technique }) => technique))
    return right.size === 0 ? [] : [{ query: kind === 'cci' ? text : label, right }]
  })
  const documents = content.documents.filter((document) => !controls.includes(document))
  return { hidden: { ...content, documents, links: [], digest: 'e'.repeat(64) }, yardsticks }
}

export function isRight(
  { right }: Yardstick,
  { iri, identifiers }: Pick<SearchResult, 'iri' | 'identifiers'>,
): boolean {
  return identifiers.some((id) => right.has(id)) || (iri !== null && right.has(iri))
}

/** Computes the figures of a list of hits, the best first. `all`: how many right answers there are. */
export function measure(hits: readonly boolean[], rightCount: number): Measured {
  const first = hits.indexOf(true)
  const ten = hits.slice(0, 10)
  const gain = (isHit: boolean, index: number): number => (isHit ? 1 / Math.log2(index + 2) : 0)
  const sum = (gains: readonly number[]): number => gains.reduce((total, next) => total + next, 0)
  const best = Array.from({ length: Math.min(10, rightCount) }, (_, index) => gain(true, index))
  return {
    reciprocalRank: first === -1 ? 0 : 1 / (first + 1),
    in1: first === 0 ? 1 : 0,
    in3: first !== -1 && first < 3 ? 1 : 0,
    recall10: rightCount === 0 ? 0 : ten.filter(Boolean).length / Math.min(10, rightCount),
    ndcg10: rightCount === 0 ? 0 : sum(ten.map(gain)) / sum(best),
  }
}

/** The mean of a measure, and half of the interval that holds it with 95 %. */
export function meanOf(
  measured: readonly Measured[],
  measureName: keyof Measured,
): { readonly mean: number; readonly half: number } {
  const values = measured.map((item) => item[measureName])
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean, half: 1.96 * Math.sqrt(variance / values.length) }
}
