import type { FindSources } from '../../contracts/coverage.ts'
import type { DescribedRecord } from '../../contracts/described.ts'
import type { PublicGraphs } from '../../contracts/graphs.ts'
import type { FindCitingSources } from '../../contracts/list-coverage.ts'
import type { OntologyLookup } from '../../contracts/lookup.ts'
import type { RelatedSearch } from '../../contracts/related.ts'
import type { ReleaseAdministration } from '../../contracts/releases.ts'
import type { SearchFeedSource, SearchSources } from '../../contracts/search-feed.ts'
import type { BenchmarkNames, Search } from '../../contracts/search.ts'
import type { OntologyControls, OntologyRelations, OntologyReleases } from '../../contracts/sources.ts'
import type { Caller } from '../../http/caller.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { UploadFolder } from '../../http/upload.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Figure } from '../../platform/figures.ts'
import { ALONE, type ProcessPosition } from '../../platform/processes/process-position.ts'
import { probeFolder } from '../../platform/storage-watch.ts'
import { describeRecord } from '../catalogue/linked-data/resources/describe-record.ts'
import { hasRecord } from '../catalogue/linked-data/resources/has-record.ts'
import { pageOfResource } from '../catalogue/linked-data/resources/page-of.ts'
import { FEED_ADDRESS } from '../catalogue/open/addresses.ts'
import { findCitingSources } from '../coverage/citing-sources.ts'
import { findSources } from '../coverage/sources.ts'
import { databaseAddress } from '../database/database.ts'
import type { IdentityParts } from '../identity/parts.ts'
import { prepareFirstAdmin, type FirstSteps } from '../instance/setup.ts'
import { searchFeedSource } from '../search-feed/feed-source.ts'
import { searchSources } from '../search-feed/search-sources.ts'
import { benchmarkNames } from '../search/benchmark-names.ts'
import { openBackground } from './background.ts'
import { listEndpoints } from './endpoints.ts'
import { guidanceFigures } from './figures.ts'
import { openParts, type PartOptions } from './parts.ts'

interface OntologyFeatures extends Pick<OntologyRelations, 'defenses'> {
  readonly releases: ReleaseAdministration
  readonly related: RelatedSearch
  readonly stored: OntologyReleases
}

/** The functions of guidance that search and coverage use. */
export interface GuidanceSources {
  readonly search: Search<Caller | null>
  readonly benchmarks: BenchmarkNames
  readonly findSources: FindSources<Caller | null>
  readonly findCitingSources: FindCitingSources
}

interface GuidanceOptions extends PartOptions {
  /** Default: the only process. */
  readonly position?: ProcessPosition
  /** The functions of the ontology; null without an ontology. */
  readonly ontology: (OntologyControls & OntologyLookup & OntologyFeatures) | null
  /** Makes the search across both services from guidance's documents. */
  readonly search: (sources: Omit<SearchSources<Caller | null>, 'ontology'>) => Search<Caller | null>
  /** Makes the endpoints of the services that answer from guidance's documents and share its accounts. */
  readonly endpoints: (sources: GuidanceSources) => readonly Endpoint[]
  /** Settles when the ontology is open. With it, the search index is read at once; without it, on the first request. */
  readonly opened?: Promise<unknown>
}

/** The guidance service: its parts, endpoints and background work. */
export interface GuidanceService extends IdentityParts {
  /** Whether the service is reached over https. */
  readonly secure: boolean
  /** Name of the session cookie. */
  readonly cookie: string
  readonly endpoints: readonly Endpoint[]
  /** The search index reads guidance from this feed. */
  readonly searchFeed: SearchFeedSource
  /** The public graphs of the catalogue. */
  readonly publicGraphs: PublicGraphs
  readonly search: Search<Caller | null>
  /** Whether there is a public record at a path. */
  hasRecord(path: string): Promise<boolean>
  /** The record whose page is at a path; null if there is no public one. */
  describeRecord(path: string): Promise<DescribedRecord | null>
  /** Path of the feed of the catalogue; null if the catalogue is not public. */
  readonly feed: string | null
  /** The path of the page of the resource whose IRI has this path; null if there is none. */
  pageOf(path: string): Promise<string | null>
  readonly figures: readonly Figure[]
  /** Null when there is a site administrator. */
  readonly firstSteps: FirstSteps | null
  readonly uploads: UploadFolder
  /** Resolves if the database answers and can be written; else rejects with a refusal that has the reason. */
  checkReady(): Promise<void>
  /** Fills the graph of a large catalogue, so that the first query does not wait for it; never rejects. */
  fillGraph(): Promise<void>
  /** Reads the search index, with the ontology once that is open; never rejects. */
  prepareSearch(): Promise<void>
  /** Ends the event streams, so that their clients connect to another process. */
  drain(): void
  close(): Promise<void>
}

