import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { NO_INPUT, notFound } from '../../../../http/input.ts'
import type { Parts } from '../../../parts/parts.ts'
import { listReleases } from '../../benchmarks/releases.ts'
import type { OntologyLinks } from '../../linked-data/countermeasures/ontology-links.ts'
import { HASHES_ADDRESS } from '../addresses.ts'
import { findRelease, productsOf } from '../find.ts'
import { COMMON_PARTS, releaseParams } from '../input.ts'
import { listDocuments } from '../publish/documents.ts'
import { planReleases } from '../publish/plan.ts'
import type { DocumentSources } from '../publish/sources.ts'
import { findCciList } from '../rule-ccis.ts'
import { HashCache } from './hash-cache.ts'
import { catalogueHashes, hashAll, hashDocument } from './hashes.ts'
import { catalogueHashesSchema, releaseHashesSchema } from './schemas.ts'

interface HashParts extends Parts {
  readonly links: OntologyLinks
}

/** Size and SHA-256 of every document, for those who keep a copy of the catalogue. */
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
      const planned = planReleases(productsOf(sources.releases)).find((one) => one.release.id === release.id)
      // It was removed meanwhile, or its address leads to another product.
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
