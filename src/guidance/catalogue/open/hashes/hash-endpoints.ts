import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { NO_INPUT, notFound } from '../../../../http/input.ts'
import { SharedWork } from '../../../../platform/concurrency/shared-work.ts'
import { WorkQueue } from '../../../../platform/concurrency/work-queue.ts'
import type { Parts } from '../../../parts/parts.ts'
import { listReleases } from '../../benchmarks/releases.ts'
import type { OntologyLinks } from '../../linked-data/countermeasures/ontology-links.ts'
import { HASHES_ADDRESS } from '../addresses.ts'
import { findRelease, productsOf } from '../find.ts'
import { COMMON_PARTS, releaseParams } from '../input.ts'
import { listDocuments, releaseDocuments } from '../publish/documents.ts'
import { type PlannedRelease, planReleases } from '../publish/plan.ts'
import type { DocumentSources } from '../publish/sources.ts'
import { findCciList } from '../rule-ccis.ts'
import { catalogueHashes, hashAll, hashDocument, releaseHashes } from './hashes.ts'
import { catalogueHashesSchema, releaseHashesSchema } from './schemas.ts'

type ReleaseHashes = z.infer<typeof releaseHashesSchema>

/** Limit of releases with cached hashes: those of a release with 450 rules take 100 kB. */
const MAX_CACHED = 50

/** Limit of releases whose hashes are requested but not ready; each takes about a second. */
const MAX_WAITING = 8

interface HashParts extends Parts {
  readonly links: OntologyLinks
}

/** Size and SHA-256 of every document, for copies of the catalogue. */
export function hashEndpoints(parts: HashParts): readonly Endpoint[] {
  return [ofCatalogue(parts), ofRelease(parts)]
}

function ofCatalogue(parts: HashParts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: HASHES_ADDRESS,
    operation: 'getCatalogueHashes',
    summary: 'Size and SHA-256 of the lists of the catalogue, the digest of each release, and where its hashes are',
    input: NO_INPUT,
    answer: catalogueHashesSchema,
    refusals: [],
    handle: async () => {
      const sources = await sourcesOf(parts)
      const products = productsOf(sources.releases)
      const records = await hashAll(listDocuments(products, sources), hashDocument)
      return catalogueHashes(planReleases(products), sources, records)
    },
  })
}

function ofRelease(parts: HashParts): Endpoint {
  const cache = new HashCache()
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/benchmarks/{benchmark_id}/{version}/hashes.json',
    operation: 'getCatalogueReleaseHashes',
    summary: 'Size and SHA-256 of every document of a release: its files, its rules, and its changes',
    input: z.object({ params: releaseParams }),
    answer: releaseHashesSchema,
    refusals: ['not_found', 'overloaded'],
    handle: async ({ input: { params } }) => {
      const { release } = await findRelease(parts.database.read, params.benchmark_id, params.version)
      const sources = await sourcesOf(parts)
      const planned = planReleases(productsOf(sources.releases)).find(
        (candidate) => candidate.release.id === release.id,
      )
      // The release was removed meanwhile, or its address leads to another product.
      if (planned === undefined) throw notFound()
      return cache.of(planned, sources)
    },
  })
}

async function sourcesOf({ database: { read: reader }, links, baseUrl }: HashParts): Promise<DocumentSources> {
  const cciList = await findCciList(reader)
  const releases = await listReleases(reader)
  return { reader, releases, links: await links.current(), attacks: null, cciList, baseUrl }
}

/**
 * Computes and caches the hashes of releases, one release at a time, because all documents of a release must be
 * generated.
 */
class HashCache {
  readonly #cached = new LRUCache<string, ReleaseHashes>({ max: MAX_CACHED })
  readonly #making = new SharedWork<ReleaseHashes>()
  readonly #queue = new WorkQueue({
    tasks: MAX_WAITING,
    refusal: `Hashes of ${MAX_WAITING} releases are already being computed. Try again.`,
  })

  async of(planned: PlannedRelease, sources: DocumentSources): Promise<ReleaseHashes> {
    const key = keyOf(planned, sources)
    const cached = this.#cached.get(key)
    if (cached !== undefined) return cached
    return this.#making.run(key, async () => {
      const records = await this.#queue.run(() => hashAll(releaseDocuments(planned, sources), hashDocument))
      const hashes = releaseHashes(planned, sources, records)
      this.#cached.set(key, hashes)
      return hashes
    })
  }
}

/** Names everything that the documents of a release depend on. */
function keyOf({ release, newest, from }: PlannedRelease, { links, cciList }: DocumentSources): string {
  return JSON.stringify([release, newest, from, links?.version, links?.digest, cciList?.version, cciList?.digest])
}
