// The search over techniques and rules: npm run bench:search -- [--sizes 20000,100000]
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import type { SearchRequest } from '../../src/contracts/search.ts'
import type { OntologyContent } from '../../src/contracts/sources.ts'
import type { ReadBenchmark } from '../../src/guidance/catalogue/xccdf/benchmark.ts'
import type { Database } from '../../src/guidance/database/database.ts'
import type { searchGlobal } from '../../src/guidance/search/global-endpoints.ts'
import type { Caller } from '../../src/http/caller.ts'
import { objectWith } from '../../src/platform/threads/protocol.ts'
import { readJudgements } from '../../test/search/judged.ts'
import {
  hasLibrary,
  openLibrary,
  readContent,
  readLibrary,
  searchOver,
  storeOne,
  storeReferenceFiles,
  type LibraryPlace,
  type SearchModules,
} from '../../test/search/library.ts'
import { readKnownItems } from '../../test/search/yardsticks.ts'
import { build as buildModules, builtModule } from '../../test/support/build.ts'
import { build } from './data.ts'
import { atEachDatabase, execute, type BenchDatabase } from './databases.ts'
import { percentile, rounded } from './numbers.ts'
import { measureQuality } from './search-quality.ts'
import { inWorkspace } from './workspace.ts'

const { values } = parseArgs({ options: { sizes: { type: 'string', default: '20000,100000' } } })
const sizes = values.sizes
  .split(',')
  .filter((size) => size !== '')
  .map(Number)
const queries = [...readKnownItems(), ...readJudgements()].map(({ query }) => query)
const OPEN: Omit<SearchRequest, 'text'> = {
  kinds: [],
  severities: [],
  tactics: [],
  domains: [],
  benchmarks: null,
  releases: null,
  page: 1,
  perPage: 10,
  cursor: null,
  isFolded: true,
  isExplained: false,
  isGrouped: false,
}
/** A caller who may read everything. */
const ADMIN: Caller = {
  id: 1,
  name: '',
  email: '',
  admin: true,
  provider: null,
  via: { kind: 'session', id: 0 },
}
/** Letters of a query that are typed one after the other. */
const TYPED = 20
/** Rounds of questions before the measurement, which fill the caches and let V8 compile. */
const ROUNDS_BEFORE = 2

await inWorkspace(async (workspace) => {
  if (!hasLibrary) {
    console.log('bench:search has no data: PARAPET_CORPUS names a folder with xccdf/ and ontology/')
    return
  }
  await build(workspace)
  await buildModules()
  const content = await readContent(join(workspace.folder, 'ontology'))
  await atEachDatabase(workspace, 'search', (database) => measureOn(content, database))
})

async function measureOn(content: OntologyContent, place: BenchDatabase): Promise<void> {
  // The files of the index are there with both databases.
  await mkdir(place.dataDir, { recursive: true })
  console.log(`\n${place.name}`)
  const library = await openLibrary(content, place)
  await storeReferenceFiles(library.database)
  if (place.url === null) await measureQuality(library.search, content, place)
  await library.search.close()
  const rows = [await measureAt('the library', library.database, { content, place })]
  for (const size of sizes) {
    await grow(library.database, size)
    rows.push(await measureAt(`${size} rules`, library.database, { content, place }))
  }
  const head = ['', 'rules', 'read anew s', 'from its file s', 'p50 ms', 'p95 ms', 'CPU p50 ms', 'CPU p95 ms']
  console.log('\nOne page of ten each, asked for the third time; CPU of all threads (goals: 8 and 20 ms)\n')
  console.log(formatTable([...head, 'suggestions p50 ms', 'p95 ms', 'global CPU p50 ms', 'p95 ms'], rows))
  await library.database.close()
}

function secondsSince(begin: number): number {
  return rounded((performance.now() - begin) / 1000, 2)
}

