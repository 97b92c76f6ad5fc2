import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { nextTurn } from '../../../../platform/concurrency/turns.ts'
import type { ontologySchema } from '../../linked-data/countermeasures/links.ts'
import { hashesAddress } from '../addresses.ts'
import type { LinkSources } from '../documents.ts'
import type { CatalogueDocument, HashOf } from '../publish/document.ts'
import type { PlannedRelease } from '../publish/plan.ts'
import type { catalogueHashesSchema, Hash, releaseHashesSchema } from './schemas.ts'

/** Generates a document as it is sent, and hashes it. */
export async function hashDocument({ write }: CatalogueDocument): Promise<Hash> {
  await nextTurn()
  return hashContent(Buffer.from(await write(hashDocument)))
}

export function hashContent(content: Buffer): Hash {
  return { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

/** The hashes of the documents of one release. */
export function releaseHashes(
  { release: { benchmarkId, version, digest } }: PlannedRelease,
  sources: LinkSources,
  records: Readonly<Record<string, Hash>>,
): z.infer<typeof releaseHashesSchema> {
  return { benchmark_id: benchmarkId, version, digest, ...linkedTo(sources), records }
}

/** The hashes of the documents about all releases, and the addresses of the hashes of each release. */
export function catalogueHashes(
  planned: readonly PlannedRelease[],
  sources: LinkSources,
  records: Readonly<Record<string, Hash>>,
): z.infer<typeof catalogueHashesSchema> {
  const releases = planned.map(({ release }) => {
    const { benchmarkId, version, digest } = release
    return { benchmark_id: benchmarkId, version, digest, hashes: hashesAddress(release) }
  })
  return { ...linkedTo(sources), records, releases }
}

/** Hashes of documents by their addresses. */
export async function hashAll(
  documents: Iterable<CatalogueDocument> | AsyncIterable<CatalogueDocument>,
  hashOf: HashOf,
): Promise<Readonly<Record<string, Hash>>> {
  const records: Record<string, Hash> = {}
  for await (const document of documents) records[document.url] = await hashOf(document)
  return records
}

type Versioned = z.infer<typeof ontologySchema> | null

function linkedTo({ links, cciList }: LinkSources): { ontology: Versioned; cci_list: Versioned } {
  return {
    ontology: links && { version: links.version, digest: links.digest },
    cci_list: cciList && { version: cciList.version, digest: cciList.digest },
  }
}
