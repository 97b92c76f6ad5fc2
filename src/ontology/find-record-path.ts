import type { LookupRecord } from '../contracts/lookup.ts'
import { Refusal } from '../platform/errors.ts'
import { nameOf } from '../platform/words.ts'
import type { OntologyService } from './service.ts'

/** Longer than any identifier. */
const MAX_NAME_LENGTH = 200

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
    const [found] = (await release.lookUp([name])).found
    return found != null && isCalled(found.record, name) ? found.record.path : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function isCalled({ id, name, iri }: LookupRecord, requested: string): boolean {
  const local = name.replace(/^[^:/]*:(?!\/\/)/, '')
  const folded = nameOf(requested)
  return requested === iri || [id ?? '', name, local].some((own) => own !== '' && nameOf(own) === folded)
}
