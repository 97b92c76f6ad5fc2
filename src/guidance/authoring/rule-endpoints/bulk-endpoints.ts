import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, optionalText } from '../../../http/input.ts'
import { confirmation, refuseValues, toast } from '../../../http/toast.ts'
import { RULE_STATUSES } from '../../../tables/statuses.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole, requireComponentRole } from '../access/component-access.ts'
import { editRules } from '../rule-bulk/bulk.ts'
import { comment, ruleIds } from '../rule-bulk/inputs.ts'
import { NO_STATUS } from '../rule-editing/changes.ts'
import { limitOf } from '../rules/text-limits.ts'

const TAG = 'Rules'

const bulkBody = z.object({
  rule_ids: ruleIds,
  status: z.enum(RULE_STATUSES, NO_STATUS).optional(),
  rule_severity: z.enum(['high', 'medium', 'low'], 'Severity must be high, medium or low').optional(),
  status_justification: optionalText('Status justification', {
    max: limitOf('status_justification'),
  })
    .optional()
    .meta({ description: 'Number of all these rules' }),
  locked: z.boolean('Locked must be true or false').optional(),
  comment,
})

const NOT_EDITED = 'Could not update rules.'

/** Requires a change, and a reason for locks. */
function requireSense({
  status,
  rule_severity,
  status_justification,
  locked,
  comment,
}: z.output<typeof bulkBody>): void {
  if (locked !== undefined && comment == null)
    throw refuseValues(NOT_EDITED, [
      { field: 'comment', message: "Comment can't be blank when rules are locked or unlocked" },
    ])
  const changes = [status, rule_severity, status_justification, locked]
  if (changes.some((change) => change !== undefined)) return
  const message = 'There is nothing to change: give status, rule_severity, status_justification or locked'
  throw refuseValues(NOT_EDITED, [{ field: null, message }])
}

/** Changes many rules of a component at once. */
export function ruleBulkEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/components/{id}/rules/bulk',
    operation: 'editRules',
    tag: TAG,
    summary: 'Set status, severity, status justification or lock of many rules: all or none',
    access: {
      ...componentRole(database, 'author', { unreleased: true }),
      rule: 'component author, admin with locked, until it is released; site admin',
    },
    failure: NOT_EDITED,
    input: z.object({ params: idParams, body: bulkBody }),
    answer: confirmation,
    handle: async ({ grant: { caller, componentId }, input: { body } }) => {
      requireSense(body)
      const { rule_ids, status, rule_severity: severity, locked, comment = null } = body
      const { status_justification: justification } = body
      const least = locked === undefined ? 'author' : 'admin'
      const count = await database.transact(async (writer) => {
        await writer.lock('component', componentId)
        const { projectId } = await requireComponentRole(writer, caller, { componentId, least, unreleased: true })
        const context = { caller, projectId, comment }
        const edit = { ruleIds: rule_ids, status, severity, justification, locked }
        return editRules(writer, componentId, { edit, context })
      })
      return { ...toast('Rules updated.', `${count} rules changed.`), changed: count }
    },
  })
}
