import { Refusal } from '../../../platform/errors.ts'
import { MAX_ID_LENGTH } from '../files/limits.ts'
import type { XmlElement } from '../files/xml.ts'
import { attributeOf, tooLong } from './node.ts'

/** The namespace of ids of DISA's content, which includes ours. */
const DISA = 'mil.disa.stig'

/** Returns the XCCDF 1.2 form of an id of DISA (NIST IR 7275 revision 4, §6.2.3). */
export function longId(kind: string, id: string): string {
  return `${prefixOf(kind)}${id}`
}

/**
 * Returns the XCCDF 1.1 form of an id: `xccdf_mil.disa.stig_rule_SV-1r2_rule` → `SV-1r2_rule`. Ids of other publishers
 * stay whole, because two publishers may use the same name.
 */
export function shortId(kind: string, id: string): string {
  const prefix = prefixOf(kind)
  const withoutPrefix = id.startsWith(prefix) ? id.slice(prefix.length) : ''
  return withoutPrefix.trim() === '' ? id : withoutPrefix
}

function prefixOf(kind: string): string {
  return `xccdf_${DISA}_${kind}_`
}

/**
 * Reads the id of a Benchmark, Group or Rule, see `shortId`; null if it is missing or blank. Allows characters that
 * XCCDF forbids, because some publishers use them. Refuses ids that are too long (`field_too_long`) or invalid
 * (`invalid_id`): control characters are not possible in databases and URLs, and ids of only dots would be folders in a
 * path.
 */
export function idOf(element: XmlElement): string | null {
  const written = attributeOf(element, 'id')
  if (written === null || written.trim() === '') return null
  const id = shortId(element.local.toLowerCase(), written)
  const field = `${element.local} id`
  if (id.length > MAX_ID_LENGTH) throw tooLong(field, MAX_ID_LENGTH, element.line)
  if (/\p{Cc}/u.test(id)) throw invalid(field, 'holds a control character', element)
  if (/^\.+$/.test(id)) throw invalid(field, 'consists of dots only', element)
  return id
}

function invalid(field: string, fault: string, { line }: XmlElement): Refusal {
  return new Refusal('invalid_id', `${field} ${fault} (line ${line}).`)
}
