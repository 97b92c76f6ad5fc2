import { z } from 'zod'
import { bySession } from '../../../http/access.ts'
import { actorOf } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, NO_INPUT } from '../../../http/input.ts'
import { confirmation, SAVED_MESSAGE, refuseValues, toast, toastSchema } from '../../../http/toast.ts'
import { secondFactorChangedMessage } from '../mail/messages.ts'
import type { IdentityParts } from '../parts.ts'
import type { LocalSignIn } from '../sign-in/sign-in.ts'
import { requireOwn } from '../users/reader.ts'
import { holdOwn } from '../users/record.ts'
import { describeFactor, findFactors, note, removeFactor, renameFactor } from './factors.ts'
import { hasPasskeys } from './passkeys.ts'
import { proveForFactors } from './proof.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import { factorName, provenBody, secondFactor, shapeFactor } from './schemas.ts'
import { hasSecondFactor, isRequired } from './state.ts'

const TAG = 'Second factor'

/** The second factors of the caller's account; tokens are refused. */
export function ownFactorEndpoints(parts: IdentityParts, local: LocalSignIn): readonly Endpoint[] {
  return [list(parts), rename(parts), remove(parts, local), renewCodes(parts, local)]
}

const factorList = z.object({
  second_factors: z.array(secondFactor),
  recovery_codes_left: z.int(),
  required: z.boolean().meta({ description: 'Whether the account must have a second factor' }),
  local_password: z.boolean().meta({ description: 'Without one, the second factor is up to the provider' }),
  passkeys: z.boolean().meta({ description: 'Whether the address of this service allows them' }),
})

function list(parts: IdentityParts): Endpoint {
  const { database, settings, baseUrl } = parts
  return endpoint({
    method: 'get',
    path: '/users/second_factors',
    operation: 'listSecondFactors',
    tag: TAG,
    summary: 'Second factors of the caller’s account',
    access: bySession,
    beforeSecondFactor: true,
    input: NO_INPUT,
    answer: factorList,
    handle: async ({ grant: { caller } }) => {
      const user = await requireOwn(database.read, caller)
      return {
        second_factors: (await findFactors(database.read, user.id)).map(shapeFactor),
        recovery_codes_left: await countRecoveryCodes(database.read, user.id),
        required: isRequired(settings.secondFactor, user),
        local_password: user.password_hash !== null,
        passkeys: hasPasskeys(baseUrl),
      }
    },
  })
}

function rename({ database }: IdentityParts): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/users/second_factors/{id}',
    operation: 'renameSecondFactor',
    tag: TAG,
    summary: 'Rename one’s own second factor',
    access: bySession,
    failure: 'Could not rename the second factor.',
    input: z.object({ params: idParams, body: z.object({ name: factorName }) }),
    answer: z.object({ toast: toastSchema, second_factor: secondFactor }),
    handle: async ({ grant: { caller }, input: { params, body } }) => {
      const ownFactor = { id: params.id, userId: caller.id }
      const change = { name: body.name, actor: actorOf(caller) }
      const renamed = await database.transact((writer) => renameFactor(writer, ownFactor, change))
      return { ...toast('Second factor renamed.', SAVED_MESSAGE), second_factor: shapeFactor(renamed) }
    },
  })
}

function remove(parts: IdentityParts, local: LocalSignIn): Endpoint {
  const title = 'Could not remove the second factor.'
  return endpoint({
    method: 'delete',
    path: '/users/second_factors/{id}',
    operation: 'removeSecondFactor',
    tag: TAG,
    summary: 'Remove one’s own second factor; removing the last one also removes the recovery codes',
    refusals: ['recent_sign_in_required', 'validation_failed'],
    access: bySession,
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params }, session }) => {
      await proveForFactors(parts, local, { caller, session, password: undefined })
      const ownFactor = { id: params.id, userId: caller.id }
      const removed = await parts.database.transact((writer) =>
        removeFactor(writer, ownFactor, {
          actor: actorOf(caller),
          title,
          mayBeLast: (user) => !isRequired(parts.settings.secondFactor, user),
        }),
      )
      const change = `A second factor was removed from your Parapet account: ${describeFactor(removed)}.`
      parts.mailer?.send(secondFactorChangedMessage({ to: caller.email, name: caller.name }, change))
      return toast('Second factor removed.', `${removed.name} no longer works.`)
    },
  })
}

function renewCodes(parts: IdentityParts, local: LocalSignIn): Endpoint {
  const title = 'Could not make recovery codes.'
  return endpoint({
    method: 'post',
    path: '/users/recovery_codes',
    operation: 'renewRecoveryCodes',
    tag: TAG,
    summary: 'Create new recovery codes, which replace the old ones and are shown only once',
    refusals: ['incorrect_password', 'recent_sign_in_required', 'validation_failed'],
    access: bySession,
    input: z.object({ body: provenBody }),
    answer: z.object({ toast: toastSchema, recovery_codes: z.array(z.string()) }),
    handle: async ({ grant: { caller }, input: { body }, session }) => {
      await proveForFactors(parts, local, { caller, session, password: body?.current_password })
      const recovery_codes = await parts.database.transact(async (writer) => {
        const user = await holdOwn(writer, caller)
        if (!(await hasSecondFactor(writer, user.id))) {
          const message = 'Recovery codes need a second factor: set one up first'
          throw refuseValues(title, [{ field: null, message }])
        }
        await note(writer, user, { actor: actorOf(caller), comment: 'Recovery codes were made' })
        return [...(await replaceRecoveryCodes(writer, parts.keys.secondFactor, user.id))]
      })
      return { ...toast('New recovery codes.', 'The old ones no longer work.'), recovery_codes }
    },
  })
}
