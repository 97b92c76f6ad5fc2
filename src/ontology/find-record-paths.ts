import type { OntologyKind } from '../contracts/sources.ts'
import { Refusal } from '../platform/errors.ts'
import type { OntologyService } from './service.ts'

const KINDS_WITH_PAGES: readonly OntologyKind[] = ['technique', 'tactic', 'artifact', 'offensive-technique', 'weakness']

/** The paths of the JSON of the records of a release, and its digest and date. */
export interface RecordPaths {
  readonly digest: string
  /** `2024-10-01` */
  readonly date: string
  readonly paths: readonly string[]
}

/** Paths of the active release; null while there is none. */
export async function findRecordPaths(service: OntologyService): Promise<RecordPaths | null> {
  try {
    const release = await service.release(null)
    const { digest, documents } = await release.content()
    const iris = documents.filter(({ kind }) => KINDS_WITH_PAGES.includes(kind)).map(({ iri }) => iri)
    const { found } = await release.lookUp(iris)
    const paths = found.flatMap((one) => (one === null ? [] : [one.record.path]))
    return { digest, date: release.manifest.releaseDate.slice(0, 10), paths }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
