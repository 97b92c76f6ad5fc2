import type { Selectable } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../../http/input.ts'
import type { WebhooksTable } from '../../database/schema/events.ts'
import type { Reader } from '../../database/transaction.ts'
import { readKinds } from '../events/outbox.ts'
import type { Delivery, Webhook } from './schemas.ts'

/** All columns but the secret, which is never shown. */
const PUBLIC_COLUMNS = ['id', 'project_id', 'url', 'kinds', 'active', 'created_at', 'updated_at'] as const

export async function findWebhooks(reader: Reader, projectId: number): Promise<Webhook[]> {
  const rows = await reader
    .selectFrom('webhooks')
    .select(PUBLIC_COLUMNS)
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  return rows.map(shapeWebhook)
}

export async function requireWebhook(reader: Reader, id: number): Promise<Webhook> {
  const row = await reader.selectFrom('webhooks').select(PUBLIC_COLUMNS).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound()
  return shapeWebhook(row)
}

function shapeWebhook(row: Omit<Selectable<WebhooksTable>, 'secret' | 'created_by_id'>): Webhook {
  return { ...row, kinds: readKinds(row.kinds), active: row.active === 1 }
}

const kindOfPayload = z.object({ kind: z.string() })

/** A page of a webhook's deliveries, newest first. */
export async function findDeliveries(
  reader: Reader,
  webhookId: number,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<{ readonly rows: Delivery[]; readonly total: number }> {
  const ofWebhook = reader.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId)
  const { total } = await ofWebhook.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await ofWebhook
    .select(['id', 'webhook_id', 'event_id', 'state', 'payload', 'attempts', 'response_status'])
    .select(['error', 'next_attempt_at', 'delivered_at', 'created_at'])
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const shaped = rows.map(({ payload, event_id, ...row }) => {
    const { kind } = kindOfPayload.parse(JSON.parse(payload))
    return { ...row, kind, event_id: event_id === 0 ? null : event_id }
  })
  return { rows: shaped, total }
}
