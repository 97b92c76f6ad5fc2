import { z } from 'zod'
import { type Access, callerAccess } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { clampedInteger, idParams, notFound, pathId } from '../../../http/input.ts'
import { confirmation, refuseValues, SAVED_MESSAGE, toast, toastSchema } from '../../../http/toast.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Database } from '../../database/database.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { projectRole, requireProjectRole, type ProjectGrant } from '../../parts/project-access.ts'
import { findDeliveries, findWebhooks, requireWebhook } from './reader.ts'
import { deliveryPage, newWebhook, webhookChanges, webhookSchema } from './schemas.ts'
import { makeSecret, sealSecret } from './secret.ts'
import { checkUrl, deleteWebhook, insertWebhook, pingWebhook, redeliver, updateWebhook } from './writer.ts'

const TAG = 'Webhooks'

/** Addresses to which the events of a project are sent. */
export function webhookEndpoints(parts: Parts): readonly Endpoint[] {
  return [
    list(parts),
    create(parts),
    show(parts),
    update(parts),
    remove(parts),
    ping(parts),
    deliveries(parts),
    deliverAgain(parts),
  ]
}

function list({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/projects/{id}/webhooks',
    operation: 'listWebhooks',
    tag: TAG,
    // Browsers get the page.
    mediaTypes: ['text/html'],
    summary: 'The webhooks of a project',
    access: projectRole(database, 'admin'),
    input: z.object({ params: idParams }),
    answer: z.object({ webhooks: z.array(webhookSchema) }),
    handle: async ({ grant: { projectId } }) => ({
      webhooks: await findWebhooks(database.read, projectId),
    }),
  })
}

const CREATE_FAILURE = 'Could not create webhook.'
const UPDATE_FAILURE = 'Could not update webhook.'

function create(parts: Parts): Endpoint {
  const { database, keys } = parts
  return endpoint({
    method: 'post',
    path: '/projects/{id}/webhooks',
    operation: 'createWebhook',
    tag: TAG,
    summary: 'Add a webhook; the secret that signs what is sent is shown this once',
    access: projectRole(database, 'admin'),
    failure: CREATE_FAILURE,
    input: z.object({ params: idParams, body: z.object({ webhook: newWebhook }) }),
    answer: z.object({ toast: toastSchema, webhook: webhookSchema, secret: z.string() }),
    handle: async ({ grant: { caller, projectId }, input: { body } }) => {
      const { secret = makeSecret(), kinds = [], active = true } = body.webhook
      const url = normalise(parts, body.webhook.url, CREATE_FAILURE)
      const sealed = sealSecret(secret, keys.webhook, projectId)
      const values = { projectId, url, secret: sealed, kinds: [...new Set(kinds)], active }
      const webhook = await database.transact((writer) => insertWebhook(writer, values, caller))
      const confirmation = toast('Webhook created.', 'Keep the secret: it is not shown again.')
      return { ...confirmation, webhook, secret }
    },
  })
}

function normalise({ settings }: Parts, url: string, failure: string): string {
  const errors = checkUrl(url, settings.webhooks.allowPrivate)
  if (errors.length > 0) throw refuseValues(failure, errors)
  return new URL(url).href
}

function show({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/webhooks/{id}',
    operation: 'getWebhook',
    tag: TAG,
    summary: 'A webhook',
    access: webhookAdmin(database),
    input: z.object({ params: idParams }),
    answer: webhookSchema,
    handle: ({ input: { params } }) => requireWebhook(database.read, params.id),
  })
}

function update(parts: Parts): Endpoint {
  const { database, keys } = parts
  return endpoint({
    path: '/webhooks/{id}',
    operation: 'updateWebhook',
    tag: TAG,
    method: ['put', 'patch'],
    summary: 'Change a webhook, switch it off or on, or give it another secret',
    access: webhookAdmin(database),
    failure: UPDATE_FAILURE,
    input: z.object({ params: idParams, body: z.object({ webhook: webhookChanges }) }),
    answer: z.object({ toast: toastSchema, webhook: webhookSchema }),
    handle: async ({ grant: { caller, projectId }, input: { params, body } }) => {
      const { url, secret, kinds, active } = body.webhook
      const changes = {
        url: url === undefined ? url : normalise(parts, url, UPDATE_FAILURE),
        secret: secret === undefined ? secret : sealSecret(secret, keys.webhook, projectId),
        kinds: kinds === undefined ? kinds : [...new Set(kinds)],
        active,
      }
      const target = { id: params.id, project_id: projectId }
      const webhook = await database.transact((writer) => updateWebhook(writer, target, { changes, caller }))
      return { ...toast('Webhook updated.', SAVED_MESSAGE), webhook }
    },
  })
}

