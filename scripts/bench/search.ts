// The search over techniques and rules: npm run bench:search -- [--sizes 20000,100000]
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Sqlite from 'libsql'
import { Client } from 'pg'
import { z } from 'zod'
import { formatTable } from '../../src/commands/table.ts'
import type { OntologyContent } from '../../src/contracts/sources.ts'
import type { ReadBenchmark } from '../../src/guidance/catalogue/xccdf/benchmark.ts'
import type { Database } from '../../src/guidance/database/database.ts'
import { rebuildWords } from '../../src/guidance/full-text/complete.ts'
import {
  judge,
  keyOf,
  ratesOf,
  readJudgements,
  sumOf,
  type Figures,
} from '../../test/search/judged.ts'
import {
  hasLibrary,
  openLibrary,
  readContent,
  readLibrary,
  searchOver,
  storeOne,
  type Library,
} from '../../test/search/library.ts'
import { rounded } from './numbers.ts'
import { inWorkspace } from './workspace.ts'

const { values } = parseArgs({ options: { sizes: { type: 'string', default: '20000,100000' } } })
const sizes = values.sizes
  .split(',')
  .filter((size) => size !== '')
  .map(Number)
const judgements = readJudgements()
const OPEN = { kinds: [], severities: [], tactics: [], benchmarks: null, releases: null, page: 1 }
const sized = z.tuple([z.object({ bytes: z.coerce.number() })])
/** Letters of a query that are typed one after the other. */
const TYPED = 20
const EXAMPLES = ['password length', 'CCI-000192', 'SV-230333']

