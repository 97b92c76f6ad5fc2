import { z } from 'zod'
import { bySession, siteAdminBySession, type Access, type CallerGrant } from '../../../http/access.ts'
import { actorOf } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { describeForgiving, id, idParams, notFound, requiredText } from '../../../http/input.ts'
import { refuseTokens } from '../../../http/refusals.ts'
import { confirmation, toast } from '../../../http/toast.ts'
import type { Parts } from '../../parts/parts.ts'
import { proveIdentity } from '../sign-in/proof.ts'
import type { LocalSignIn } from '../sign-in/sign-in.ts'
import { requireUser } from '../users/reader.ts'
import { mintToken } from './format.ts'
import { findTokens, shapeToken } from './reader.ts'
import { newTokenBody, tokenSchema } from './schemas.ts'
import { insertToken, revokeToken } from './writer.ts'

const TAG = 'Personal access tokens'

/** Personal access tokens. A token cannot manage tokens. */
export function tokenEndpoints(parts: Parts, local: LocalSignIn): readonly Endpoint[] {
  return [list(parts), create(parts, local), revoke(parts), adminRevoke(parts)]
}

/** Makes endpoints answer 404 if tokens are switched off. */
function requireEnabled<G>(parts: Parts, access: Access<G>): Access<G> {
  return {
    ...access,
    grant: async (request) => {
      if (!parts.settings.tokensEnabled)
        throw refuseTokens('not_found', 'Personal access tokens are switched off here.')
      return access.grant(request)
    },
  }
}

const listedToken = tokenSchema.extend({
  user_id: z.int().optional(),
  user_name: z.string().optional(),
  user_email: z.string().optional(),
})

function list(parts: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/personal_access_tokens',
    operation: 'listTokens',
    tag: TAG,
    summary: 'The caller’s tokens; a site administrator may list those of another user',
    refusals: ['not_found'],
    access: requireEnabled(parts, bySession),
    input: z.object({
      query: z.object({
        user_id: z
          .string()
          .optional()
          .meta({ type: 'integer', ...describeForgiving('For site administrators; ignored otherwise') }),
      }),
    }),
    answer: z.object({ personal_access_tokens: z.array(listedToken) }),
    handle: async ({ grant: { caller }, input: { query } }) => {
      const requestedUser = caller.admin && query.user_id !== undefined ? id.safeParse(query.user_id) : null
      if (requestedUser === null) {
        const ownTokens = await findTokens(parts.database.read, caller.id)
        return { personal_access_tokens: ownTokens.map((token) => tokenSchema.parse(token)) }
      }
      if (!requestedUser.success) throw notFound()
      await requireUser(parts.database.read, requestedUser.data)
      return { personal_access_tokens: await findTokens(parts.database.read, requestedUser.data) }
    },
  })
}

const proof = z.object({
  personal_access_token: z.object({ current_password: z.unknown().optional() }),
})

/** Checks the password before the input; an invalid body is refused later. */
function requireProof(parts: Parts, local: LocalSignIn): Access<CallerGrant> {
  return requireEnabled(parts, {
    ...bySession,
    grant: async (request) => {
      const grant = await bySession.grant(request)
      const parsedProof = proof.safeParse(request.body)
      if (!parsedProof.success) return grant
      const { current_password } = parsedProof.data.personal_access_token
      const password = typeof current_password === 'string' ? current_password : undefined
      await proveIdentity(parts, local, { ...grant, session: request.session, password })
      return grant
    },
  })
}

function create(parts: Parts, local: LocalSignIn): Endpoint {
  const failure = 'Could not create token.'
  return endpoint({
    method: 'post',
    path: '/personal_access_tokens',
    operation: 'createToken',
    tag: TAG,
    summary: 'Create a token; the raw token is returned only once',
    refusals: ['not_found', 'incorrect_password'],
    access: requireProof(parts, local),
    failure,
    input: z.object({ body: z.object({ personal_access_token: newTokenBody }) }),
    answer: z.object({ token: z.string(), personal_access_token: tokenSchema }),
    handle: async ({ grant: { caller }, input: { body } }) => {
      const raw = mintToken()
      const token = { ...body.personal_access_token, userId: caller.id, raw }
      const context = { key: parts.keys.token, actor: actorOf(caller), title: failure }
      const created = await parts.database.transact((writer) => insertToken(writer, token, context))
      return { token: raw, personal_access_token: shapeToken(created) }
    },
  })
}

function revoke(parts: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/personal_access_tokens/{id}',
    operation: 'revokeToken',
    tag: TAG,
    summary: 'Revoke one’s own token',
    access: requireEnabled(parts, bySession),
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params } }) => {
      const revocation = { id: params.id, ownerId: caller.id, comment: null }
      const { name } = await parts.database.transact((writer) => revokeToken(writer, revocation, actorOf(caller)))
      return toast('Token revoked.', `'${name}' has been revoked.`)
    },
  })
}

function adminRevoke(parts: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/personal_access_tokens/{id}/admin_revoke',
    operation: 'revokeTokenAsAdministrator',
    tag: TAG,
    summary: 'Revoke a token of any user, with a reason',
    access: requireEnabled(parts, siteAdminBySession),
    failure: 'Could not revoke token.',
    input: z.object({
      params: idParams,
      body: z.object({ audit_comment: requiredText('Audit comment', { max: 4096 }) }),
    }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params, body } }) => {
      const revocation = { id: params.id, ownerId: null, comment: body.audit_comment }
      const { name, owner } = await parts.database.transact(async (writer) => {
        const token = await revokeToken(writer, revocation, actorOf(caller))
        return { name: token.name, owner: await requireUser(writer, token.user_id) }
      })
      return toast('Token revoked.', `Admin revoked '${name}' for ${owner.name}.`)
    },
  })
}
