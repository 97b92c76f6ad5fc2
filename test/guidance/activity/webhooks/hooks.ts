import { z } from 'zod'
import { deliveryPage, webhookSchema, type Delivery } from '../../../../src/guidance/activity/webhooks/schemas.ts'
import type { SessionClient } from '../../../support/guidance.ts'

export interface Hook {
  readonly id: number
  readonly secret: string
  /** The log, the newest first. */
  readonly deliveries: () => Promise<readonly Delivery[]>
}

/** Adds a webhook to a project of whoever is signed in. */
export async function addHook(
  session: SessionClient,
  projectId: number,
  webhook: { readonly url: string; readonly kinds?: readonly string[]; readonly active?: boolean },
): Promise<Hook> {
  const { body } = await session.call('POST', `/projects/${projectId}/webhooks`, { body: { webhook } })
  const answer = z.object({ webhook: webhookSchema, secret: z.string() }).parse(body)
  const { id } = answer.webhook
  const deliveries = async (): Promise<readonly Delivery[]> =>
    deliveryPage.parse((await session.call('GET', `/webhooks/${id}/deliveries`)).body).rows
  return { id, secret: answer.secret, deliveries }
}
