import { z } from 'zod'
import type { Reader } from '../../database/transaction.ts'

const DEFAULT_LIMIT = 50

const value = z.json()

export const auditSchema = z.object({
  id: z.int(),
  action: z.enum(['create', 'update', 'destroy', 'custom']),
  auditable_type: z.string(),
  auditable_id: z.int(),
  name: z.string().meta({ description: 'The name, at that time, of the person who did it' }),
  via: z.string().meta({ description: 'The session or token that was used' }),
  audited_name: z.string(),
  comment: z.string().nullable(),
  created_at: z.string(),
  audited_changes: z.array(z.object({ field: z.string(), prev_value: value, new_value: value })),
})

export type Audit = z.infer<typeof auditSchema>

/** For site administrators, with the id of the person, because two people can have the same name. */
export const trailSchema = auditSchema.extend({
  actor_id: z.int().nullable().meta({ description: 'Null when no person did it' }),
})

const changes = auditSchema.shape.audited_changes

/** The newest entries of a project and its records, or the newest before one of them; oldest first. */
export async function findProjectHistory(
  reader: Reader,
  projectId: number,
  before?: number,
): Promise<readonly Audit[]> {
  const rows = await reader
    .selectFrom('audits')
    .selectAll()
    .where('project_id', '=', projectId)
    .$if(before !== undefined, (audits) => audits.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(DEFAULT_LIMIT)
    .execute()
  return rows.reverse().map(shapeAudit)
}

/** The newest entries of a component and its records, oldest first. */
export async function findComponentHistory(
  reader: Reader,
  componentId: number,
  limit = DEFAULT_LIMIT,
): Promise<readonly Audit[]> {
  const rows = await reader
    .selectFrom('audits')
    .selectAll()
    .where('component_id', '=', componentId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse().map(shapeAudit)
}

interface AuditFilter {
  readonly auditable_type?: string | undefined
  readonly auditable_id?: number | undefined
  readonly action?: Audit['action'] | undefined
  readonly actor_id?: number | undefined
  readonly project_id?: number | undefined
  readonly component_id?: number | undefined
  /** Times; `until` is exclusive. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

const EXACT_FILTERS = ['auditable_type', 'auditable_id', 'action', 'actor_id', 'project_id', 'component_id'] as const

/** The whole trail, newest first. */
export async function findAudits(
  reader: Reader,
  { filter, page, perPage }: { readonly filter: AuditFilter; readonly page: number; readonly perPage: number },
): Promise<{ readonly rows: readonly z.infer<typeof trailSchema>[]; readonly total: number }> {
  const { since, until } = filter
  let matching = reader.selectFrom('audits')
  for (const column of EXACT_FILTERS) {
    const value = filter[column]
    if (value !== undefined) matching = matching.where(column, '=', value)
  }
  if (since !== undefined) matching = matching.where('created_at', '>=', since)
  if (until !== undefined) matching = matching.where('created_at', '<', until)
  const { total } = await matching.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return { rows: rows.map((row) => ({ ...shapeAudit(row), actor_id: row.actor_id })), total }
}

interface AuditRow extends Omit<Audit, 'audited_changes'> {
  readonly changes: string
}

export function shapeAudit(row: AuditRow): Audit {
  return {
    id: row.id,
    action: row.action,
    auditable_type: row.auditable_type,
    auditable_id: row.auditable_id,
    name: row.name,
    via: row.via,
    audited_name: row.audited_name,
    comment: row.comment,
    created_at: row.created_at,
    audited_changes: changes.parse(JSON.parse(row.changes)),
  }
}
