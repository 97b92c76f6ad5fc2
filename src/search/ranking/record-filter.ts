import { ANY_FIELD, FIELD_BITS } from '../index/fields.ts'
import { hitsOf } from '../index/hits.ts'
import { severityNumber } from '../index/keys.ts'
import type { IndexPart } from '../index/record-index.ts'
import type { FieldToken, ParsedQuery } from '../query/parse-query.ts'

/** For each record of a part, 1 if it has all required tokens and no excluded one; null: every record passes. */
export type RecordFilter = (part: IndexPart) => Uint8Array | null

export function recordFilter(query: ParsedQuery): RecordFilter {
  const { required, excluded, severities } = query
  if (required.length === 0 && excluded.length === 0 && severities.length === 0) return () => null
  const severe = new Set(severities.map(severityNumber).filter((number) => number > 0))
  return (part) => {
    const allowed = new Uint8Array(part.deleted.length).fill(1)
    for (const token of required) {
      const containing = recordsWithToken(part, token)
      for (let record = 0; record < allowed.length; record += 1) if (containing[record] === 0) allowed[record] = 0
    }
    for (const token of excluded) {
      const containing = recordsWithToken(part, token)
      for (let record = 0; record < allowed.length; record += 1) if (containing[record] === 1) allowed[record] = 0
    }
    if (severities.length > 0)
      for (const [record, severity] of part.segment.severities.entries()) if (!severe.has(severity)) allowed[record] = 0
    return allowed
  }
}

function recordsWithToken({ segment, deleted }: IndexPart, { token, field }: FieldToken): Uint8Array {
  const containing = new Uint8Array(deleted.length)
  const fields = field === null ? ANY_FIELD : fieldBits(field)
  for (const record of hitsOf(segment, { words: token.words, prefix: false }, fields).records) containing[record] = 1
  return containing
}

/** `title:` also searches synonyms. */
function fieldBits(field: 'title' | 'fix' | 'check'): number {
  return field === 'title' ? FIELD_BITS.title | FIELD_BITS.synonym : FIELD_BITS[field]
}
