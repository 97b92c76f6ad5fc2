import type { Actor } from '../caller.ts'
import type { Writer } from '../database/database.ts'
import type { EventKind } from './kinds.ts'

type Value = string | number | boolean | null | readonly string[] | readonly number[]

/** What happened, and to what: numbers of records, names and states, never texts of guidance. */
export interface Happening {
  readonly kind: EventKind
  readonly projectId: number
  readonly componentId: number
  readonly data: Readonly<Record<string, Value>>
}

/** Tells those who follow, if and when the transaction that does it commits. */
export async function recordEvents(
  writer: Writer,
  actor: Actor,
  happenings: readonly Happening[],
): Promise<void> {
  if (happenings.length === 0) return
  const created_at = new Date().toISOString()
  const rows = happenings.map(({ kind, projectId, componentId, data }) => ({
    ...{ kind, created_at, actor: actor.name },
    project_id: projectId,
    component_id: componentId,
    data: JSON.stringify(data),
  }))
  // A statement has a limited number of values.
  for (let at = 0; at < rows.length; at += 500)
    await writer
      .insertInto('events')
      .values(rows.slice(at, at + 500))
      .execute()
}
