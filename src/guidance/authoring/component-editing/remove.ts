import { actorOf } from '../../../http/caller.ts'
import { nextTurn } from '../../../platform/concurrency/turns.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { recordEvents } from '../../activity/events/record.ts'
import type { Writer } from '../../database/transaction.ts'
import { requireComponentRole, type ComponentGrant } from '../access/component-access.ts'
import { requireRecord } from '../components/reader.ts'
import { componentSubject } from '../components/record.ts'

/** The number of rules to remove at once. With SQLite, other requests run in between. */
const BATCH_SIZE = 100

/** Removes a component with all its records. Its history stays in that of the project. */
export async function removeComponent(writer: Writer, { caller, componentId }: ComponentGrant): Promise<void> {
  await writer.lock('component', componentId)
  await requireComponentRole(writer, caller, { componentId, least: 'admin' })
  const component = await requireRecord(writer, componentId)
  await removeRules(writer, componentId)
  await writer.deleteFrom('components').where('id', '=', componentId).execute()
  const { name, prefix, title, version, release, released, document_type } = component
  const actor = actorOf(caller)
  await writeAudit(writer, actor, {
    action: 'destroy',
    subject: componentSubject(component),
    before: { name, prefix, title, version, release, released, document_type },
  })
  const data = { component_id: componentId, name, prefix, document_type }
  const { project_id: projectId } = component
  await recordEvents(writer, actor, [{ kind: 'component.deleted', projectId, componentId, data }])
}

async function removeRules(writer: Writer, componentId: number): Promise<void> {
  for (;;) {
    const batch = await writer
      .selectFrom('rules')
      .select('id')
      .where('component_id', '=', componentId)
      .limit(BATCH_SIZE)
      .execute()
    if (batch.length === 0) return
    const ids = batch.map(({ id }) => id)
    await writer.deleteFrom('rules').where('id', 'in', ids).execute()
    await nextTurn()
  }
}
