import { z } from 'zod'
import { nextTurn } from '../../../platform/concurrency/turns.ts'
import type { Reader } from '../../database/transaction.ts'
import { auditSchema, shapeAudit, type Audit } from './reader.ts'

/** Between two saves of one piece of work. */
const PAUSE_MS = 5 * 60_000
/** Entries that one statement reads: each may have two long texts. */
const PORTION = 50
/** Entries that are read at most. */
const MOST_READ = 500

export const foldedSchema = auditSchema.extend({
  saves: z
    .int()
    .optional()
    .meta({ description: 'With histories=folded: the number of saves by one person that this entry combines' }),
  since: z.string().optional().meta({ description: 'With histories=folded: the time of the first of these saves' }),
})

export type Folded = z.infer<typeof foldedSchema>

interface FoldedEntry {
  readonly type: string
  readonly id: number
}

/**
 * The newest entries of a record, oldest first. Saves of one person that came within minutes of each other and changed
 * the same fields are one entry, with what was there before the first and after the last, and the number of the first:
 * reverting that puts back what was there before all of them.
 */
export async function findFolded(reader: Reader, record: FoldedEntry, most: number): Promise<readonly Folded[]> {
  const folded: Folded[] = []
  let before = Infinity
  for (let read = 0; read < MOST_READ; read += PORTION) {
    const portion = await findBefore(reader, record, before)
    for (const entry of portion) {
      const later = folded.at(-1)
      const one = later === undefined ? null : foldInto(later, entry)
      if (one !== null) folded[folded.length - 1] = one
      else if (folded.length === most) return folded.reverse()
      else folded.push(entry)
    }
    if (portion.length < PORTION) break
    before = portion.at(-1)?.id ?? 0
    await nextTurn()
  }
  return folded.reverse()
}

/** Newest first. */
async function findBefore(reader: Reader, { type, id }: FoldedEntry, before: number): Promise<readonly Audit[]> {
  const rows = await reader
    .selectFrom('audits')
    .selectAll()
    .where('auditable_type', '=', type)
    .where('auditable_id', '=', id)
    .$if(before !== Infinity, (audits) => audits.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(PORTION)
    .execute()
  return rows.map(shapeAudit)
}

/** A later entry together with the one before it; null where they are not one piece of work. */
export function foldInto(later: Folded, earlier: Audit): Folded | null {
  const pause = Date.parse(later.since ?? later.created_at) - Date.parse(earlier.created_at)
  if (pause > PAUSE_MS || workOf(later) !== workOf(earlier) || later.action !== 'update') return null
  const first = new Map(earlier.audited_changes.map((change) => [change.field, change.prev_value]))
  return {
    ...later,
    id: earlier.id,
    audited_changes: later.audited_changes.map((change) => ({
      ...change,
      prev_value: first.get(change.field) ?? null,
    })),
    saves: (later.saves ?? 1) + 1,
    since: earlier.created_at,
  }
}

/** All entries of one piece of work have the same key. */
function workOf({ action, name, via, comment, audited_changes }: Audit): string {
  const fields = audited_changes.map(({ field }) => field).sort()
  return JSON.stringify([action, name, via, comment, fields])
}
