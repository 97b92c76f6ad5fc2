import type { OntologyService } from '../service.ts'
import type { Counter } from './counters.ts'
import type { Defense } from './defenses.ts'
import type { OntologyContent } from './documents.ts'

/** Ways that are told at most; whoever wants to know whether there are more asks for one more. */
const MOST_WAYS = 1000

/**
 * The records of whatever release is active when asked, as documents and by their ways through
 * artifacts. Everything but `current` rejects with `no_release` where there is none.
 */
interface DocumentSource {
  /** The active release; null before the first. */
  current(): { readonly version: string; readonly digest: string } | null
  /** Worked out once per release. */
  content(): Promise<OntologyContent>
  /** What some techniques (full IRIs) counter, sorted; at most `limit` ways. */
  counters(techniques: readonly string[], limit?: number): Promise<readonly Counter[]>
  /** What defends artifacts, or against offensive techniques and weaknesses, sorted; as many. */
  defenses(subjects: readonly string[], limit?: number): Promise<readonly Defense[]>
}

/** The service as a source of documents, for siblings that search them. */
export function describeDocuments(service: OntologyService): DocumentSource {
  return {
    current: () => {
      const manifest = service.current?.manifest
      return manifest === undefined ? null : { version: manifest.version, digest: manifest.sha256 }
    },
    content: async () => (await service.release(null)).content(),
    counters: async (techniques, limit = MOST_WAYS) =>
      (await service.release(null)).counters(techniques, limit),
    defenses: async (subjects, limit = MOST_WAYS) =>
      (await service.release(null)).defenses(subjects, limit),
  }
}
