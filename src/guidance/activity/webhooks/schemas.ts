import { z } from 'zod'
import { isStorable, unstorable } from '../../../http/input.ts'
import { EVENT_KINDS } from '../../../tables/event-kinds.ts'

const kind = z.enum(EVENT_KINDS, 'Kinds must be kinds of events')

const url = z
  .string('Url must be an address')
  .max(2048, 'Url is too long (maximum is 2048 characters)')
  .refine(isStorable, unstorable('Url'))
  .refine((text) => URL.canParse(text), 'Url must be an address')

const secret = z
  .string('Secret must be a text')
  .min(16, 'Secret is too short (minimum is 16 characters)')
  .max(200, 'Secret is too long (maximum is 200 characters)')
  .refine(isStorable, unstorable('Secret'))
  .meta({ description: 'It signs the deliveries, and is never returned' })

const kinds = z
  .array(kind, 'Kinds must be a list')
  .max(EVENT_KINDS.length, 'Kinds has too many entries')
  .meta({ description: 'All kinds when it is empty' })

const active = z.boolean('Active must be true or false')

export const newWebhook = z.object({
  url,
  secret: secret.optional(),
  kinds: kinds.optional(),
  active: active.optional(),
})

export const webhookChanges = newWebhook.partial()

export const webhookSchema = z.object({
  id: z.int(),
  project_id: z.int(),
  url: z.string(),
  kinds: z.array(z.string()).meta({ description: 'All kinds when it is empty' }),
  active: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export type Webhook = z.infer<typeof webhookSchema>

export const deliverySchema = z.object({
  id: z.int().meta({ description: 'X-Parapet-Delivery' }),
  webhook_id: z.int(),
  event_id: z.int().nullable().meta({ description: 'Null for a ping' }),
  kind: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  response_status: z.int().nullable().meta({ description: 'HTTP status of the last attempt' }),
  error: z.string().nullable().meta({ description: 'What failed in the last attempt' }),
  next_attempt_at: z.iso.datetime().nullable(),
  delivered_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
})

export type Delivery = z.infer<typeof deliverySchema>

export const deliveryPage = z.object({
  rows: z.array(deliverySchema),
  pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
})