await inWorkspace(async ({ folder }) => {
  if (!hasLibrary) {
    console.log('bench:search has no data: PARAPET_CORPUS names a folder with xccdf/ and ontology/')
    return
  }
  await mkdir(folder, { recursive: true })
  const content = await readContent(join(folder, 'ontology'))
  await measureOn('SQLite', content, { dataDir: join(folder, 'sqlite'), url: null })
  const server = process.env['PARAPET_TEST_POSTGRES']
  if (server === undefined) return
  const name = `parapet_bench_${randomBytes(4).toString('hex')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await onServer(server, `create database ${name}`)
  try {
    await measureOn('PostgreSQL', content, { dataDir: join(folder, 'postgres'), url: url.href })
  } finally {
    await onServer(server, `drop database ${name} with (force)`)
  }
})

interface Place {
  readonly dataDir: string
  readonly url: string | null
}

async function measureOn(name: string, content: OntologyContent, place: Place): Promise<void> {
  const begin = performance.now()
  const library = await openLibrary(content, place)
  console.log(`\n${name}\n\nThe library is stored in ${secondsSince(begin)} s.`)
  const built = performance.now()
  await searchOver(library.database, content).prepare()
  console.log(
    `The ontology (${content.documents.length} records) is read in ${secondsSince(built)} s.`,
  )
  if (place.url === null) {
    await measureQuality(library)
    await showReasons(library)
  }
  const rows = [await measureAt('the library', library, place)]
  for (const size of sizes) {
    await grow(library.database, size)
    rows.push(await measureAt(`${size} rules`, library, place))
  }
  const searched = ['', 'rules', 'p50 ms', 'p95 ms', 'max ms', 'LIKE p50 ms', 'LIKE p95 ms']
  const suggested = ['', 'suggestions', 'p50 ms', 'p95 ms', 'max ms']
  const indexed = ['', 'rules', 'MB', 'worked out anew, s']
  const show = (title: string, head: readonly string[], part: keyof Measured): void => {
    const own = rows.map((row) => row[part])
    console.log(`\n${title}\n\n${formatTable(head, own)}`)
  }
  show('The judged queries, a page of ten each', searched, 'searched')
  show('Suggestions, at each letter of the judged queries', suggested, 'suggested')
  show('The index', indexed, 'indexed')
  await library.database.close()
}

function secondsSince(begin: number): number {
  return rounded((performance.now() - begin) / 1000, 2)
}

async function firstTen({ search }: Library, text: string): Promise<readonly string[]> {
  const { results } = await search.unified(null, { ...OPEN, text, perPage: 10 })
  return results.map(keyOf)
}

/** How well the judgements are met, beside what `LIKE` over the same texts finds. */
async function measureQuality(library: Library): Promise<void> {
  const kinds = new Map<string, { readonly own: Figures[]; readonly like: Figures[] }>()
  const all = { own: [], like: [] }
  kinds.set('all', all)
  for (const judgement of judgements) {
    const of = kinds.get(judgement.kind) ?? { own: [], like: [] }
    kinds.set(judgement.kind, of)
    const own = judge(await firstTen(library, judgement.query), judgement)
    const like = judge(await findLike(library.database, judgement.query), judgement)
    for (const figures of [of, kinds.get('all') ?? all]) {
      figures.own.push(own)
      figures.like.push(like)
    }
  }
  const rows = Array.from(kinds, ([kind, { own, like }]) => [
    ...[kind, own.length, ...ratesIn(own), ...ratesIn(like)],
  ])
  const head = [
    'queries',
    '',
    'success@3',
    'recall@10',
    'MRR',
    'LIKE: success@3',
    'recall@10',
    'MRR',
  ]
  console.log(`\nThe judgements (test/search/judgements.json)\n\n${formatTable(head, rows)}`)
}

function ratesIn(figures: readonly Figures[]): readonly (string | number)[] {
  const { successIn3, recallIn10, reciprocalRank } = ratesOf(sumOf(figures))
  return [successIn3, recallIn10, reciprocalRank].map((rate) =>
    rate === null ? '' : rounded(rate, 3),
  )
}

/** What is found without any index: the words of the query as they stand, in the order of the rows. */
async function findLike({ read }: Database, text: string): Promise<readonly string[]> {
  const pattern = `%${text.trim().toLowerCase()}%`
  const fixes = read
    .selectFrom('benchmark_fixes')
    .select('rule_id')
    .where((is) => is(is.fn<string>('lower', ['text']), 'like', pattern))
  const checks = read
    .selectFrom('benchmark_checks')
    .select('rule_id')
    .where((is) => is(is.fn<string>('lower', ['content']), 'like', pattern))
  const rows = await read
    .selectFrom('benchmark_rules as rule')
    .innerJoin('benchmarks as release', 'release.id', 'rule.benchmark_id')
    .select(['rule.rule_id', 'rule.version', 'release.kind'])
    .where((is) =>
      is.or([
        ...(['rule.rule_id', 'rule.group_id', 'rule.version', 'rule.title'] as const).map(
          (column) => is(is.fn<string>('lower', [column]), 'like', pattern),
        ),
        is(is.fn<string>('lower', ['rule.vuln_discussion']), 'like', pattern),
        is('rule.id', 'in', fixes),
        is('rule.id', 'in', checks),
      ]),
    )
    .orderBy('rule.id')
    .limit(10)
    .execute()
  return rows.map(({ rule_id, version, kind }) =>
    kind === 'srg'
      ? `requirement:${version ?? ''}`
      : `rule:${rule_id.replace(/^(SV-\d+)r\d+(?:_rule)?$/, '$1')}`,
  )
}

async function showReasons({ search }: Library): Promise<void> {
  console.log('\nReasons')
  for (const text of EXAMPLES) {
    const { results } = await search.unified(null, { ...OPEN, text, perPage: 10 })
    console.log(`\n${text}`)
    for (const { kind, id, label, matched, links } of results.slice(0, 6)) {
      const why = links[0]?.sentence ?? ''
      console.log(`  ${kind} ${id ?? ''} ${label.slice(0, 70)} [${matched.by}] ${why}`)
    }
  }
}

type Row = readonly (string | number)[]

interface Measured {
  readonly searched: Row
  readonly suggested: Row
  readonly indexed: Row
}

async function measureAt(name: string, library: Library, place: Place): Promise<Measured> {
  const begin = performance.now()
  const rules = await rebuildWords(library.database)
  const took = secondsSince(begin)
  // PostgreSQL does so by itself within a minute of so many new rows.
  if (place.url !== null) await onServer(place.url, 'vacuum analyze')
  const queries = judgements.map(({ query }) => query)
  for (const query of queries) await firstTen(library, query)
  const own = await timesOf((query) => firstTen(library, query), queries)
  const some = queries.filter((_, index) => index % 10 === 0)
  const like = await timesOf((query) => findLike(library.database, query), some)
  const letters = queries.flatMap((query) =>
    Array.from({ length: Math.min(query.length, TYPED) }, (_, index) => query.slice(0, index + 1)),
  )
  const typed = await timesOf((text) => library.search.suggest(null, text, 10), letters)
  const plain = [percentile(like, 0.5), percentile(like, 0.95)].map((ms) => rounded(ms, 1))
  return {
    searched: [name, rules, ...summary(own), ...plain],
    suggested: [name, typed.length, ...summary(typed)],
    indexed: [name, rules, rounded((await indexBytes(place)) / 1e6, 1), took],
  }
}

function summary(times: readonly number[]): readonly number[] {
  const figures = [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)]
  return figures.map((ms) => rounded(ms, 1))
}

async function timesOf(
  find: (query: string) => Promise<unknown>,
  asked: readonly string[],
): Promise<readonly number[]> {
  const times: number[] = []
  for (const query of asked) {
    const begin = performance.now()
    await find(query)
    times.push(performance.now() - begin)
  }
  return times
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Copies of the library under other ids, until there are so many rules. */
async function grow(database: Database, size: number): Promise<void> {
  const count = async (): Promise<number> => {
    const { rules } = await database.read
      .selectFrom('benchmark_rules')
      .select((is) => is.fn.countAll<number>().as('rules'))
      .executeTakeFirstOrThrow()
    return rules
  }
  while ((await count()) < size) {
    const mark = randomBytes(3).toString('hex')
    for (const { read, source } of readLibrary()) {
      await storeOne(database, copyOf(read, mark), source)
      if ((await count()) >= size) return
    }
  }
}

function copyOf({ benchmark, ...rest }: ReadBenchmark, mark: string): ReadBenchmark {
  const rules = benchmark.rules.map((rule) => ({ ...rule, ruleId: `${mark}_${rule.ruleId}` }))
  const benchmarkId = `${benchmark.benchmarkId}_${mark}`
  return { ...rest, benchmark: { ...benchmark, benchmarkId, rules } }
}

async function indexBytes({ dataDir, url }: Place): Promise<number> {
  if (url !== null) {
    const { rows } = await onServer(
      url,
      "select pg_total_relation_size('benchmark_rule_words') as bytes",
    )
    return sized.parse(rows)[0].bytes
  }
  const database = new Sqlite(join(dataDir, 'parapet.db'), { readonly: true })
  try {
    const statement = 'select sum(length(block)) as bytes from benchmark_rule_words_data'
    return sized.parse(database.prepare(statement).all())[0].bytes
  } finally {
    database.close()
  }
}

async function onServer(url: string, statement: string): Promise<{ readonly rows: unknown[] }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(statement)
    return { rows }
  } finally {
    await client.end()
  }
}