/** Opens and migrates the database, and prepares the first administrator if there is none. */
export async function openGuidance(options: GuidanceOptions): Promise<GuidanceService> {
  const parts = await openParts(options)
  const background = openBackground(parts, options)
  const searchFeed = createSearchFeed(options)
  const search = openSearch(parts, options, searchFeed)
  const { opened } = options
  const prepared = opened === undefined ? null : prepareSearch(parts, search, opened)
  try {
    const { isFirst } = options.position ?? ALONE
    const firstSteps = isFirst ? await prepareFirstAdmin(parts, options.secrets.admin) : null
    await background.start()
    const secure = options.baseUrl.startsWith('https:')
    return {
      ...parts,
      secure,
      // With this prefix, browsers send the cookie only to this host and over https.
      cookie: secure ? '__Host-parapet' : 'parapet',
      endpoints: listEndpoints(parts, {
        ...background,
        search,
        ...ontologyParts(options),
        others: otherEndpoints(parts, options, search),
      }),
      uploads: background.uploads,
      search,
      searchFeed,
      firstSteps,
      figures: guidanceFigures({ ...parts, ...background, search, dataDir: options.dataDir }),
      publicGraphs: background.publicGraphs,
      hasRecord: (path) => hasRecord(parts, path),
      describeRecord: (path) => describeRecord(parts, path),
      feed: parts.settings.cataloguePublic ? FEED_ADDRESS : null,
      pageOf: async (path) => (parts.settings.cataloguePublic ? pageOfResource(parts.database.read, path) : null),
      checkReady: () => checkReady(parts, options.dataDir, search),
      fillGraph: background.fillGraph,
      prepareSearch: () => prepared ?? prepareSearch(parts, search, Promise.resolve()),
      drain: () => {
        background.streams.drain()
      },
      close: async () => {
        await search.close()
        await background.close()
      },
    }
  } catch (error) {
    await search.close()
    await background.close()
    throw error
  }
}

function ontologyParts({ ontology }: GuidanceOptions) {
  return {
    lookup: ontology,
    attacks: ontology,
    related: ontology?.related ?? null,
    releases: ontology?.releases ?? null,
  }
}

function otherEndpoints(
  { database }: IdentityParts,
  { endpoints }: GuidanceOptions,
  search: Search<Caller | null>,
): readonly Endpoint[] {
  return endpoints({
    search,
    benchmarks: benchmarkNames(database),
    findSources: (caller, names) => findSources(database.read, caller, names),
    findCitingSources: (ccis) => findCitingSources(database.read, ccis),
  })
}

function createSearchFeed({ secrets, dataDir, baseUrl }: GuidanceOptions): SearchFeedSource {
  return searchFeedSource({ place: databaseAddress(secrets.databaseUrl, dataDir), baseUrl })
}

function openSearch(
  { database, log }: IdentityParts,
  { search, dataDir, position = ALONE }: GuidanceOptions,
  feed: SearchFeedSource,
): Search<Caller | null> {
  return search(searchSources({ database, log, dataDir, feed, writesDump: position.number === 1 }))
}

async function prepareSearch(
  { log }: IdentityParts,
  search: Search<Caller | null>,
  opened: Promise<unknown>,
): Promise<void> {
  try {
    await search.prepare(opened)
  } catch (error) {
    log.error({ err: error }, 'The search cannot read its records')
  }
}

async function checkReady(
  { database, storage, log }: IdentityParts,
  dataDir: string,
  search: Pick<Search<Caller | null>, 'isPreparing'>,
): Promise<void> {
  try {
    await database.read.selectFrom('users').select('id').limit(1).execute()
  } catch (error) {
    log.warn({ err: error }, 'The database does not answer')
    throw new Refusal('database_unavailable', 'The database does not answer.')
  }
  await storage.check([() => probeFolder(dataDir), () => database.probe()])
  if (search.isPreparing) throw new Refusal('search_not_ready', 'The search index is still being built.')
}
