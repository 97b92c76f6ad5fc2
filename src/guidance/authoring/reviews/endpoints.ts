import { z } from 'zod'
import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { toast, toastSchema } from '../../../http/toast.ts'
import type { Parts } from '../../parts/parts.ts'
import { reviewRole } from './actions/access.ts'
import { changeAndAnswer } from './actions/change.ts'
import { acceptance } from './actions/inputs.ts'
import { commentClusterEndpoints } from './cluster-endpoints.ts'
import { commentGroupEndpoints } from './group-endpoints.ts'
import { commentListEndpoints } from './list-endpoints.ts'
import { moderationEndpoints } from './moderation-endpoints.ts'
import { postEndpoints } from './post-endpoints.ts'
import { reviewSchema } from './records/schemas.ts'
import { responseEndpoints } from './response-endpoints.ts'
import { acceptSuggestion, NOT_ACCEPTED } from './suggestions/accept.ts'
import { triageEndpoints } from './triage-endpoints.ts'

/** Comments on guidance, their triage, and the review of rules. */
export function reviewEndpoints(parts: Parts): readonly Endpoint[] {
  return [
    ...postEndpoints(parts),
    ...triageEndpoints(parts),
    suggestionEndpoint(parts),
    ...moderationEndpoints(parts),
    ...responseEndpoints(parts),
    ...commentListEndpoints(parts),
    ...commentGroupEndpoints(parts),
    ...commentClusterEndpoints(parts),
  ]
}

/** Accepts the text that a comment suggests. */
function suggestionEndpoint({ database }: Parts): Endpoint {
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
