import { actorOf, type Caller } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues, type FieldError } from '../../../http/toast.ts'
import { isInside } from '../../../platform/network/addresses.ts'
import { hasBlockedPort } from '../../../platform/network/ports.ts'
import { isOrphan } from '../../database/faults.ts'
import type { Writer } from '../../database/transaction.ts'
import { writeAudit, type AuditSubject } from '../audits/writer.ts'
import { insertDeliveries, payloadOf } from '../events/outbox.ts'
import { requireWebhook } from './reader.ts'
import type { Webhook } from './schemas.ts'

/** Limit for one project, because each webhook makes every change of its guidance slower. */
const MAX_WEBHOOKS = 10

/** A webhook to add; the secret is encrypted. */
interface NewWebhook {
  readonly url: string
  readonly secret: string
  readonly kinds: readonly string[]
  readonly active: boolean
}

/** The faults of an address. Names are checked at each connection. */
export function checkUrl(text: string, allowPrivate: boolean): readonly FieldError[] {
  const url = new URL(text)
  const scheme = /^https?:$/.test(url.protocol) && (allowPrivate || url.protocol === 'https:')
  const messages = [
    ...(scheme ? [] : ['Url must begin with https://']),
    ...(url.username === '' && url.password === '' ? [] : ['Url must not hold a password']),
    ...(allowPrivate || !isInside(url) ? [] : ['Url must be that of a public address']),
    ...(hasBlockedPort(url) ? [`Url must not name port ${url.port}, which is not for HTTP`] : []),
  ]
  return messages.map((message) => ({ field: 'url', message }))
}

/** Adds a webhook to a project, unless it has as many as allowed. */
export async function insertWebhook(
  writer: Writer,
  { projectId, ...values }: NewWebhook & { readonly projectId: number },
  caller: Caller,
): Promise<Webhook> {
  await writer.lock('project', projectId)
  await requireFewWebhooks(writer, projectId)
  const id = await insertRow(writer, { projectId, ...values }, caller)
  const webhook = await requireWebhook(writer, id)
  await writeAudit(writer, actorOf(caller), {
    action: 'create',
    subject: subjectOf(webhook),
    after: { ...fieldsOf(webhook), secret: 'set' },
  })
  return webhook
}

async function insertRow(
  writer: Writer,
  { projectId, url, secret, kinds, active }: NewWebhook & { readonly projectId: number },
  caller: Caller,
): Promise<number> {
  const now = new Date().toISOString()
  try {
    const { id } = await writer
      .insertInto('webhooks')
      .values({
        project_id: projectId,
        url,
        secret,
        kinds: JSON.stringify(kinds),
        active: active ? 1 : 0,
        created_by_id: caller.id,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  } catch (error) {
    throw isOrphan(error) ? notFound() : error
  }
}

async function requireFewWebhooks(writer: Writer, projectId: number): Promise<void> {
  const { count } = await writer
    .selectFrom('webhooks')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (count < MAX_WEBHOOKS) return
  const message = `A project has at most ${MAX_WEBHOOKS} webhooks`
  throw refuseValues('Could not create webhook.', [{ field: null, message }])
}

/** The changes of a webhook; undefined keeps a value. */
type WebhookChanges = { readonly [Field in keyof NewWebhook]?: NewWebhook[Field] | undefined }

/** Changes a webhook. Queued deliveries go to its address at the time they are sent. */
export async function updateWebhook(
  writer: Writer,
  { id, project_id: projectId }: Pick<Webhook, 'id' | 'project_id'>,
  { changes, caller }: { readonly changes: WebhookChanges; readonly caller: Caller },
): Promise<Webhook> {
  await writer.lock('project', projectId)
  const before = await requireWebhook(writer, id)
  const { url = before.url, kinds = before.kinds, active = before.active, secret } = changes
  await writer
    .updateTable('webhooks')
    .set({
      url,
      kinds: JSON.stringify(kinds),
      active: active ? 1 : 0,
      ...(secret !== undefined && { secret }),
      updated_at: new Date().toISOString(),
    })
    .where('id', '=', id)
    .execute()
  const after = await requireWebhook(writer, id)
  const urlChange = url === before.url ? {} : { address: 'changed' }
  const secretChange = secret === undefined ? {} : { secret: 'changed' }
  await writeAudit(writer, actorOf(caller), {
    action: 'update',
    subject: subjectOf(before),
    before: fieldsOf(before),
    after: { ...fieldsOf(after), ...urlChange, ...secretChange },
  })
  // Deliveries may have been queued while it was switched off.
  if (active && !before.active) writer.announce('deliveries')
  return after
}

/** Removes a webhook with the log of its deliveries. */
export async function deleteWebhook(
  writer: Writer,
  { id, project_id: projectId }: Pick<Webhook, 'id' | 'project_id'>,
  caller: Caller,
): Promise<void> {
  await writer.lock('project', projectId)
  const before = await requireWebhook(writer, id)
  await writer.deleteFrom('webhooks').where('id', '=', id).execute()
  await writeAudit(writer, actorOf(caller), {
    action: 'destroy',
    subject: subjectOf(before),
    before: fieldsOf(before),
  })
}

/** Queues a test delivery that belongs to no event, and returns its number. */
export async function pingWebhook(writer: Writer, id: number, caller: Caller): Promise<number> {
  const webhook = await requireActive(writer, id)
  const payload = payloadOf({
    id: 0,
    kind: 'ping',
    created_at: new Date().toISOString(),
    actor: caller.name,
    project_id: webhook.project_id,
    component_id: null,
    data: JSON.stringify({ webhook_id: id }),
  })
  const [delivery = 0] = await insertDeliveries(writer, [{ webhookId: id, eventId: 0, payload }])
  return delivery
}

/** Queues a copy of a delivery; the log keeps the result of the first. */
export async function redeliver(writer: Writer, deliveryId: number): Promise<number> {
  const sentDelivery = await writer
    .selectFrom('webhook_deliveries')
    .select(['webhook_id', 'event_id', 'payload', 'state'])
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow(() => notFound())
  await requireActive(writer, sentDelivery.webhook_id)
  if (sentDelivery.state === 'waiting') throw refuse('state', 'The delivery is still waiting for its next attempt')
  const { webhook_id: webhookId, event_id: eventId, payload } = sentDelivery
  const [delivery = 0] = await insertDeliveries(writer, [{ webhookId, eventId, payload }])
  return delivery
}

/** The webhook, locked until the transaction ends. */
async function requireActive(writer: Writer, id: number): Promise<Webhook> {
  await writer
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', id)
    .$if(writer.dialect === 'postgres', (query) => query.forKeyShare())
    .execute()
  const webhook = await requireWebhook(writer, id)
  if (!webhook.active) throw refuse('active', 'The webhook is switched off')
  return webhook
}

function refuse(field: string, message: string): Error {
  return refuseValues('Could not deliver.', [{ field, message }])
}

type AuditedFields = Readonly<Record<'host', string>> & {
  readonly kinds: readonly string[]
  readonly active: boolean
}

/**
 * Fields for the audit trail, with only the host of the address, because the rest may be a secret.
 */
function fieldsOf({ url, kinds, active }: Webhook): AuditedFields {
  return { host: new URL(url).host, kinds, active }
}

function subjectOf({ id, project_id, url }: Webhook): AuditSubject {
  return { type: 'Webhook', id, name: new URL(url).host, projectId: project_id }
}
