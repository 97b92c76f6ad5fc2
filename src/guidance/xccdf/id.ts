import { Refusal } from '../../platform/errors.ts'
import { MAX_ID_LENGTH } from './limits.ts'
import { attributeOf, tooLong } from './node.ts'
import type { XmlElement } from './xml.ts'

/**
 * The id of a Benchmark, Group or Rule, unchanged; null where it is missing or blank. Any characters
 * will do, also those that XCCDF forbids: some publishers use them. Refused are `field_too_long`
 * and `invalid_id`: control characters, which no database and no address takes, and dots alone,
 * which a path takes for a folder.
 */
export function idOf(element: XmlElement): string | null {
  const id = attributeOf(element, 'id')
  if (id === null || id.trim() === '') return null
  const field = `${element.local} id`
  if (id.length > MAX_ID_LENGTH) throw tooLong(field, MAX_ID_LENGTH, element.line)
  if (/\p{Cc}/u.test(id)) throw invalid(field, 'holds a control character', element)
  if (/^\.+$/.test(id)) throw invalid(field, 'consists of dots only', element)
  return id
}

function invalid(field: string, fault: string, { line }: XmlElement): Refusal {
  return new Refusal('invalid_id', `${field} ${fault} (line ${line}).`)
}
