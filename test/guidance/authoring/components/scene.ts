import { expect } from 'vitest'
import { z } from 'zod'
import type { RuleStatus } from '../../../../src/tables/statuses.ts'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import type { Answer, Client, GuidanceUnderTest, SessionClient } from '../../../support/guidance.ts'

let people = 0

/** Somebody new, signed in. */
export async function newcomer(
  guidance: GuidanceUnderTest,
  admin = false,
): Promise<{ client: SessionClient; person: Awaited<ReturnType<GuidanceUnderTest['person']>> }> {
  people += 1
  const person = await guidance.person(`Comp-${people}`, { admin })
  return { person, client: await guidance.signIn(person.email) }
}

export interface Scene {
  readonly owner: SessionClient
  readonly ownerPerson: Awaited<ReturnType<GuidanceUnderTest['person']>>
  readonly projectId: number
  readonly made: MadeComponent
}

/** A component in a new, hidden project of somebody new. */
export async function newScene(
  guidance: GuidanceUnderTest,
  how: Partial<Parameters<typeof makeComponent>[2]> = {},
): Promise<Scene> {
  const { client: owner, person: ownerPerson } = await newcomer(guidance)
  const projectId = await guidance.project(owner)
  const made = await makeComponent(guidance, ownerPerson, { projectId, ...how })
  return { owner, ownerPerson, projectId, made }
}

/** Sets all rules of a component, past HTTP. */
export async function setRules(
  { service }: GuidanceUnderTest,
  componentId: number,
  values: { readonly status?: RuleStatus; readonly locked?: number },
): Promise<void> {
  await service.guidance.database.transact((writer) =>
    writer.updateTable('rules').set(values).where('component_id', '=', componentId).execute(),
  )
}

/** Marks a component as released, past HTTP. */
export async function markReleased({ service }: GuidanceUnderTest, componentId: number): Promise<void> {
  await service.guidance.database.transact((writer) =>
    writer.updateTable('components').set({ released: 1 }).where('id', '=', componentId).execute(),
  )
}

export function create(client: Client, projectId: number, component: unknown): Promise<Answer> {
  return client.call('POST', `/projects/${projectId}/components`, { body: { component } })
}

/** Makes a component that is to be made; its number. */
export async function createGood(client: Client, projectId: number, component: unknown): Promise<number> {
  const { status, body } = await create(client, projectId, component)
  expect([status, body]).toEqual([200, body])
  return z.object({ id: z.int() }).parse(body).id
}

export function put(client: Client, id: number, component: unknown): Promise<Answer> {
  return client.call('PUT', `/components/${id}`, { body: { component } })
}

const seen = z.looseObject({
  rules: z.array(
    z.looseObject({
      id: z.int(),
      rule_id: z.string(),
      version: z.string().nullable(),
      title: z.string(),
      status: z.string(),
      locked: z.boolean(),
      checks_attributes: z.array(z.looseObject({ content: z.string().nullable() })),
    }),
  ),
  reviews: z.array(z.looseObject({ id: z.int(), comment: z.string() })),
})

/** A component as somebody who may read it sees it. */
export async function view(client: Client, id: number): Promise<z.infer<typeof seen>> {
  const { status, body } = await client.call('GET', `/components/${id}`)
  expect(status).toBe(200)
  return seen.parse(body)
}

const happened = z.array(z.object({ kind: z.string(), data: z.string() }))

/** Kinds of events of a component, in their order. */
export async function eventsOf({ service }: GuidanceUnderTest, componentId: number): Promise<readonly string[]> {
  const rows = await service.guidance.database.read
    .selectFrom('events')
    .select(['kind', 'data'])
    .where('component_id', '=', componentId)
    .orderBy('id')
    .execute()
  return happened.parse(rows).map(({ kind }) => kind)
}

/** Adds a comment, past HTTP; its number. */
export async function comment(
  { service }: GuidanceUnderTest,
  values: {
    readonly component_id: number
    readonly rule_id: number | null
    readonly responding_to_review_id?: number
    readonly duplicate_of_review_id?: number
    readonly comment?: string
    readonly triage_status?: 'pending' | 'duplicate'
  },
): Promise<number> {
  const now = new Date().toISOString()
  const { id } = await service.guidance.database.transact((writer) =>
    writer
      .insertInto('reviews')
      .values({
        user_id: null,
        author_name: 'Ann',
        author_email: null,
        action: 'comment',
        comment: 'Too hot.',
        section: null,
        responding_to_review_id: null,
        triage_status: 'pending',
        triage_set_by_id: null,
        triage_set_by_name: null,
        triage_set_at: null,
        adjudicated_by_id: null,
        adjudicated_by_name: null,
        adjudicated_at: null,
        duplicate_of_review_id: null,
        addressed_by_rule_id: null,
        original_rule_id: null,
        created_at: now,
        updated_at: now,
        ...values,
        ...(values.responding_to_review_id !== undefined && { triage_status: null }),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}
