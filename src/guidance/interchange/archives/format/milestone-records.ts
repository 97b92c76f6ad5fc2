import type { Reader } from '../../../database/transaction.ts'
import type { Member } from '../../exports/files/zip.ts'
import { frozenContentOf } from '../../milestones/frozen-content.ts'

/** A milestone of a component, with the name of its file in the archive. */
interface ArchivedMilestone {
  readonly id: number
  readonly bytes: number
  readonly record: object
  readonly file: string | null
}

/** The milestones of a component, in the order of their dates. */
export async function findArchivedMilestones(
  reader: Reader,
  componentId: number,
): Promise<readonly ArchivedMilestone[]> {
  const rows = await reader
    .selectFrom('milestones')
    .select(['id', 'bytes', 'name', 'due_on', 'reached_at', 'reached_by', 'snapshot', 'readiness'])
    .where('component_id', '=', componentId)
    .orderBy('due_on')
    .orderBy('id')
    .execute()
  return rows.map(({ id, bytes, readiness, ...described }, index) => {
    const file = described.reached_at === null ? null : `milestones/${index + 1}.zip`
    const frozen: unknown = readiness === null ? null : JSON.parse(readiness)
    return { id, bytes, file, record: { ...described, readiness: frozen, file } }
  })
}

/** The frozen archives, one after the other. */
export function* milestoneFilesOf(reader: Reader, milestones: readonly ArchivedMilestone[]): Generator<Member, void> {
  for (const one of milestones) if (one.file !== null) yield { name: one.file, content: frozenContentOf(reader, one) }
}
