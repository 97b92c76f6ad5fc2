import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Search } from '../../src/contracts/search.ts'
import type { OntologyContent } from '../../src/contracts/sources.ts'
import { ABBREVIATIONS } from '../../src/guidance/catalogue/abbreviations/abbreviations.ts'
import { nistControlNames, nistControls } from '../../src/guidance/catalogue/benchmarks/nist-controls.ts'
import { storeBenchmark } from '../../src/guidance/catalogue/benchmarks/writer.ts'
import { importReferenceData } from '../../src/guidance/catalogue/reference-data/importing/import-reference.ts'
import { ReferenceReader } from '../../src/guidance/catalogue/reference-data/importing/reference-thread.ts'
import { packBenchmark } from '../../src/guidance/catalogue/uploads/packed.ts'
import type { ReadBenchmark, Rule } from '../../src/guidance/catalogue/xccdf/benchmark.ts'
import { readBenchmarks } from '../../src/guidance/catalogue/xccdf/reader.ts'
import { openDatabase, databaseAddress, type Database } from '../../src/guidance/database/database.ts'
import { searchFeedSource } from '../../src/guidance/search-feed/feed-source.ts'
import { SYSTEM, type Caller } from '../../src/http/caller.ts'
import { findContent } from '../../src/ontology/documents/documents.ts'
import { ReleaseFolder } from '../../src/ontology/index.ts'
import { openRelease } from '../../src/ontology/release/release.ts'
import { Refusal } from '../../src/platform/errors.ts'
import { createLog } from '../../src/platform/log.ts'
import { createSearch } from '../../src/search/search.ts'
import { CORPUS } from '../support/corpus.ts'
import { ingestInto } from '../support/service.ts'

const ONTOLOGY = join(CORPUS, 'ontology/d3fend-0.17.0.ttl')
const XCCDF = join(CORPUS, 'xccdf')
const REFERENCE = join(CORPUS, 'reference-data')

/** Whether there is a library of published files: `PARAPET_CORPUS` says where it would be. */
export const hasLibrary = existsSync(ONTOLOGY) && existsSync(XCCDF)

/** Reads the content of D3FEND 0.17.0, or of another file; the folder keeps the ingested release. */
export async function readContent(folder: string, file = ONTOLOGY): Promise<OntologyContent> {
  await ingestInto(folder, [file])
  const releases = new ReleaseFolder(folder)
  const manifest = await releases.manifest((await releases.active()) ?? '')
  if (manifest === null) throw new Error('Nothing was ingested')
  return findContent(await openRelease(releases, manifest))
}

/** The benchmarks of all files that are SRGs or STIGs, in the order of their names. */
export function* readLibrary(): Generator<{ readonly read: ReadBenchmark; readonly source: Uint8Array }> {
  for (const name of readdirSync(XCCDF).sort()) {
    if (!name.endsWith('.xml')) continue
    const source = new Uint8Array(readFileSync(join(XCCDF, name)))
    for (const read of benchmarksIn(source)) yield { read, source }
  }
}

function benchmarksIn(source: Uint8Array): readonly ReadBenchmark[] {
  try {
    return readBenchmarks(() => [source], {})
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** A SQLite file in a folder, or a PostgreSQL server. */
export interface LibraryPlace {
  readonly dataDir: string
  readonly url: string | null
}

/** A database with the whole library, and the search over it. */
export interface Library {
  readonly database: Database
  readonly search: Search<Caller | null>
}

export async function openLibrary(content: OntologyContent, { dataDir, url }: LibraryPlace): Promise<Library> {
  const database = await openDatabase({ url, dataDir, log: createLog('error') })
  for (const { read, source } of readLibrary()) await storeOne(database, read, source)
  return { database, search: searchOver(content, { url, dataDir }) }
}

/** Stores the reference data of all files: the CCI list, SP 800-53, ATT&CK. */
export async function storeReferenceFiles(database: Database): Promise<void> {
  if (!existsSync(REFERENCE)) return
  const reader = new ReferenceReader()
  for (const name of readdirSync(REFERENCE).filter((file) => file.endsWith('.gz')))
    await reader.read(join(REFERENCE, name), {}, (received) =>
      database.transact((writer) => importReferenceData(writer, received, SYSTEM)),
    )
  await reader.close()
}

/** One that is there already is left as it is. */
export async function storeOne(database: Database, read: ReadBenchmark, source: Uint8Array): Promise<void> {
  const packed = await packBenchmark(read, [source])
  const rules = (from: number, to: number): Promise<readonly Rule[]> =>
    Promise.resolve(read.benchmark.rules.slice(from, to))
  try {
    await database.transact((writer) => storeBenchmark(writer, { ...packed, rules }, { replace: false, actor: SYSTEM }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** The modules of the search, from the sources or from a build. */
export interface SearchModules {
  readonly createSearch: typeof createSearch
  readonly searchFeedSource: typeof searchFeedSource
}

interface HowToSearch {
  readonly dumpFile?: string | null
  readonly modules?: SearchModules
}

/** A search as an anonymous caller uses it; close it. */
export function searchOver(
  content: OntologyContent,
  { dataDir, url }: LibraryPlace,
  { dumpFile = null, modules = { createSearch, searchFeedSource } }: HowToSearch = {},
): Search<Caller | null> {
  const { version, digest } = content
  return modules.createSearch({
    ontology: {
      current: () => ({ version, digest }),
      content: () => Promise.resolve(content),
      defenses: () => Promise.resolve([]),
    },
    feed: modules.searchFeedSource(feedDataOf({ url, dataDir })),
    readableComponents: () => Promise.resolve([]),
    controls: nistControls(),
    controlNames: nistControlNames(),
    abbreviations: ABBREVIATIONS,
    log: createLog('error'),
    dumpFile,
  })
}

export function feedDataOf({ url, dataDir }: LibraryPlace): Parameters<typeof searchFeedSource>[0] {
  return { place: databaseAddress(url, dataDir), baseUrl: 'http://localhost:3000' }
}
