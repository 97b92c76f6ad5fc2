import { actorOf, type Caller } from '../../../../http/caller.ts'
import { writeAudit } from '../../../activity/audits/writer.ts'
import { componentSubject, recordCreation } from '../../../authoring/components/record.ts'
import { beginHistories } from '../../../authoring/rule-editing/new-rules.ts'
import type { Writer } from '../../../database/transaction.ts'
import type { StagedComponent } from './stage-component.ts'
import { isReleasable } from './summary.ts'

/** Moves a staged component into its project, with all entries in the audit trail that a new component has. */
export async function publishComponent(
  writer: Writer,
  { id, record, chosen }: StagedComponent,
  { projectId, caller }: { readonly projectId: number; readonly caller: Caller },
): Promise<void> {
  const { component, name, rules } = chosen
  const released = component.released && isReleasable(chosen)
  await writer
    .updateTable('components')
    .set({
      project_id: projectId,
      released: Number(released),
      released_at: released ? (component.released_at ?? new Date().toISOString()) : null,
    })
    .where('id', '=', id)
    .execute()
  await recordCreation(writer, id, { record: { ...record, projectId }, caller })
  await beginHistories(writer, { componentId: id, actor: actorOf(caller) })
  const subject = componentSubject({ id, name, project_id: projectId })
  const comment = `Imported from an archive: ${rules.length} rules`
  await writeAudit(writer, actorOf(caller), { action: 'custom', subject, comment })
}
