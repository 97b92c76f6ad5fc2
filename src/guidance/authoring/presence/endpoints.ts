import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { id, idValue } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { findPresences, presenceSchema } from '../../activity/presence/reader.ts'
import { forgetPresence, rememberPresence } from '../../activity/presence/writer.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole } from '../access/component-access.ts'

const TAG = 'Events'

const params = z.object({
  id,
  window: z
    .string()
    .regex(/^[\da-z]{1,32}$/, 'must be up to 32 lower-case letters and digits')
    .describe('Identifies this window among those of the same person'),
})

/** Presence of people in a component. Event streams send it to the members. */
export function presenceEndpoints({ database }: Parts): readonly Endpoint[] {
  return [
    endpoint({
      method: 'put',
      path: '/api/components/{id}/presences/{window}',
      tag: TAG,
      operation: 'rememberPresence',
      summary: 'Report a component as open in a window for 90 seconds, and list the people who have it open',
      failure: 'Could not report the open window.',
      refusals: ['validation_failed'],
      access: componentRole(database, 'viewer'),
      input: z.object({ params, body: z.object({ rule_id: idValue.nullable() }) }),
      answer: z.object({ people: z.array(presenceSchema) }),
      handle: async ({ grant: { caller, componentId }, input }) => {
        const ruleId = input.body.rule_id
        await requireRuleOf(database.read, componentId, ruleId)
        const { window } = input.params
        await database.transact((writer) => rememberPresence(writer, { caller, window, componentId, ruleId }))
        return { people: [...(await findPresences(database.read, caller, componentId))] }
      },
    }),
    endpoint({
      method: 'delete',
      path: '/api/components/{id}/presences/{window}',
      tag: TAG,
      operation: 'forgetPresence',
      summary: 'Report a window as closed',
      access: componentRole(database, 'viewer'),
      input: z.object({ params }),
      answer: z.object({}),
      handle: async ({ grant: { caller }, input }) => {
        await database.transact((writer) => forgetPresence(writer, caller.id, input.params.window))
        return {}
      },
    }),
  ]
}

async function requireRuleOf(reader: Reader, componentId: number, ruleId: number | null): Promise<void> {
  if (ruleId === null) return
  const rule = await reader
    .selectFrom('rules')
    .select('id')
    .where('id', '=', ruleId)
    .where('component_id', '=', componentId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (rule !== undefined) return
  const fault = { field: 'rule_id', message: 'Rule must belong to this component' }
  throw refuseValues('Could not report the open window.', [fault])
}
