import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { toast, toastSchema } from '../../../http/toast.ts'
import type { Parts } from '../../parts/parts.ts'
import { reviewRole } from './actions/access.ts'
import { changeAndAnswer } from './actions/change.ts'
import { acceptance } from './actions/inputs.ts'
import { reviewSchema } from './records/schemas.ts'
import { acceptSuggestion, NOT_ACCEPTED } from './suggestions/accept.ts'

/** Accepts the text that a comment suggests. */
export function suggestionEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/reviews/{id}/accept',
    operation: 'acceptSuggestion',
    tag: 'Comments',
    summary: 'Write the text that a comment suggests into its rule, concur with the comment and close it',
    refusals: ['rule_locked', 'edit_conflict'],
    access: reviewRole(database, 'author', { unreleased: true }),
    failure: NOT_ACCEPTED,
    input: z.object({ params: idParams, body: acceptance }),
    answer: z.object({ toast: toastSchema, review: reviewSchema, response_review: reviewSchema.nullable() }),
    handle: ({ grant, input: { body } }) => {
      const { text, rule_lock_version: ruleVersion = null, response_comment: response } = body
      const confirmation = toast('Suggestion accepted.', 'The rule is changed, and the comment is closed.')
      const change = { grant, expectedVersion: body.lock_version, ...confirmation }
      return changeAndAnswer(database, change, (writer, review) =>
        acceptSuggestion(writer, review, { caller: grant.caller, text, ruleVersion, response }),
      )
    },
  })
}
