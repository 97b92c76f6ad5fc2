import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { SharedWork } from '../../../../platform/concurrency/shared-work.ts'
import { WorkQueue } from '../../../../platform/concurrency/work-queue.ts'
import { releaseDocuments } from '../publish/documents.ts'
import type { PlannedRelease } from '../publish/plan.ts'
import type { DocumentSources } from '../publish/sources.ts'
import { hashAll, hashDocument, releaseHashes } from './hashes.ts'
import type { releaseHashesSchema } from './schemas.ts'

type ReleaseHashes = z.infer<typeof releaseHashesSchema>

/** Hashes of a release with 450 rules take 100 kB. */
const MAX_CACHED = 50
/** Releases whose hashes are being made or wait for it; each takes about a second. */
const MAX_WAITING = 8

/** Makes the hashes of releases, one release at a time, and keeps them: all documents of a release are made for it. */
export class HashCache {
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

/** All that the documents of a release depend on. */
function keyOf({ release, newest, from }: PlannedRelease, { links, cciList }: DocumentSources): string {
  return JSON.stringify([release, newest, from, links?.version, links?.digest, cciList?.version, cciList?.digest])
}
