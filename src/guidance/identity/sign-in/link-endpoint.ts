import { z } from 'zod'
import { bySession } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { notFound } from '../../../http/input.ts'
import type { Session } from '../../../http/session.ts'
import { confirmation, toast } from '../../../http/toast.ts'
import type { IdentityParts } from '../parts.ts'
import { currentPassword } from '../users/schemas.ts'
import { proveIdentity } from './proof.ts'
import type { LocalSignIn } from './sign-in.ts'

/** Time for the sign-on that links an identity. */
const LINKING_MS = 5 * 60_000

/** Allows the next sign-on in this session to link an identity that would not be linked by its address. */
export function linkIdentityEndpoint(parts: IdentityParts, local: LocalSignIn): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/link_identity',
    operation: 'linkIdentity',
    tag: 'Accounts',
    summary: 'Link one’s own account with the next sign-in through a provider in this session',
    refusals: ['not_found', 'incorrect_password'],
    access: bySession,
    failure: 'Could not prepare the link.',
    input: z.object({ body: z.object({ current_password: currentPassword.optional() }) }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { body }, session }) => {
      if (parts.oidc === null && parts.ldap === null) throw notFound()
      await proveIdentity(parts, local, { caller, session, password: body.current_password })
      await session.remember({ linkingUntil: Date.now() + LINKING_MS })
      return toast('Almost done.', 'Sign in through the provider within five minutes.')
    },
  })
}

/** Returns the account to link, if its owner has requested that in this session; else null. */
export function findLinkingUser({ data, timedOut }: Pick<Session, 'data' | 'timedOut'>): number | null {
  const { userId = null, linkingUntil = 0 } = data
  return linkingUntil > Date.now() && !timedOut ? userId : null
}
