// Measures in a minute the results of each kind of question. --folder keeps the imported library for the next run:
// npm run bench:search-kinds -- [--folder DIR] [--ontology FILE] [--peer] [--misses KIND] [--without RULE,RULE|all]
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import type { SearchAnswer } from '../../src/contracts/search-answer.ts'
import type { SearchFeed } from '../../src/contracts/search-feed.ts'
import type { RecordKind, OntologyContent } from '../../src/contracts/sources.ts'
import { ABBREVIATIONS } from '../../src/guidance/catalogue/abbreviations/abbreviations.ts'
import { nistControlNames, nistControls } from '../../src/guidance/catalogue/benchmarks/nist-controls.ts'
import { openFeed } from '../../src/guidance/search-feed/feed-module.ts'
import { Searcher } from '../../src/search/thread/searcher.ts'
import { judge, keyOf, readJudgements } from '../../test/search/judged.ts'
import {
  feedDataOf,
  openLibrary,
  readContent,
  storeReferenceFiles,
  type LibraryPlace,
} from '../../test/search/library.ts'
import {
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
import { percentile, rounded } from './numbers.ts'
import { OPEN, peerOver, RULES, type Peer } from './search-quality.ts'
import { searcherWithout, RANKING_RULES } from './search-without.ts'
import { inWorkspace } from './workspace.ts'

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string' },
    ontology: { type: 'string' },
    peer: { type: 'boolean', default: false },
    misses: { type: 'string' },
    without: { type: 'string', default: '' },
  },
})
/** Only the second half of the questions counts, because the first half was used to find rules. */
const HALVES = ['first', 'second'] as const

interface QuestionSet {
  readonly name: string
  readonly kinds: readonly RecordKind[]
  readonly questions: readonly Yardstick[]
}

interface Library {
  readonly feed: SearchFeed
  readonly content: OntologyContent
  /** Set for copies of the search. */
  readonly folder: string
}

type Ask = (text: string, kinds: readonly RecordKind[], perPage?: number) => Promise<SearchAnswer>

await inWorkspace(async (workspace) => {
  const folder = resolve(options.folder ?? workspace.folder)
  await mkdir(folder, { recursive: true })
  const database = { dataDir: join(folder, 'guidance'), url: null }
  const isThere = existsSync(database.dataDir)
  const content = await readContent(join(workspace.folder, 'ontology'), options.ontology)
  if (!isThere) await storeLibrary(content, database)
  const feed = await openFeed(feedDataOf(database))
  const peer = await peerOver(content, feed)
  const sets = questionSets(peer)
  const library = { feed, content, folder: workspace.folder }
  const ask = await askOf(Searcher, library, false)
  if (options.misses !== undefined) await showMisses(ask, sets, options.misses)
  else if (options.without === '') await showKinds(ask, sets, peer)
  else await showWithout(ask, sets, library)
  peer.index.close()
  await feed.close()
})

async function storeLibrary(content: OntologyContent, databasePlace: LibraryPlace): Promise<void> {
  const { database, search } = await openLibrary(content, databasePlace)
  await storeReferenceFiles(database)
  await search.close()
  await database.close()
}

/** Searches in this thread. */
async function askOf(from: typeof Searcher, { feed, content, folder }: Library, isAnew = true): Promise<Ask> {
  const searcher = await from.open(feed, {
    feed: { module: '', data: null },
    // A rule of the index changes the saved files, so they cannot be reused.
    dumpFile: isAnew ? null : join(folder, 'search-index'),
    abbreviations: ABBREVIATIONS.map(([short, long]) => [short, long]),
    upToDateAt: new BigInt64Array(new SharedArrayBuffer(8)),
    controlNames: new Map(nistControlNames()),
    controls: new Map(nistControls()),
  })
  await searcher.takeOntology(content)
  await searcher.save()
  return async (text, kinds, perPage = 10) => {
    const question = { request: { ...OPEN, text, kinds, perPage }, defenses: new Map<string, Map<string, number>>() }
    const answer = await searcher.unified({ readable: [], waitUntil: Date.now() + 60_000, ...question })
    if ('defensesOf' in answer) throw new Error('It has been told what defends')
    return answer
  }
}

/** Only questions that have a right answer in the library. */
function questionSets({ records }: Peer): readonly (QuestionSet & { readonly unanswerable: number })[] {
  const items = readKnownItems()
  const sets: readonly QuestionSet[] = [
    { name: 'known items', kinds: RULES, questions: items },
    { name: 'with product and mistake', kinds: RULES, questions: withProductAndMistake(items) },
    { name: 'own questions, read', kinds: [], questions: readQuestions(1) },
    { name: 'own questions, not read', kinds: [], questions: readQuestions(2) },
    ...Array.from(readSecondSet(), ([name, questions]) => ({ name, kinds: [], questions })),
  ]
  const names = new Set(records.flatMap(({ iri, identifiers }) => (iri === null ? identifiers : [iri, ...identifiers])))
  return sets.map((set) => {
    const questions = set.questions.filter(({ right }) => [...right].some((name) => names.has(name)))
    return { ...set, questions, unanswerable: set.questions.length - questions.length }
  })
}