async function measureAt(
  name: string,
  database: Database,
  { content, place }: { readonly content: OntologyContent; readonly place: LibraryPlace },
): Promise<readonly (string | number)[]> {
  const rules = await countRules(database)
  if (place.url !== null) await execute(place.url, 'vacuum analyze')
  const dumpFile = join(place.dataDir, `search-index-${rules}`)
  const anew = performance.now()
  const modules = await builtModules()
  const first = searchOver(content, place, { dumpFile, modules })
  await first.prepare(Promise.resolve())
  const readAnew = secondsSince(anew)
  await first.close()
  const again = performance.now()
  const search = searchOver(content, place, { dumpFile, modules })
  await search.prepare(Promise.resolve())
  const readAgain = secondsSince(again)
  const ask = (text: string): Promise<unknown> => search.unified(null, { ...OPEN, text })
  for (let round = 0; round < ROUNDS_BEFORE; round += 1) for (const query of queries) await ask(query)
  const { wall, cpu } = await timesOf(ask, queries)
  const globally = (text: string): Promise<unknown> =>
    modules.searchGlobal({ database, search }, ADMIN, { text, component: '', limit: 5 })
  for (let round = 0; round < ROUNDS_BEFORE; round += 1) for (const query of queries) await globally(query)
  const global = await timesOf(globally, queries)
  const typed = await timesOf(
    (text) => search.suggest(null, text, 10),
    queries
      .filter((_, index) => index % 5 === 0)
      .flatMap((query) => Array.from({ length: Math.min(query.length, TYPED) }, (_, end) => query.slice(0, end + 1))),
  )
  await search.close()
  return [
    name,
    rules,
    readAnew,
    readAgain,
    ...shares(wall),
    ...shares(cpu),
    ...shares(typed.wall),
    ...shares(global.cpu),
  ]
}

/** Duration and CPU time of each query, in milliseconds. */
interface QueryTimes {
  readonly wall: readonly number[]
  readonly cpu: readonly number[]
}

async function timesOf(find: (query: string) => Promise<unknown>, texts: readonly string[]): Promise<QueryTimes> {
  const wall: number[] = []
  const cpu: number[] = []
  for (const query of texts) {
    const [begin, before] = [performance.now(), process.cpuUsage()]
    await find(query)
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) / 1000)
    wall.push(performance.now() - begin)
  }
  return { wall, cpu }
}

interface GlobalSearch {
  readonly searchGlobal: typeof searchGlobal
}

/** The search as it is deployed. */
async function builtModules(): Promise<SearchModules & GlobalSearch> {
  const built = async (path: string): Promise<unknown> => import(pathToFileURL(builtModule(`src/${path}`)).href)
  const search = objectWith<SearchModules>('createSearch').parse(await built('search/search.ts'))
  const feed = objectWith<SearchModules>('searchFeedSource').parse(await built('guidance/search-feed/feed-source.ts'))
  const path = 'guidance/search/global-endpoints.ts'
  const { searchGlobal } = objectWith<GlobalSearch>('searchGlobal').parse(await built(path))
  return {
    createSearch: search.createSearch,
    searchFeedSource: feed.searchFeedSource,
    searchGlobal,
  }
}

/** p50 and p95. */
function shares(times: readonly number[]): readonly number[] {
  return [0.5, 0.95].map((share) => rounded(percentile(times, share), 2))
}

async function countRules(database: Database): Promise<number> {
  const { rules } = await database.read
    .selectFrom('benchmark_rules')
    .select((builder) => builder.fn.countAll<number>().as('rules'))
    .executeTakeFirstOrThrow()
  return rules
}

/** Adds copies of the library under other ids up to this number of rules. */
async function grow(database: Database, size: number): Promise<void> {
  while ((await countRules(database)) < size) {
    const mark = randomBytes(3).toString('hex')
    for (const { read, source } of readLibrary()) {
      await storeOne(database, copyOf(read, mark), source)
      if ((await countRules(database)) >= size) return
    }
  }
}

function copyOf({ benchmark, ...rest }: ReadBenchmark, mark: string): ReadBenchmark {
  const rules = benchmark.rules.map((rule) => ({ ...rule, ruleId: `${mark}_${rule.ruleId}` }))
  return { ...rest, benchmark: { ...benchmark, benchmarkId: `${benchmark.benchmarkId}_${mark}`, rules } }
}