function remove({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/webhooks/{id}',
    operation: 'deleteWebhook',
    tag: TAG,
    summary: 'Remove a webhook with the log of its deliveries',
    access: webhookAdmin(database),
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller, projectId }, input: { params } }) => {
      const webhook = { id: params.id, project_id: projectId }
      await database.transact((writer) => deleteWebhook(writer, webhook, caller))
      return toast('Webhook removed.', 'No more events are sent to it.')
    },
  })
}

const queued = z.object({
  toast: toastSchema,
  delivery_id: z.int().meta({ description: 'The number of the delivery in the log of deliveries' }),
})

function ping({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/webhooks/{id}/ping',
    operation: 'pingWebhook',
    tag: TAG,
    summary: 'Send a ping, to see whether it arrives',
    refusals: ['validation_failed'],
    access: webhookAdmin(database),
    input: z.object({ params: idParams }),
    answer: queued,
    handle: async ({ grant: { caller }, input: { params } }) => {
      const delivery_id = await database.transact((writer) => pingWebhook(writer, params.id, caller))
      return { ...toast('Ping queued.', LOGGED), delivery_id }
    },
  })
}

const LOGGED = 'See the log of deliveries for the result.'

const MAX_PAGE = 10_000_000

function deliveries({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/webhooks/{id}/deliveries',
    operation: 'listDeliveries',
    tag: TAG,
    summary: 'Results of the deliveries of the last 30 days, newest first',
    access: webhookAdmin(database),
    input: z.object({
      params: idParams,
      query: z.object({
        page: clampedInteger({ min: 1, max: MAX_PAGE, default: 1, invalid: 1 }),
        per_page: clampedInteger({ min: 1, max: 100, default: 25, invalid: 25 }),
      }),
    }),
    answer: deliveryPage,
    handle: async ({ input: { params, query } }) => {
      const { page, per_page } = query
      const { rows, total } = await findDeliveries(database.read, params.id, { page, perPage: per_page })
      const last = Math.max(1, Math.ceil(total / per_page))
      if (page > last) throw new Refusal('page_out_of_range', `Page ${page} is out of range (1..${last})`)
      return { rows, pagination: { page, per_page, total } }
    },
  })
}

function deliverAgain({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/webhook_deliveries/{id}/redeliver',
    operation: 'redeliver',
    tag: TAG,
    summary: 'Send a delivery again, as a new one',
    refusals: ['validation_failed'],
    access: ownerAdmin(database, findWebhookOfDelivery),
    input: z.object({ params: idParams }),
    answer: queued,
    handle: async ({ input: { params } }) => {
      const delivery_id = await database.transact((writer) => redeliver(writer, params.id))
      return { ...toast('Delivery queued.', LOGGED), delivery_id }
    },
  })
}

type FindOwner = (reader: Reader, id: number) => Promise<{ readonly project_id: number } | undefined>

function webhookAdmin(database: Database): Access<ProjectGrant> {
  return ownerAdmin(database, (reader, webhookId) =>
    reader.selectFrom('webhooks').select('project_id').where('id', '=', webhookId).executeTakeFirst(),
  )
}

const findWebhookOfDelivery: FindOwner = (reader, deliveryId) =>
  reader
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select('webhooks.project_id')
    .where('webhook_deliveries.id', '=', deliveryId)
    .executeTakeFirst()

/** An administrator of the project that owns the record with the id in the path. */
function ownerAdmin(database: Database, find: FindOwner): Access<ProjectGrant> {
  return callerAccess('project admin', async (caller, request) => {
    const webhook = await find(database.read, pathId(request))
    if (webhook === undefined) throw notFound()
    return requireProjectRole(database.read, caller, { projectId: webhook.project_id, least: 'admin' })
  })
}