function halfOf({ query }: Yardstick): (typeof HALVES)[number] {
  return HALVES[(createHash('sha256').update(query).digest()[0] ?? 0) % 2] ?? 'first'
}

function reciprocalRank(measured: readonly Measured[]): number {
  return rounded(meanOf(measured, 'reciprocalRank').mean, 3)
}

async function measureOwn(ask: Ask, { kinds, questions }: QuestionSet): Promise<readonly Measured[]> {
  const measured: Measured[] = []
  for (const question of questions) {
    const { results } = await ask(question.query, kinds)
    const hits = results.map((result) => isRight(question, result))
    measured.push(measure(hits, 1))
  }
  return measured
}

async function judgedRank(ask: Ask): Promise<number> {
  const judgements = readJudgements()
  let sum = 0
  for (const judgement of judgements) {
    const { results } = await ask(judgement.query, [])
    sum += judge(results.map(keyOf), judgement).reciprocalRanks
  }
  return rounded(sum / judgements.length, 3)
}

async function showKinds(ask: Ask, sets: ReturnType<typeof questionSets>, peer: Peer): Promise<void> {
  const times: number[] = []
  const timed: Ask = async (...request) => {
    const before = process.cpuUsage()
    const answer = await ask(...request)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
    return answer
  }
  const rows: (string | number)[][] = []
  for (const set of sets) {
    const measured = await measureOwn(timed, set)
    const ofHalf = (half: string): readonly Measured[] =>
      measured.filter((_, index) => halfOf(set.questions[index] ?? { query: '', right: new Set() }) === half)
    const row = [set.name, measured.length, set.unanswerable, reciprocalRank(measured)]
    rows.push([
      ...row,
      ...HALVES.map((half) => reciprocalRank(ofHalf(half))),
      ...(options.peer ? [peerRank(set, peer)] : []),
    ])
  }
  console.log(formatTable(['MRR', 'answerable', 'not', 'all', ...HALVES, ...(options.peer ? ['FTS5'] : [])], rows))
  console.log(`judgements ${await judgedRank(timed)}`)
  console.log(`CPU p50 ${rounded(percentile(times, 0.5), 1)} ms, p95 ${rounded(percentile(times, 0.95), 1)} ms`)
}

function peerRank({ questions, kinds }: QuestionSet, peer: Peer): number {
  return reciprocalRank(
    questions.map((question) => {
      const records = peer.index.find(question.query, 1000).flatMap((number) => peer.records[number] ?? [])
      const fitting = records.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind)).slice(0, 10)
      return measure(
        fitting.map((record) => isRight(question, record)),
        1,
      )
    }),
  )
}

/** The first five answers to questions whose first answer is wrong, and the place of the right one. */
async function showMisses(ask: Ask, sets: readonly QuestionSet[], kind: string): Promise<void> {
  for (const { kinds, questions } of sets.filter(({ name }) => kind.split(',').includes(name)))
    for (const question of questions) {
      const { results } = await ask(question.query, kinds, 100)
      const index = results.findIndex((result) => isRight(question, result))
      if (index === 0) continue
      console.log(`\n${halfOf(question)} half: ${question.query}`)
      console.log(`  right: ${[...question.right].filter((name) => !name.includes('#')).join(' ')}, place ${index + 1}`)
      for (const result of [...results.slice(0, 5), ...results.slice(Math.max(5, index), index + 1)])
        console.log(`  ${result.kind} ${result.id} ${result.label.slice(0, 110)}`)
    }
}

/** One row for each rule that is left out: the difference that it makes, in thousandths. */
async function showWithout(ask: Ask, sets: readonly QuestionSet[], library: Library): Promise<void> {
  const ruleNames = options.without.split(',')
  const rules = RANKING_RULES.filter(({ name }) => options.without === 'all' || ruleNames.includes(name))
  const figures = async (askVariant: Ask): Promise<readonly number[]> => {
    const ranks: number[] = []
    for (const set of sets) ranks.push(reciprocalRank(await measureOwn(askVariant, set)))
    return [...ranks, await judgedRank(askVariant)]
  }
  const baseline = await figures(ask)
  const rows: (string | number)[][] = [['all rules', ...baseline]]
  for (const rule of rules) {
    const without = await figures(
      await askOf(await searcherWithout(rule, library.folder), library, rule.file.startsWith('index/')),
    )
    rows.push([rule.name, ...without.map((figure, index) => Math.round(1000 * ((baseline[index] ?? 0) - figure)))])
  }
  console.log(formatTable(['won by', ...sets.map(({ name }) => name), 'judgements'], rows))
}
