import { LRUCache } from 'lru-cache'
import type { Reader } from '../../../database/transaction.ts'
import {
  findBenchmark,
  findFile,
  findWarnings,
  type StoredBenchmark,
  type StoredRule,
} from '../../benchmarks/reader.ts'
import type { Release } from '../../benchmarks/releases.ts'
import { findRequirement } from '../../benchmarks/requirement-endpoint.ts'
import {
  benchmarkAddress,
  changesAddress,
  FEED_ADDRESS,
  fileAddress,
  HASHES_ADDRESS,
  hashesAddress,
  LIST_ADDRESS,
  releaseAddress,
  requirementAddress,
  ruleAddress,
  ruleListAddress,
} from '../addresses.ts'
import { type Changes, changesBetween, changesTable } from '../changes/changes.ts'
import { readRuleDetail, shapeList } from '../documents.ts'
import { benchmarkFeed } from '../feed/feed.ts'
import { FILE_FORMS, MADE_FILES } from '../files/release-files.ts'
import type { Product } from '../find.ts'
import { catalogueHashes, hashAll, releaseHashes } from '../hashes/hashes.ts'
import { readRuleList } from '../rule-list.ts'
import { shapeBenchmark, shapeWhole } from '../shape.ts'
import { type CatalogueDocument, json, wholeBody } from './document.ts'
import { findRequirementIds, listPages, releasePages } from './pages.ts'
import { type PlannedRelease, planProducts, planReleases } from './plan.ts'
import { referenceDocuments } from './reference-documents.ts'
import type { DocumentSources } from './sources.ts'

/** Changes compare two releases, so no more are in memory at a time. */
const MAX_HELD_RELEASES = 2

interface ReadRelease {
  readonly benchmark: StoredBenchmark
  readonly rules: ReadonlyMap<string, StoredRule>
}

/** Yields all documents of the open catalogue, in the order that needs the fewest reads. */
export async function* catalogueDocuments(
  products: readonly Product[],
  sources: DocumentSources,
): AsyncGenerator<CatalogueDocument, void> {
  yield* listDocuments(products, sources)
  yield* requirementDocuments(sources)
  yield* referenceDocuments(sources)
  const planned = planReleases(products)
  const read = new ReadReleases(sources.reader)
  for (const release of planned) {
    yield* releaseDocuments(release, sources, read)
    if (sources.pageAt !== undefined)
      yield* releasePages(release, await findRuleIds(sources.reader, release.release.id), sources.pageAt)
    yield json(hashesAddress(release.release), async (hashOf) =>
      releaseHashes(release, sources, await hashAll(releaseDocuments(release, sources, read), hashOf)),
    )
  }
  yield json(HASHES_ADDRESS, async (hashOf) =>
    catalogueHashes(planned, sources, await hashAll(listDocuments(products, sources), hashOf)),
  )
}

/** The rules for each requirement, and the pages that are about several releases. */
async function* requirementDocuments({
  reader,
  releases,
  pageAt,
}: DocumentSources): AsyncGenerator<CatalogueDocument, void> {
  const ids = await findRequirementIds(reader, releases)
  for (const id of ids) yield json(requirementAddress(id), () => findRequirement(reader, id))
  if (pageAt !== undefined) yield* listPages(ids, pageAt)
}

/** The documents that are about several releases. */
export function* listDocuments(
  products: readonly Product[],
  { releases, baseUrl }: DocumentSources,
): Generator<CatalogueDocument, void> {
  yield json(LIST_ADDRESS, () => shapeList(products, 'title'))
  yield { url: FEED_ADDRESS, write: () => Promise.resolve(benchmarkFeed(releases, baseUrl)) }
  for (const product of planProducts(products))
    yield json(benchmarkAddress(product.newest.line), () => shapeBenchmark(product.newest, product.releases))
}

/** The documents of one release, without their hashes. */
export async function* releaseDocuments(
  planned: PlannedRelease,
  sources: DocumentSources,
  read = new ReadReleases(sources.reader),
): AsyncGenerator<CatalogueDocument, void> {
  const { release, newest, from } = planned
  const { reader } = sources
  yield json(releaseAddress(release), async () =>
    shapeWhole({
      release,
      newest,
      benchmark: await read.benchmark(release),
      warnings: await findWarnings(reader, release.id),
    }),
  )
  yield json(ruleListAddress(release), () => readRuleList(reader, { release, newest }))
  yield { url: fileAddress(release, 'xml'), write: () => findFile(reader, release.id) }
  for (const ending of MADE_FILES)
    yield {
      url: fileAddress(release, ending),
      write: async () => wholeBody(FILE_FORMS[ending].write(await read.benchmark(release))),
    }
  for (const ruleId of await findRuleIds(reader, release.id))
    yield json(ruleAddress(release, ruleId), async () =>
      readRuleDetail({ release, newest }, await read.rule(release, ruleId), sources),
    )
  if (from !== null) yield* changeDocuments(from, release, read)
}

function* changeDocuments(from: Release, to: Release, read: ReadReleases): Generator<CatalogueDocument, void> {
  let changes: Promise<Changes> | null = null
  const compared = (): Promise<Changes> => (changes ??= compare(from, to, read))
  yield json(changesAddress(from, to, 'json'), compared)
  yield {
    url: changesAddress(from, to, 'csv'),
    write: async () => wholeBody(changesTable(await compared()).body),
  }
}

async function compare(from: Release, to: Release, read: ReadReleases): Promise<Changes> {
  const older = await read.benchmark(from)
  const newer = await read.benchmark(to)
  return changesBetween({ release: from, rules: older.rules }, { release: to, rules: newer.rules })
}

/** Finds the ids of the rules. If several rules have the same id, it stands for the first one. */
async function findRuleIds(reader: Reader, id: number): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom('benchmark_rules')
    .select('rule_id')
    .where('benchmark_id', '=', id)
    .orderBy('position')
    .execute()
  return new Set(rows.map(({ rule_id }) => rule_id))
}

/** Reads releases whole, and keeps the last two. */
class ReadReleases {
  readonly #reader: Reader
  readonly #held = new LRUCache<number, ReadRelease>({ max: MAX_HELD_RELEASES })

  constructor(reader: Reader) {
    this.#reader = reader
  }

  async benchmark(release: Release): Promise<StoredBenchmark> {
    return (await this.#read(release)).benchmark
  }

  /** The first rule that has an id. */
  async rule(release: Release, ruleId: string): Promise<StoredRule> {
    const rule = (await this.#read(release)).rules.get(ruleId)
    if (rule === undefined) throw new Error(`${release.benchmarkId} ${release.version} has no rule ${ruleId}`)
    return rule
  }

  async #read({ id }: Release): Promise<ReadRelease> {
    const cached = this.#held.get(id)
    if (cached !== undefined) return cached
    const benchmark = await findBenchmark(this.#reader, id)
    // Reversed, so that the first rule with an id stays in the map.
    const rules = new Map(benchmark.rules.toReversed().map((rule) => [rule.ruleId, rule]))
    const read = { benchmark, rules }
    this.#held.set(id, read)
    return read
  }
}
