import { formatTable } from '../../src/commands/table.ts'
import { MAX_RECORDS, type FeedRecord, type ReferenceRecord, type SearchFeed } from '../../src/contracts/search-feed.ts'
import type { SearchRequest, Search } from '../../src/contracts/search.ts'
import type { RecordKind, OntologyContent } from '../../src/contracts/sources.ts'
import { openFeed } from '../../src/guidance/search-feed/feed-module.ts'
import type { Caller } from '../../src/http/caller.ts'
import { judge, keyOf, ratesOf, readJudgements, sumOf, type Figures } from '../../test/search/judged.ts'
import { feedDataOf, searchOver, type LibraryPlace } from '../../test/search/library.ts'
import {
  controlNames,
  isRight,
  meanOf,
  measure,
  readKnownItems,
  readQuestions,
  readSecondSet,
  withProductAndMistake,
  type Measured,
  type Yardstick,
} from '../../test/search/yardsticks.ts'
import { rounded } from './numbers.ts'
import { PlainIndex } from './search-peer.ts'

export const OPEN: Omit<SearchRequest, 'text' | 'kinds'> = {
  severities: [],
  tactics: [],
  domains: [],
  benchmarks: null,
  releases: null,
  page: 1,
  perPage: 10,
  cursor: null,
  isFolded: false,
  isExplained: false,
  isGrouped: false,
}
export const RULES: readonly RecordKind[] = ['rule', 'requirement']
const MEASURES = ['reciprocalRank', 'in1', 'in3', 'recall10', 'ndcg10'] as const

/** Compares the results of real queries with a plain index of words over the same texts. */
export async function measureQuality(
  search: Search<Caller | null>,
  content: OntologyContent,
  place: LibraryPlace,
): Promise<void> {
  // The limit does not matter for the quality.
  await search.prepare(Promise.resolve())
  const feed = await openFeed(feedDataOf(place))
  const peer = await peerOver(content, feed)
  await feed.close()
  const items = readKnownItems()
  // Only the first half was used to choose weights.
  const rows = [
    await measured('known items, first half', items.filter(isEven), { search, peer, kinds: RULES }),
    await measured('known items, second half', items.filter(isOdd), { search, peer, kinds: RULES }),
    await measured('with product and mistake', withProductAndMistake(items), { search, peer, kinds: RULES }),
  ]
  for (const [name, half] of [
    ['first', 1],
    ['second', 2],
  ] as const)
    rows.push(await measured(`questions, ${name} half`, readQuestions(half), { search, peer, kinds: [] }))
  for (const [kind, yardsticks] of readSecondSet())
    rows.push(await measured(`second set, ${kind}`, yardsticks, { search, peer, kinds: [] }))
  const { hidden, yardsticks } = controlNames(content)
  const blind = searchOver(hidden, place)
  await blind.prepare(Promise.resolve())
  rows.push(await measured('control names', yardsticks, { search: blind, peer, kinds: ['technique'] }))
  await blind.close()
  const head = [
    '',
    'queries',
    'MRR',
    'success@1',
    'success@3',
    'recall@10',
    'nDCG@10',
    'FTS5: MRR',
    's@1',
    's@3',
    'r@10',
    'nDCG',
  ]
  console.log(`\nQueries that others wrote (± 95 %)\n\n${formatTable(head, rows)}`)
  console.log(`\nThe judgements (test/search/judgements.jsonl)\n\n${await judgedTable(search)}`)
  peer.index.close()
}

function isEven(_: unknown, index: number): boolean {
  return index % 2 === 0
}

function isOdd(_: unknown, index: number): boolean {
  return index % 2 === 1
}

export interface Peer {
  readonly index: PlainIndex
  /** The records by their numbers. */
  readonly records: readonly {
    readonly kind: RecordKind
    readonly iri: string | null
    readonly identifiers: readonly string[]
  }[]
}

