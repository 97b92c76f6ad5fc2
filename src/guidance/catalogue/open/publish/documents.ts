import type { Document } from '../../../../http/answer/answers.ts'
import { encodeJson } from '../../../../http/answer/json.ts'
import { nextTurn } from '../../../../platform/concurrency/turns.ts'
import type { Reader } from '../../../database/transaction.ts'
import { findBenchmark, findFile, findWarnings, type StoredBenchmark } from '../../benchmarks/reader.ts'
import type { Release } from '../../benchmarks/releases.ts'
import type { ControlLinks } from '../../linked-data/countermeasures/control-links.ts'
import {
  benchmarkAddress,
  changesAddress,
  FEED_ADDRESS,
  fileAddress,
  LIST_ADDRESS,
  releaseAddress,
  ruleAddress,
} from '../addresses.ts'
import { changesBetween, changesTable } from '../changes.ts'
import { rulesTable, shapeList, shapeRuleDetail } from '../documents.ts'
import { benchmarkFeed } from '../feed.ts'
import { productsOf } from '../find.ts'
import { shapeBenchmark, shapeWhole } from '../shape.ts'
import { planProducts, planReleases, type PlannedRelease } from './plan.ts'

/** The content of a document, by its address. */
export interface PublishedDocument {
  readonly url: string
  readonly body: string | Uint8Array
}

export interface DocumentSources {
  readonly reader: Reader
  /** As `listReleases` gives them. */
  readonly releases: readonly Release[]
  /** Null while there is no release of the ontology. */
  readonly links: ControlLinks | null
  /** Base URL of the published files, without a final slash. */
  readonly baseUrl: string
}

/** All documents of the open catalogue. No more than two releases are held at a time: changes are between two. */
export async function* catalogueDocuments(sources: DocumentSources): AsyncGenerator<PublishedDocument, void> {
  const { releases, baseUrl, reader } = sources
  const products = productsOf(releases)
  yield { url: LIST_ADDRESS, body: await jsonOf(shapeList(products, 'title')) }
  yield { url: FEED_ADDRESS, body: benchmarkFeed(releases, baseUrl) }
  for (const { newest, releases: own } of planProducts(products))
    yield { url: benchmarkAddress(newest.line), body: await jsonOf(shapeBenchmark(newest, own)) }
  let last: StoredBenchmark | null = null
  for (const planned of planReleases(products)) {
    const benchmark: StoredBenchmark = await findBenchmark(reader, planned.release.id)
    yield* releaseDocuments(planned, benchmark, sources)
    if (planned.from !== null) {
      const { from } = planned
      const older = [last, benchmark].find((one) => one?.id === from.id) ?? (await findBenchmark(reader, from.id))
      yield* changeDocuments(planned.release, { from, older, benchmark })
    }
    last = benchmark
  }
}

async function* releaseDocuments(
  { release, newest }: PlannedRelease,
  benchmark: StoredBenchmark,
  { reader, links }: DocumentSources,
): AsyncGenerator<PublishedDocument, void> {
  const warnings = await findWarnings(reader, release.id)
  const detail = shapeWhole({ release, newest, benchmark, warnings })
  yield { url: releaseAddress(release), body: await jsonOf(detail) }
  yield { url: fileAddress(release, 'xml'), body: await findFile(reader, release.id) }
  yield { url: fileAddress(release, 'csv'), body: rulesTable(benchmark) }
  const known = new Set<string>()
  for (const rule of benchmark.rules) {
    // An id leads to the first rule that has it.
    if (known.has(rule.ruleId)) continue
    known.add(rule.ruleId)
    const body = await jsonOf(shapeRuleDetail({ release, newest }, rule, links))
    yield { url: ruleAddress(release, rule.ruleId), body }
    await nextTurn()
  }
}

interface ComparedReleases {
  readonly from: Release
  readonly older: StoredBenchmark
  readonly benchmark: StoredBenchmark
}

async function* changeDocuments(
  to: Release,
  { from, older, benchmark }: ComparedReleases,
): AsyncGenerator<PublishedDocument, void> {
  const changes = await changesBetween({ release: from, rules: older.rules }, { release: to, rules: benchmark.rules })
  yield { url: changesAddress(from, to, 'json'), body: await jsonOf(changes) }
  yield { url: changesAddress(from, to, 'csv'), body: await whole(changesTable(changes).body) }
}

async function jsonOf(value: unknown): Promise<string | Uint8Array> {
  return whole(encodeJson(value))
}

/** Joins the pieces in which HTTP sends a long document. */
async function whole(body: Document['body']): Promise<string | Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}
