import { z } from 'zod'
import { signedIn } from '../../../http/access.ts'
import { EVENTS } from '../../../http/answer/answers.ts'
import { acceptedMediaType } from '../../../http/answer/negotiation.ts'
import type { Caller } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { clampedInteger, id } from '../../../http/input.ts'
import { nextTurn } from '../../../platform/concurrency/turns.ts'
import { Refusal } from '../../../platform/errors.ts'
import { EVENT_KINDS } from '../../../tables/event-kinds.ts'
import type { Database } from '../../database/database.ts'
import type { Parts } from '../../parts/parts.ts'
import { findStart, readEvents, type EventFilter } from './reader.ts'
import { eventSchema, type Event } from './shape.ts'
import type { EventStreams } from './streams.ts'

const STREAM = 'text/event-stream'
const PAGE = 'application/json'
/** The highest number that the column of events can hold. */
const MAX_NUMBER = 2_147_483_647
/** Limit of queries for one page. */
const MAX_ROUNDS = 20

const limit = clampedInteger({ min: 1, max: 500, default: 100, invalid: 100 })

const number = z
  .string()
  .regex(/^\d{1,10}$/, 'must be the number of an event')
  .transform(Number)
  .refine((value) => value <= MAX_NUMBER, 'must be the number of an event')
  .meta({ type: 'integer', minimum: 0, maximum: MAX_NUMBER, pattern: undefined })

const kinds = z
  .string()
  .max(1000)
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(EVENT_KINDS, 'must be kinds of events, with commas between them')))
  .meta({ type: 'string', items: undefined, description: 'Such as rule.updated,comment.created' })

const query = z.object({
  after: number.optional().describe('The last event that the client has; without it, only events from now on'),
  project_id: id.optional(),
  component_id: id.optional(),
  kinds: kinds.optional(),
  presences: z
    .literal('true')
    .optional()
    .describe('true: a stream of one component also sends `presences`: the people who have it open now'),
  stream: z
    .literal('false')
    .optional()
    .describe('false: a page of JSON instead of a stream; Accept: application/json does the same'),
  limit: limit.describe('Events in a page, 1 to 500; default: 100'),
})

const eventPage = z.object({
  events: z.array(eventSchema),
  next_after: z.int().meta({
    description: 'Send it as `after` to get the next page: the number of an event that the caller may read, or 0',
  }),
  gap: z.boolean().meta({
    description: 'Whether events after the given one have been removed, or the given one can no longer be read',
  }),
})

/** `GET /api/events`: events about guidance that the caller may read, after a number. */
export function eventsEndpoint({
  database,
  streams,
}: Pick<Parts, 'database'> & { readonly streams: EventStreams }): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/events',
    operation: 'followEvents',
    tag: 'Events',
    summary: 'Changes as events: a stream (server-sent events), or pages for polling',
    refusals: ['overloaded', 'parameter_invalid'],
    access: signedIn,
    lists: ['kinds'],
    input: z.object({ query }),
    answer: EVENTS,
    mediaTypes: [STREAM, PAGE],
    page: eventPage,
    handle: async ({ grant: { caller }, input, header }) => {
      const { project_id, component_id, kinds: requestedKinds = [], presences, stream, ...position } = input.query
      const filter = {
        projectId: project_id ?? null,
        componentId: component_id ?? null,
        kinds: requestedKinds,
        presences: presences === 'true',
      }
      const after = lastEventOf(header('Last-Event-ID')) ?? position.after ?? null
      const type = acceptedMediaType(header('Accept'), [STREAM, PAGE])
      if (stream !== 'false' && type !== PAGE) return streams.open({ caller, filter, after })
      return { page: await findPage(database, { caller, filter }, { after, limit: position.limit }) }
    },
  })
}

/** The number that a resumed stream sends; null without one. It takes precedence over the query. */
function lastEventOf(header: string | undefined): number | null {
  if (header === undefined || header === '') return null
  const parsed = number.safeParse(header)
  if (parsed.success) return parsed.data
  throw new Refusal('parameter_invalid', 'Last-Event-ID must be the number of an event.', {
    parameter: 'Last-Event-ID',
  })
}

async function findPage(
  database: Database,
  reading: { readonly caller: Caller; readonly filter: EventFilter },
  { after, limit: maxEvents }: { readonly after: number | null; readonly limit: number },
): Promise<z.infer<typeof eventPage>> {
  const { cursor, gap, last } = await findStart(database, reading.caller, after)
  const events: Event[] = []
  let next = cursor
  for (let round = 0; round < MAX_ROUNDS && next < last && events.length < maxEvents; round += 1) {
    const batch = await readEvents(database.read, reading, {
      after: next,
      upTo: last,
      limit: maxEvents - events.length,
    })
    events.push(...batch.events)
    next = batch.next
    await nextTurn()
  }
  return { events, next_after: next, gap }
}
