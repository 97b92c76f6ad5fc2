import { z } from 'zod'
import { siteAdminBySession } from '../../../http/access.ts'
import { actorOf } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { confirmation, refuseValues, toast } from '../../../http/toast.ts'
import { changeProven, proofToOpen } from '../administration/administer.ts'
import { SECOND_FACTOR_RESET, secondFactorChangedMessage } from '../mail/messages.ts'
import type { IdentityParts } from '../parts.ts'
import type { LocalSignIn } from '../sign-in/sign-in.ts'
import { proofBody } from '../users/schemas.ts'
import { resetFactors } from './factors.ts'

const FAILURE_MESSAGE = 'Could not reset the second factor.'

/** Resets the second factors of a user who has lost all of them. */
export function resetFactorEndpoint(parts: IdentityParts, local: LocalSignIn): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/{id}/reset_second_factor',
    operation: 'resetSecondFactor',
    tag: 'User administration',
    summary: 'Remove the second factors and recovery codes of a user; their sessions end',
    refusals: ['incorrect_password', 'validation_failed'],
    access: siteAdminBySession,
    input: z.object({ params: idParams, body: proofBody }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params, body }, session }) => {
      if (params.id === caller.id) {
        const message = 'Remove your own second factor on your account page, or ask another administrator'
        throw refuseValues(FAILURE_MESSAGE, [{ field: null, message }])
      }
      const { to, name } = await changeProven(parts, local, {
        id: params.id,
        claim: { caller, session, password: body?.user?.current_password },
        proofFor: (user) => proofToOpen(user, caller),
        work: async (writer, user) => {
          await resetFactors(writer, user, actorOf(caller))
          return { to: user.email, name: user.name }
        },
      })
      parts.mailer?.send(secondFactorChangedMessage({ to, name }, SECOND_FACTOR_RESET))
      return toast('Second factor reset.', 'They can sign in with the password alone. Their sessions have ended.')
    },
  })
}
