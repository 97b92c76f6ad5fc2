import type { Selectable } from 'kysely'
import type { z } from 'zod'
import { notFound } from '../../../http/input.ts'
import type { MilestonesTable } from '../../database/schema/components.ts'
import type { Reader } from '../../database/transaction.ts'
import type { milestoneSchema } from './schemas.ts'

const COLUMNS = ['id', 'name', 'due_on', 'reached_at', 'reached_by', 'snapshot', 'bytes'] as const

export type MilestoneRow = Pick<Selectable<MilestonesTable>, (typeof COLUMNS)[number]>

/** The milestones of a component by date, without their archives. */
export function findMilestones(reader: Reader, componentId: number): Promise<MilestoneRow[]> {
  return reader
    .selectFrom('milestones')
    .select(COLUMNS)
    .where('component_id', '=', componentId)
    .orderBy('due_on')
    .orderBy('id')
    .execute()
}

export async function requireMilestone(reader: Reader, componentId: number, id: number): Promise<MilestoneRow> {
  const milestone = (await findMilestones(reader, componentId)).find((candidate) => candidate.id === id)
  if (milestone === undefined) throw notFound()
  return milestone
}

/** Finds the milestone that was reached before this one; null without one. */
export async function findPrevious(
  reader: Reader,
  componentId: number,
  { id, reached_at }: MilestoneRow,
): Promise<MilestoneRow | null> {
  const milestone = await reader
    .selectFrom('milestones')
    .select(COLUMNS)
    .where('component_id', '=', componentId)
    .where((is) =>
      is.or([
        is('reached_at', '<', reached_at ?? ''),
        is.and([is('reached_at', '=', reached_at ?? ''), is('id', '<', id)]),
      ]),
    )
    .orderBy('reached_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return milestone ?? null
}

export function shapeMilestone({ bytes: _bytes, ...row }: MilestoneRow): z.input<typeof milestoneSchema> {
  const today = new Date().toISOString().slice(0, 10)
  const openState = row.due_on < today ? 'late' : 'due'
  return { ...row, state: row.reached_at === null ? openState : 'reached' }
}
