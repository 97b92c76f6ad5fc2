import { headText } from '../../files/encoding.ts'
import { findRoot } from '../../files/xml.ts'

/** The forms of reference data that are read. */
export type ReferenceForm = 'cci_list' | 'oscal' | 'attack' | 'cwe' | 'cwe_csv'

/** OSCAL has one of these as its only member: https://pages.nist.gov/OSCAL/reference/. */
const OSCAL =
  /^\s*\{\s*"(?:catalog|profile|component-definition|system-security-plan|assessment-plan|assessment-results|plan-of-action-and-milestones)"\s*:\s*\{\s*"/

/** A STIX bundle has its type or its id before its objects. */
const STIX = /^\s*\{\s*(?:"\w+"\s*:\s*"[^"]*"\s*,\s*)*?(?:"type"\s*:\s*"bundle"|"id"\s*:\s*"bundle--)/

/** The first columns of the CSV of a view of CWE. */
const CWE_CSV = /^\uFEFF?"?CWE-ID"?,"?Name"?,/i

/** The forms of XML documents, by their root. */
const XML_FORMS: ReadonlyMap<string, ReferenceForm> = new Map([
  ['cci_list', 'cci_list'],
  ['Weakness_Catalog', 'cwe'],
])

/** A document type names the root too. The reader later refuses it, with the place. */
const DOCTYPE = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?<!DOCTYPE\s+([\w:]+)/i

/** Detects the form of a document by its first bytes; null if it is not reference data. */
export function formOf(head: Uint8Array): ReferenceForm | null {
  const text = headText(head)
  if (OSCAL.test(text)) return 'oscal'
  if (STIX.test(text)) return 'attack'
  if (CWE_CSV.test(text)) return 'cwe_csv'
  return XML_FORMS.get(findRoot(text)?.local ?? DOCTYPE.exec(text)?.[1] ?? '') ?? null
}
