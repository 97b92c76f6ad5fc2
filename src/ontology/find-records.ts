import type { LookupRecord } from '../contracts/lookup.ts'
import type { OntologyKind } from '../contracts/sources.ts'
import { Refusal, REFUSALS } from '../platform/errors.ts'
import { nameOf } from '../platform/words.ts'
import type { OntologyService } from './service.ts'

const KINDS_WITH_PAGES: readonly OntologyKind[] = ['technique', 'tactic', 'artifact', 'offensive-technique', 'weakness']

/** The paths of the JSON of the records of a release, and its digest and date. */
interface RecordPaths {
  readonly digest: string
  /** `2024-10-01` */
  readonly date: string
  readonly paths: readonly string[]
}

/** Longer than any identifier. */
const MAX_NAME_LENGTH = 200

const SERVER_FAULTS = 500

/**
 * Whether a path below `/api/` has an answer, in a named release or in the active one. True also if that is unknown
 * because of a fault of the server. The answer is cached, because the caller requests it next.
 */
export async function hasRecord(service: OntologyService, path: string, version: string | null): Promise<boolean> {
  try {
    const release = await service.release(version)
    await release.answer(path, 'br')
    return true
  } catch (error) {
    return !(error instanceof Refusal && REFUSALS[error.code].status < SERVER_FAULTS)
  }
}

/**
 * Finds the path of the JSON of the record that has an identifier or a name, however that is written: `t1110`, `CWE-79`,
 * `d3f:AccountLocking`. Labels and synonyms do not count, because they are words of the language. Null if the release
 * has no such record, or if there is no such release.
 */
export async function findRecordPath(
  service: OntologyService,
  name: string,
  version: string | null,
): Promise<string | null> {
  if (name.length > MAX_NAME_LENGTH) return null
  try {
    const release = await service.release(version)
    const [match] = (await release.lookUp([name])).found
    return match != null && isCalled(match.record, name) ? match.record.path : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function isCalled({ id, name, iri }: LookupRecord, requested: string): boolean {
  const local = name.replace(/^[^:/]*:(?!\/\/)/, '')
  const folded = nameOf(requested)
  return requested === iri || [id ?? '', name, local].some((ownName) => ownName !== '' && nameOf(ownName) === folded)
}

/** Paths of the active release; null while there is none. */
export async function findRecordPaths(service: OntologyService): Promise<RecordPaths | null> {
  try {
    const release = await service.release(null)
    const { digest, documents } = await release.content()
    const iris = documents.filter(({ kind }) => KINDS_WITH_PAGES.includes(kind)).map(({ iri }) => iri)
    const { found } = await release.lookUp(iris)
    const paths = found.flatMap((match) => (match === null ? [] : [match.record.path]))
    return { digest, date: release.manifest.releaseDate.slice(0, 10), paths }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
