import { refuseValues } from '../../../http/toast.ts'
import type { Writer } from '../../database/transaction.ts'
import type { ProjectGrant } from '../../parts/project-access.ts'
import { requireComponentRole } from '../access/component-access.ts'
import { requireRecord } from '../components/reader.ts'
import { insertComponent } from '../components/record.ts'
import type { NewComponent, CreatedComponent } from './bodies.ts'
import { copyParts, copyRuleRows } from './copy.ts'
import { describeSource } from './duplicate.ts'
import { auditNew, NOT_ADDED } from './from-srg.ts'

interface OverlayRequest extends NewComponent {
  readonly component_id: number
}

/**
 * Makes a component as an overlay of a released one: with its name, prefix and rules, and linked to it (operations B,
 * creation mode 3).
 */
export async function overlayComponent(
  writer: Writer,
  request: OverlayRequest,
  { caller, projectId }: ProjectGrant,
): Promise<CreatedComponent> {
  const from = request.component_id
  await writer.lock('component', from)
  const { released, documentType } = await requireComponentRole(writer, caller, { componentId: from, least: 'read' })
  if (!released)
    throw refuseValues(NOT_ADDED, [
      {
        field: 'component_id',
        message: 'Cannot overlay a component that has not been released',
      },
    ])
  const source = await requireRecord(writer, from)
  const { name, prefix } = source
  const to = await insertComponent(
    writer,
    {
      projectId,
      documentType,
      srgIds: source.source_srgs.map(({ id }) => id),
      overlaid: from,
      publishedSource: source.published_source,
      name,
      prefix,
      ...describeSource(source, request),
      admin: null,
      advancedFields: false,
      metadata: {},
    },
    caller,
  )
  await copyRuleRows(writer, { from, to })
  await copyParts(writer, { from, to })
  await auditNew(writer, to, 0)
  return { id: to, message: '' }
}
