import { expect } from 'vitest'
import { z } from 'zod'
import type { RuleStatus } from '../../../../src/tables/statuses.ts'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { addRow, rowsOf, setRows } from '../../../support/guidance-records.ts'
import type { Answer, Client, GuidanceUnderTest, Person, SessionClient } from '../../../support/guidance.ts'

let people = 0

/** Somebody new, signed in. */
export function newcomer(guidance: GuidanceUnderTest, admin = false): Promise<Person & SessionClient> {
  people += 1
  return guidance.signUp(`Comp-${people}`, { admin })
}

export interface Scene {
  readonly owner: Person & SessionClient
  readonly projectId: number
  readonly made: MadeComponent
}

/** A component in a new, hidden project of somebody new. */
export async function newScene(
  guidance: GuidanceUnderTest,
  how: Partial<Parameters<typeof makeComponent>[2]> = {},
): Promise<Scene> {
  const owner = await newcomer(guidance)
  const projectId = await guidance.project(owner)
  const made = await makeComponent(guidance, owner, { projectId, ...how })
  return { owner, projectId, made }
}

/** Sets all rules of a component, past HTTP. */
export async function setRules(
  guidance: GuidanceUnderTest,
  component_id: number,
  values: { readonly status?: RuleStatus; readonly locked?: number },
): Promise<void> {
  await setRows(guidance, 'rules', values, { component_id })
}

/** Marks a component as released, past HTTP. */
export async function markReleased(guidance: GuidanceUnderTest, id: number): Promise<void> {
  await setRows(guidance, 'components', { released: 1 }, { id })
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

/** Kinds of events of a component, in their order. */
export async function eventsOf(guidance: GuidanceUnderTest, component_id: number): Promise<readonly string[]> {
  return (await rowsOf(guidance, 'events', { component_id })).map(({ kind }) => kind)
}

/** Adds a comment, past HTTP; its number. */
export function comment(
  guidance: GuidanceUnderTest,
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
  return addRow(guidance, 'reviews', {
    author_name: 'Ann',
    action: 'comment',
    comment: 'Too hot.',
    triage_status: values.responding_to_review_id === undefined ? 'pending' : null,
    created_at: now,
    updated_at: now,
    ...values,
  })
}
