import { headText } from '../../files/encoding.ts'
import { findRoot } from '../../files/xml.ts'

/** The forms of reference data that are read. */
export type ReferenceForm = 'cci_list' | 'oscal' | 'attack'

/** OSCAL has one of these as its only member: https://pages.nist.gov/OSCAL/reference/. */
const OSCAL =
  /^\s*\{\s*"(?:catalog|profile|component-definition|system-security-plan|assessment-plan|assessment-results|plan-of-action-and-milestones)"\s*:\s*\{\s*"/

/** A STIX bundle has its type or its id before its objects. */
const STIX = /^\s*\{\s*(?:"\w+"\s*:\s*"[^"]*"\s*,\s*)*?(?:"type"\s*:\s*"bundle"|"id"\s*:\s*"bundle--)/

/** By the root of an XML document. */
const XML_FORMS: ReadonlyMap<string, ReferenceForm> = new Map([['cci_list', 'cci_list']])

/** A document type names the root. The reader refuses it, with the place. */
const DOCTYPE = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?<!DOCTYPE\s+([\w:]+)/i

/** The form of a document by its beginning; null: it is not reference data. */
export function formOf(head: Uint8Array): ReferenceForm | null {
  const text = headText(head)
  if (OSCAL.test(text)) return 'oscal'
  if (STIX.test(text)) return 'attack'
  return XML_FORMS.get(findRoot(text)?.local ?? DOCTYPE.exec(text)?.[1] ?? '') ?? null
}
