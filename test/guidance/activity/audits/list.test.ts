// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { guidanceService, signedIn } from '../../../support/guidance.ts'

const PATH = '/api/audits'

const guidance = guidanceService()
const root = signedIn(guidance, 'Root', { admin: true })
let project: number

beforeAll(async () => {
  project = await guidance().project(root)
  for (let edit = 1; edit <= 30; edit += 1)
    await root.call('PUT', `/projects/${project}`, { body: { project: { description: `Edit ${edit}` } } })
})

describe('GET /api/audits', () => {
  it('lists entries, newest first, 25 a page', async () => {
    const { rows, pagination } = await list('')
    expect(pagination).toEqual({ page: 1, per_page: 25, total: 33 })
    expect(rows).toHaveLength(25)
    expect(rows[0]).toEqual({
      id: rows[0]?.id,
      action: 'update',
      auditable_type: 'Project',
      auditable_id: project,
      actor_id: root.id,
      name: 'Root',
      via: 'session 1',
      audited_name: 'Project of a test',
      comment: null,
      created_at: rows[0]?.created_at,
      audited_changes: [{ field: 'description', prev_value: 'Edit 29', new_value: 'Edit 30' }],
    })
    const times = rows.map(({ created_at }) => Date.parse(created_at))
    expect(times).toEqual([...times].sort((a, b) => b - a))
    expect(Date.now() - (times[0] ?? 0)).toBeLessThan(60_000)
    const next = await list('?page=2')
    expect(next.rows.map(({ id }) => id)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
    expect(next.rows.at(-1)).toMatchObject({ name: 'system', via: 'system', actor_id: null })
  })

  it.each([
    ['page=0', 1, 25, 25],
    ['page=', 1, 25, 25],
    ['page=2', 2, 25, 8],
    ['page=1000000000', 10_000_000, 25, 0],
    ['page=2&per_page=10', 2, 10, 10],
    ['per_page=100', 1, 100, 33],
    ['per_page=1000', 1, 100, 33],
    ['per_page=0', 1, 1, 1],
    ['per_page=abc', 1, 25, 25],
    ['page=10000000&per_page=100', 10_000_000, 100, 0],
  ])('reads %s as page %i of %i rows and answers %i', async (...row) => {
    const [query, page, per_page, count] = row
    const { rows, pagination } = await list(`?${query}`)
    expect(pagination).toEqual({ page, per_page, total: 33 })
    expect(rows).toHaveLength(count)
  })

  it.each([
    ['auditable_type=User', 1],
    ['auditable_type=Project', 31],
    ['auditable_type=Membership', 1],
    ['auditable_type=Pro%25', 0],
    [`auditable_type=${encodeURIComponent("' or 1=1 --")}`, 0],
    ['auditable_type=', 0],
    ['auditable_type=Project&auditable_id=PROJECT', 31],
    ['auditable_type=Project&auditable_id=2147483647', 0],
    ['auditable_type=User&auditable_id=ROOT', 1],
    ['auditable_id=999999', 0],
    ['action=update', 30],
    ['action=create&actor_id=ROOT', 2],
    ['project_id=PROJECT', 32],
    ['component_id=1', 0],
    ['since=2100-01-01T00:00:00Z', 0],
    ['until=2000-01-01T00:00:00%2B02:00', 0],
    ['since=2000-01-01T00:00:00Z&until=2100-01-01T00:00:00Z', 33],
  ])('filters by %s and finds %i entries', async (query, total) => {
    const path = query.replace('PROJECT', String(project)).replace('ROOT', String(root.id))
    const { rows, pagination } = await list(`?per_page=100&${path}`)
    expect(pagination.total).toBe(total)
    expect(rows).toHaveLength(total)
  })

  it('includes the time of since, and excludes that of until', async () => {
    const { rows } = await list('?per_page=100')
    const [first, second] = [...new Set(rows.map(({ created_at }) => created_at))].toSorted()
    const { rows: between } = await list(`?per_page=100&since=${first}&until=${second}`)
    expect(new Set(between.map(({ created_at }) => created_at))).toEqual(new Set([first]))
  })

  it.each([
    'auditable_id=0',
    'auditable_id=abc',
    'auditable_id=2147483648',
    'auditable_type=%00',
    'action=read',
    'since=yesterday',
    `auditable_type=${'x'.repeat(101)}`,
  ])('refuses %s', async (query) => {
    const answer = await root.call('GET', `${PATH}?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { code: 'parameter_invalid', parameter: query.split('=')[0] } })
  })

  it('distinguishes people of the same name', async () => {
    const twins: number[] = []
    for (const email of ['twin1@example.org', 'twin2@example.org']) {
      const { id } = await guidance().person('Twin', { email, admin: true })
      await guidance().project(await guidance().signIn(email), { name: email })
      twins.push(id)
    }
    const { rows } = await list('?auditable_type=Project&per_page=2')
    expect(rows.map(({ name }) => name)).toEqual(['Twin', 'Twin'])
    expect(rows.map(({ actor_id }) => actor_id)).toEqual(twins.reverse())
  })

  it('keeps entries of removed accounts and records', async () => {
    const leaver = await guidance().signUp('Leaver')
    const doomed = await guidance().project(leaver, { name: 'Doomed' })
    await leaver.call('DELETE', `/projects/${doomed}`)
    await root.call('DELETE', `/users/${leaver.id}`)
    const { rows } = await list(`?auditable_type=Project&auditable_id=${doomed}`)
    expect(rows.map(({ action, name, audited_name }) => [action, name, audited_name])).toEqual([
      ['destroy', 'Leaver', 'Doomed'],
      ['create', 'Leaver', 'Doomed'],
    ])
  })
})

const answered = z.object({
  rows: z.array(
    z.looseObject({
      id: z.int(),
      action: z.string(),
      name: z.string(),
      audited_name: z.string(),
      actor_id: z.int().nullable(),
      created_at: z.string(),
    }),
  ),
  pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
})

async function list(query: string): Promise<z.infer<typeof answered>> {
  return answered.parse((await root.call('GET', `${PATH}${query}`)).body)
}
