import { z } from 'zod'
import { nextTurn } from '../../../platform/concurrency/turns.ts'
import type { Reader } from '../../database/transaction.ts'
import { auditSchema, shapeAudit, type Audit } from './reader.ts'

/** Longest pause between two saves that are combined. */
const MAX_PAUSE_MS = 5 * 60_000
/** Entries that one statement reads: each may have two long texts. */
const BATCH_SIZE = 50
/** Entries that are read at most. */
const MAX_READ = 500

export const foldedSchema = auditSchema.extend({
  saves: z
    .int()
    .optional()
    .meta({ description: 'With histories=folded: the number of saves by one person that this entry combines' }),
  since: z.string().optional().meta({ description: 'With histories=folded: the time of the first of these saves' }),
})

export type CombinedAudit = z.infer<typeof foldedSchema>

interface AuditedRecord {
  readonly type: string
  readonly id: number
}

/**
 * The newest entries of a record, oldest first. Saves by one person within minutes that changed the same fields are combined
 * into one entry, with the values before the first and after the last save, and the number of the first: reverting it
 * restores the values before all of them.
 */
export async function findCombinedAudits(
  reader: Reader,
  record: AuditedRecord,
  limit: number,
): Promise<readonly CombinedAudit[]> {
  const folded: CombinedAudit[] = []
  let before = Infinity
  for (let readCount = 0; readCount < MAX_READ; readCount += BATCH_SIZE) {
    const portion = await findBefore(reader, record, before)
    for (const entry of portion) {
      const later = folded.at(-1)
      const combined = later === undefined ? null : combineEntries(later, entry)
      if (combined !== null) folded[folded.length - 1] = combined
      else if (folded.length === limit) return folded.reverse()
      else folded.push(entry)
    }
    if (portion.length < BATCH_SIZE) break
    before = portion.at(-1)?.id ?? 0
    await nextTurn()
  }
  return folded.reverse()
}

/** Newest first. */
async function findBefore(reader: Reader, { type, id }: AuditedRecord, before: number): Promise<readonly Audit[]> {
  const rows = await reader
    .selectFrom('audits')
    .selectAll()
    .where('auditable_type', '=', type)
    .where('auditable_id', '=', id)
    .$if(before !== Infinity, (audits) => audits.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(BATCH_SIZE)
    .execute()
  return rows.map(shapeAudit)
}

/** Combines an entry with the one before it; null if they do not belong together. */
export function combineEntries(later: CombinedAudit, earlier: Audit): CombinedAudit | null {
  const pause = Date.parse(later.since ?? later.created_at) - Date.parse(earlier.created_at)
  if (pause > MAX_PAUSE_MS || workOf(later) !== workOf(earlier) || later.action !== 'update') return null
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

/** Only entries with the same key are combined. */
function workOf({ action, name, via, comment, audited_changes }: Audit): string {
  const fields = audited_changes.map(({ field }) => field).sort()
  return JSON.stringify([action, name, via, comment, fields])
}