/** The records have the texts of the ontology and of reference data, as in the search. */
export async function peerOver(content: OntologyContent, feed: SearchFeed): Promise<Peer> {
  const index = new PlainIndex()
  const records: Peer['records'][number][] = []
  for (const record of await newestRules(feed)) {
    index.addRule(record)
    records.push({ kind: record.kind, iri: null, identifiers: record.names })
  }
  const described = new Map<string, ReferenceRecord>()
  for await (const record of feed.referenceRecords()) described.set(`${record.kind} ${record.id}`, record)
  for (const document of content.documents) {
    const name = `${document.kind} ${document.id ?? ''}`
    const reference = described.get(name)
    described.delete(name)
    index.addDocument(document, reference)
    records.push({ kind: document.kind, iri: document.iri, identifiers: document.id === null ? [] : [document.id] })
  }
  for (const record of described.values()) {
    index.addDocument({ ...record, name: record.id, text: '' }, record)
    records.push({ kind: record.kind, iri: null, identifiers: [record.id] })
  }
  return { index, records }
}

async function newestRules(feed: SearchFeed): Promise<readonly FeedRecord[]> {
  const records: FeedRecord[] = []
  for (const { id, benchmark } of await feed.owners()) {
    if (benchmark?.isNewest !== true) continue
    const kind = benchmark.kind === 'srg' ? 'requirement' : 'rule'
    const keys = (await feed.rulesOf(id)).map((rule) => ({ kind, id: rule }) as const)
    for (let from = 0; from < keys.length; from += MAX_RECORDS)
      records.push(...(await feed.records(keys.slice(from, from + MAX_RECORDS))))
  }
  return records
}

interface QualityOptions {
  readonly search: Search<Caller | null>
  readonly peer: Peer
  /** Without a kind, all records count. */
  readonly kinds: readonly RecordKind[]
}

/** A row of the table: ours, then those of the plain index. */
async function measured(
  name: string,
  yardsticks: readonly Yardstick[],
  { search, peer, kinds }: QualityOptions,
): Promise<readonly (string | number)[]> {
  const [ours, plain]: [Measured[], Measured[]] = [[], []]
  for (const yardstick of yardsticks) {
    const rightCount = peer.records.filter((record) => isRight(yardstick, record)).length
    if (rightCount === 0) continue
    const { results } = await search.unified(null, { ...OPEN, kinds, text: yardstick.query })
    ours.push(
      measure(
        results.map((result) => isRight(yardstick, result)),
        rightCount,
      ),
    )
    const records = peer.index.find(yardstick.query, 1000).flatMap((number) => peer.records[number] ?? [])
    const isAsked = ({ kind }: Peer['records'][number]): boolean => kinds.length === 0 || kinds.includes(kind)
    const fitting = records.filter(isAsked).slice(0, 10)
    plain.push(
      measure(
        fitting.map((record) => isRight(yardstick, record)),
        rightCount,
      ),
    )
  }
  const cellsOf = (list: readonly Measured[]): readonly string[] =>
    MEASURES.map((measureName) => {
      const { mean, half } = meanOf(list, measureName)
      return `${rounded(mean, 3)} ±${rounded(half, 2)}`
    })
  return [name, ours.length, ...cellsOf(ours), ...cellsOf(plain)]
}

async function judgedTable(search: Search<Caller | null>): Promise<string> {
  const kinds = new Map<string, Figures[]>([['all', []]])
  for (const judgement of readJudgements()) {
    const { results } = await search.unified(null, { ...OPEN, isFolded: true, kinds: [], text: judgement.query })
    const figures = judge(results.map(keyOf), judgement)
    kinds.set(judgement.kind, [...(kinds.get(judgement.kind) ?? []), figures])
    kinds.get('all')?.push(figures)
  }
  const rows = Array.from(kinds, ([kind, figures]) => {
    const { successIn3, recallIn10, reciprocalRank } = ratesOf(sumOf(figures))
    const rates = [successIn3, recallIn10, reciprocalRank]
    return [kind, figures.length, ...rates.map((rate) => (rate === null ? '' : rounded(rate, 3)))]
  })
  return formatTable(['', 'queries', 'success@3', 'recall@10', 'MRR'], rows)
}
