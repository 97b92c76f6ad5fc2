import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { confirmation, refuseValues, toast } from '../../../http/toast.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole, requireComponentRole } from '../access/component-access.ts'
import { editRules } from '../rule-bulk/bulk.ts'
import { comment, ruleIds } from '../rule-bulk/inputs.ts'
import { RULE_STATUSES } from '../rules/schemas.ts'

const TAG = 'Rules'

const bulkBody = z.object({
  rule_ids: ruleIds,
  status: z.enum(RULE_STATUSES, 'Status is not one of a rule').optional(),
  rule_severity: z
    .enum(['high', 'medium', 'low'], 'Severity must be high, medium or low')
    .optional(),
  locked: z.boolean('Locked must be true or false').optional(),
  comment,
})

const NOT_EDITED = 'Could not update controls.'

/** Requires a change, and a reason for locks. */
function requireSense({
  status,
  rule_severity,
  locked,
  comment: why,
}: z.output<typeof bulkBody>): void {
  if (locked !== undefined && why == null)
    throw refuseValues(NOT_EDITED, [
      { field: 'comment', message: "Comment can't be blank when controls are locked or unlocked" },
    ])
  if (status !== undefined || rule_severity !== undefined || locked !== undefined) return
  const message = 'There is nothing to change: give status, rule_severity or locked'
  throw refuseValues(NOT_EDITED, [{ field: null, message }])
}

/** Changes many rules of a component at once (operations B). */
export function ruleBulkEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/components/{id}/rules/bulk',
    operation: 'editRules',
    tag: TAG,
    summary: 'Give many rules the same status, severity or lock: all or none',
    access: {
      ...componentRole(database, 'author', { unreleased: true }),
      rule: 'component author, admin with locked, until it is released; site admin',
    },
    failure: NOT_EDITED,
    input: z.object({ params: idParams, body: bulkBody }),
    answer: confirmation,
    handle: async ({ grant: { caller, componentId }, input: { body } }) => {
      requireSense(body)
      const { rule_ids, status, rule_severity: severity, locked, comment: why = null } = body
      const least = locked === undefined ? 'author' : 'admin'
      const count = await database.transact(async (writer) => {
        await writer.lock('component', componentId)
        const needed = { componentId, least, unreleased: true } as const
        const { projectId } = await requireComponentRole(writer, caller, needed)
        const context = { caller, projectId, comment: why }
        const wanted = { ruleIds: rule_ids, status, severity, locked }
        return editRules(writer, componentId, { edit: wanted, context })
      })
      return { ...toast('Controls updated.', `${count} controls changed.`), changed: count }
    },
  })
}
