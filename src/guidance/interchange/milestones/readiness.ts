import type { Reader } from '../../database/transaction.ts'
import { frozenReadiness, type FrozenReadiness } from './schemas.ts'

/** Finds the work that was not done when a milestone was reached. */
export async function findReadiness(reader: Reader, milestoneId: number): Promise<FrozenReadiness> {
  const { readiness } = await reader
    .selectFrom('milestones')
    .select('readiness')
    .where('id', '=', milestoneId)
    .executeTakeFirstOrThrow()
  if (readiness === null) return { ready: false, counts: {}, items: [] }
  const parsed: unknown = JSON.parse(readiness)
  return frozenReadiness.parse(parsed)
}
