import type { DescribedRecord } from '../contracts/described.ts'
import type { LookupRecord } from '../contracts/lookup.ts'
import { Refusal } from '../platform/errors.ts'
import { plainText } from '../platform/plain-text.ts'
import { describedAt } from './lookup/names-index.ts'
import type { OntologyService } from './service.ts'

/** Paths of the JSON of records. Some names are IRIs, with slashes. */
const RECORD =
  /^(\/api\/(?:ontology\/describe|tactic|technique|weakness\/cwe|offensive-technique\/attack|dao\/artifact)\/)(.+)\.json$/
const DESCRIBE_PATH = '/api/ontology/describe/'

/**
 * Describes the record whose JSON is at a path below `/api/`, in a named release or in the active one. Its `path` is that
 * of its JSON under its first name. Null if there is no such record, or if the release cannot be opened now.
 */
export async function describeRecord(
  service: OntologyService,
  path: string,
  version: string | null,
): Promise<DescribedRecord | null> {
  const [, folder = '', name = ''] = RECORD.exec(path) ?? []
  if (folder === '') return null
  try {
    const release = await service.release(version)
    const [match] = (await release.lookUp([name])).found
    return match == null ? null : describe(match.record, folder)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** Null for a record of another kind, which merely has that name. */
function describe(record: LookupRecord, folder: string): DescribedRecord | null {
  const { kind, label, name, text } = record
  const path = folder === DESCRIBE_PATH ? describedAt(name) : record.path
  if (!path.startsWith(folder)) return null
  // CCIs and controls of the ontology have only the page of any subject.
  const pageKind = kind === 'cci' || kind === 'control' || folder === DESCRIBE_PATH ? 'resource' : kind
  return { kind: pageKind, title: label, text: plainText(text), path }
}
