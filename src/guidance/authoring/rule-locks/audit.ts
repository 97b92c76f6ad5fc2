import { actorOf, type Caller } from '../../../http/caller.ts'
import { writeAudits, type AuditedValues } from '../../activity/audits/writer.ts'
import type { Writer } from '../../database/transaction.ts'
import { componentSubject } from '../components/record.ts'

/** Adds one entry for the component, instead of one for each rule. */
export async function writeSummary(
  writer: Writer,
  caller: Caller,
  {
    componentId,
    comment,
    after,
  }: { readonly componentId: number; readonly comment: string; readonly after: AuditedValues },
): Promise<number> {
  const component = await writer
    .selectFrom('components')
    .select(['id', 'name', 'project_id'])
    .where('id', '=', componentId)
    .executeTakeFirstOrThrow()
  const subject = componentSubject(component)
  const [id = 0] = await writeAudits(writer, actorOf(caller), [{ action: 'custom', subject, comment, after }])
  return id
}
