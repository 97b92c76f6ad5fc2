import { answerOf, api } from '../../client/api.ts'
import { severityOf, statusOf } from '../list/statuses.ts'
import type { Step } from './bulk.ts'

/** Sends one step: sections by their own operation, everything else together. */
export async function sendStep(component: number, { ids, edit }: Step, comment: string): Promise<void> {
  const params = { path: { id: component } }
  const { locked, sections, isSectionLock, justification } = edit
  const status = statusOf(edit.status)
  const rule_severity = severityOf(edit.severity)
  const rule_ids = [...ids]
  const reason = comment.trim() === '' ? {} : { comment }
  const change = {
    ...(status !== undefined && { status }),
    ...(rule_severity !== undefined && { rule_severity }),
    ...(justification !== null && {
      status_justification: justification === '' ? null : justification,
    }),
    ...(locked !== null && { locked }),
  }
  if (Object.keys(change).length > 0)
    await answerOf(api.PATCH('/components/{id}/rules/bulk', { params, body: { rule_ids, ...change, ...reason } }))
  if (sections.length > 0)
    await answerOf(
      api.PATCH('/components/{id}/lock_sections', {
        params,
        body: { rule_ids, sections: [...sections], locked: isSectionLock, ...reason },
      }),
    )
}
