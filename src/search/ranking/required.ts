import { ANY_FIELD, FIELD_BITS } from '../index/fields.ts'
import { hitsOf } from '../index/hits.ts'
import { severityOf } from '../index/keys.ts'
import type { IndexPart } from '../index/record-index.ts'
import type { FieldToken, ParsedQuery } from '../question/query.ts'

/** Whether a record of a part has all that it has to have, and nothing that it must not. */
export type Accepts = (part: IndexPart, record: number) => boolean

export function required({ required: wanted, excluded, severities }: ParsedQuery): Accepts {
  const all = wanted.map(holders)
  const none = excluded.map(holders)
  const severe = new Set(severities)
  return (part, record) =>
    all.every((holds) => holds(part, record)) &&
    !none.some((holds) => holds(part, record)) &&
    (severe.size === 0 || severe.has(severityOf(part.segment.severities[record] ?? 0) ?? ''))
}

/** Looks a token up once in each part that is asked for. */
function holders({ token, field }: FieldToken): Accepts {
  const known = new Map<IndexPart, ReadonlySet<number>>()
  const fields = field === null ? ANY_FIELD : fieldBits(field)
  return (part, record) => {
    let records = known.get(part)
    if (records === undefined) {
      const hits = hitsOf(part.segment, { words: token.words, prefix: false }, fields)
      records = new Set(hits.records)
      known.set(part, records)
    }
    return records.has(record)
  }
}

/** A synonym is a title, too. */
function fieldBits(field: 'title' | 'fix' | 'check'): number {
  return field === 'title' ? FIELD_BITS.title | FIELD_BITS.synonym : FIELD_BITS[field]
}
