// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { triageCounts } from '../../../../src/guidance/authoring/reviews/records/counts.ts'
import { findReviews } from '../../../../src/guidance/authoring/reviews/records/reader.ts'
import { componentMember } from '../../../support/authoring.ts'
import { ago, setRows } from '../../../support/guidance-records.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { ReviewTeam, type Team } from '../../../support/review-team.ts'
import { placeComment } from '../../../support/samples/reviews.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

const page = z.looseObject({
  rows: z.array(z.looseObject({ id: z.int(), author_email: z.string().nullish() })),
  pagination: z.looseObject({ page: z.int(), per_page: z.int(), total: z.int() }),
})

let componentId = 0
let rules: readonly number[] = []
/** Numbers of comments, by what they are. */
const ids: Record<string, number> = {}

beforeAll(async () => {
  const made = await team.component()
  componentId = made.id
  rules = made.rules
  const { viewer, other } = team.people
  const comment = async (name: string, given: Partial<Parameters<typeof placeComment>[2]>): Promise<void> => {
    const createdAt = new Date(Object.keys(ids).length * 1000).toISOString()
    const { person } = name === 'general' ? other : viewer
    ids[name] = await placeComment(guidance(), person, {
      component_id: componentId,
      rule_id: rules[0] ?? 0,
      created_at: createdAt,
      ...given,
    })
  }
  await comment('title', { section: 'title', comment: 'ÄRGER about 100% of it' })
  await comment('general', { comment: 'Nothing else' })
  await comment('component', { rule_id: null })
  await comment('second', { rule_id: rules[1] ?? 0 })
  await comment('agreed', { triage_status: 'concur', triage_set_by_id: viewer.person.id })
  await comment('closed', {
    triage_status: 'addressed_by',
    addressed_by_rule_id: rules[2] ?? 0,
    adjudicated_at: new Date(0).toISOString(),
  })
  await comment('reply', { responding_to_review_id: ids['title'] ?? 0, triage_status: null })
  await comment('deleted', { rule_id: rules[2] ?? 0 })
  await comment('legacy', { triage_status: null })
  await setRows(guidance(), 'rules', { deleted_at: ago(0) }, { id: rules[2] ?? 0 })
  await team.satisfy(rules[1] ?? 0, rules[0] ?? 0)
})

async function list(path: string, who: keyof Team = 'viewer'): Promise<z.infer<typeof page>> {
  const { status, headers, body } = await team.people[who].client.call('GET', path)
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  return page.parse(body)
}

async function named(query: string): Promise<readonly string[]> {
  const { rows, pagination } = await list(`/components/${componentId}/comments?${query}`)
  expect(pagination.total).toBe(rows.length)
  return rows.map(({ id }) => Object.entries(ids).find(([, namedId]) => namedId === id)?.[0] ?? '?')
}

const COUNTS = {
  pending: 4,
  concur: 1,
  concur_with_comment: 0,
  non_concur: 0,
  duplicate: 0,
  informational: 0,
  needs_clarification: 0,
  withdrawn: 0,
  addressed_by: 1,
}

describe('GET /components/{id}/comments', () => {
  it.each([
    ['', ['second', 'component', 'general', 'title']],
    ['triage_status=', ['second', 'component', 'general', 'title']],
    ['triage_status=concur', ['agreed']],
    ['triage_status=all', ['legacy', 'closed', 'agreed', 'second', 'component', 'general', 'title']],
    ['triage_status=odd', []],
    ['section=title', ['title']],
    ['section=general', ['second', 'component', 'general']],
    ['section=nose', []],
    ['commentable_type=component', ['component']],
    ['commentable_type=rule', ['second', 'general', 'title']],
    ['commentable_type=odd', []],
    ['resolved=true&triage_status=all', ['closed']],
    ['resolved=false', ['second', 'component', 'general', 'title']],
    ['resolved=odd', []],
    ['q=%C3%A4rger', ['title']],
    ['q=100%25', ['title']],
    ['q=10%25of', []],
    ['q=otto', ['general']],
    ['q=why&triage_status=concur', ['agreed']],
    ['rule_id=abc', []],
    ['author_id=0', []],
  ])('filters by %j', async (query, expected) => {
    expect(await named(query)).toEqual(expected)
  })

  it('filters by rule and by author', async () => {
    expect(await named(`rule_id=${rules[1] ?? 0}`)).toEqual(['second'])
    expect(await named(`author_id=${team.people.other.person.id}`)).toEqual(['general'])
  })

  it('counts comments by status and in total', async () => {
    const path = `/components/${componentId}/comments`
    expect(await list(`${path}?triage_status=concur`)).toMatchObject({
      pagination: { page: 1, per_page: 25, total: 1, total_comments: 7 },
      status_counts: COUNTS,
    })
    expect(await list(`${path}?q=why`)).toMatchObject({
      pagination: { total: 2, total_comments: 7 },
      status_counts: { ...COUNTS, pending: 2 },
    })
  })

  it.each([
    ['page=1&per_page=2', 2, { page: 1, per_page: 2 }],
    ['page=2&per_page=3', 1, { page: 2, per_page: 3 }],
    ['page=9&per_page=3', 0, { page: 9, per_page: 3 }],
    ['page=-1&per_page=1000', 4, { page: 1, per_page: 100 }],
    ['page=x&per_page=-5', 4, { page: 1, per_page: 1 }],
    ['page=2&per_page=3&q=e', 1, { page: 2, per_page: 3 }],
  ])('clamps parameters instead of refusing them: %s', async (query, length, pagination) => {
    const { rows, pagination: given } = await list(`/components/${componentId}/comments?${query}`)
    expect(given).toMatchObject({ ...pagination, total: 4 })
    expect(rows.length).toBe(Math.min(length, given.per_page))
  })

  it('returns rows with all fields that triage needs', async () => {
    const path = `/components/${componentId}/comments?triage_status=all&include_rule_content=true`
    const { rows } = await list(path)
    const row = (name: string): unknown => rows.find(({ id }) => id === ids[name])
    expect(row('title')).toMatchObject({
      comment: 'ÄRGER about 100% of it',
      rule_displayed_name: 'TEAP-00-000001',
      author_name: 'Vera',
      author_email: 'vera@example.org',
      responses_count: 1,
      rule_status: 'Not Yet Determined',
      parent_rule_displayed_name: null,
      group_rule_displayed_name: 'TEAP-00-000001',
      rule_content: { id: rules[0], rule_id: '000001' },
      srg_info: { version: 'V1R1', is_latest: true },
    })
    expect(row('second')).toMatchObject({
      parent_rule_displayed_name: 'TEAP-00-000001',
      rule_displayed_name: 'TEAP-00-000002',
      group_rule_displayed_name: 'TEAP-00-000001',
    })
    expect(row('component')).toMatchObject({ rule_content: null, rule_status: null, rule_id: null })
    expect(row('closed')).toMatchObject({ addressed_by_rule_name: 'TEAP-00-000003' })
    const [plain] = (await list(`/components/${componentId}/comments`)).rows
    expect(plain).not.toHaveProperty('rule_content')
    expect(plain).not.toHaveProperty('user_id')
  })

  it('returns e-mail addresses to members only', async () => {
    const released = await team.component()
    const parent = { component_id: released.id, rule_id: released.rules[0] ?? 0 }
    const { viewer } = team.people
    const first = await placeComment(guidance(), viewer.person, parent)
    const answer = { ...parent, responding_to_review_id: first, triage_status: null }
    await placeComment(guidance(), viewer.person, answer)
    await team.release(released.id)
    for (const path of [`/components/${released.id}/comments`, `/reviews/${first}/responses`]) {
      const rows = async (who: keyof Team): Promise<unknown> => {
        const { body } = await team.people[who].client.call('GET', path)
        return z
          .looseObject({ rows: page.shape.rows })
          .parse(body)
          .rows.map((row) => row.author_email)
      }
      expect(await rows('viewer')).toEqual(['vera@example.org'])
      expect(await rows('stranger')).toEqual([null])
    }
  })
})

describe('GET /projects/{id}/comments', () => {
  it('lists comments of all components or of one', async () => {
    const { id: other, rules: others } = await team.component()
    const { viewer } = team.people
    const facts = { component_id: other, rule_id: others[0] ?? 0, section: 'status' }
    const elsewhere = await placeComment(guidance(), viewer.person, facts)
    const path = `/projects/${team.projectId}/comments`
    const { rows } = await list(`${path}?section=status`)
    expect(rows).toMatchObject([{ id: elsewhere, component_id: other }])
    expect((await list(`${path}?component_id=${componentId}`)).pagination.total).toBe(4)
    expect((await list(`${path}?component_id=0`)).pagination.total).toBe(0)
    expect(rows[0]).not.toHaveProperty('author_email')
  })
})

describe('GET /users/{id}/comments', () => {
  it('lists readable comments of the person, in any status', async () => {
    const { viewer, stranger } = team.people
    const path = `/users/${viewer.person.id}/comments`
    const inComponent = async (who: keyof Team): Promise<number> => {
      const { rows } = await list(`${path}?project_id=${team.projectId}&per_page=100`, who)
      return rows.filter((row) => row['component_id'] === componentId).length
    }
    expect(await inComponent('author')).toBe(6)
    expect(await inComponent('stranger')).toBe(0)
    await componentMember(guidance(), componentId, { person: stranger.person, role: 'viewer' })
    expect(await inComponent('stranger')).toBe(6)
    expect((await list(`${path}?project_id=0`)).rows).toEqual([])
    const { client } = viewer
    const { person } = team.people.stranger
    const [nobody, somebody] = await Promise.all(
      [2_147_483_647, person.id].map((id) => client.call('GET', `/users/${id}/comments`)),
    )
    expect(nobody).toMatchObject({ status: 200, body: { rows: [] } })
    expect(nobody?.body).toEqual(somebody?.body)
  })
})

describe('The comments of a person', () => {
  it('name the rule that satisfies theirs and the time of the last event', async () => {
    const { viewer } = team.people
    const path = `/users/${viewer.person.id}/comments?project_id=${team.projectId}&per_page=100`
    const rows = async () => new Map((await list(path)).rows.map((row) => [row.id, row]))
    const known = await rows()
    expect(known.get(ids['second'] ?? 0)).toMatchObject({
      parent_rule_displayed_name: known.get(ids['title'] ?? 0)?.['rule_displayed_name'],
    })
    const agreed = known.get(ids['agreed'] ?? 0)
    expect(agreed).toMatchObject({ parent_rule_displayed_name: null, latest_activity_at: agreed?.['updated_at'] })
    const later = '2040-01-01T00:00:00.000Z'
    await setRows(guidance(), 'reviews', { updated_at: later }, { id: ids['reply'] ?? 0 })
    expect((await rows()).get(ids['title'] ?? 0)).toMatchObject({ latest_activity_at: later })
  })
})

describe('Comments as other modules read them', () => {
  it('are counted without deleted rules', async () => {
    const { read } = guidance().service.guidance.database
    expect(await triageCounts(read, { componentId })).toEqual({
      by_triage_status: COUNTS,
      total: 7,
      adjudicated: 1,
      awaiting: 1,
    })
    const { total } = await triageCounts(read, { projectId: team.projectId })
    expect(total).toBeGreaterThan(7)
    const empty = await team.component()
    expect((await triageCounts(read, { componentId: empty.id })).total).toBe(0)
  })

  it('are found by component, rule or number, the oldest first or the newest few', async () => {
    const { read } = guidance().service.guidance.database
    const caller = {
      ...team.people.viewer.person,
      admin: false,
      provider: null,
      via: { kind: 'session', id: 1 } as const,
    }
    const names = async (which: Parameters<typeof findReviews>[2]): Promise<readonly string[]> =>
      (await findReviews(read, caller, which)).map(
        ({ id }) => Object.entries(ids).find(([, namedId]) => namedId === id)?.[0] ?? '?',
      )
    expect(await names({ componentId })).toEqual([
      'title',
      'general',
      'component',
      'second',
      'agreed',
      'closed',
      'reply',
      'legacy',
    ])
    expect(await names({ componentId, newest: 2 })).toEqual(['legacy', 'reply'])
    expect(await names({ ruleIds: [rules[1] ?? 0] })).toEqual(['second'])
    expect(await names({ ruleIds: [] })).toEqual([])
    expect(
      await names({ rules: (is) => is('rules.number', '=', 2).and('rules.component_id', '=', componentId) }),
    ).toEqual(['second'])
    expect(await names({ ids: [ids['agreed'] ?? 0, ids['title'] ?? 0] })).toEqual(['title', 'agreed'])
    expect(await names({ ids: [] })).toEqual([])
  })
})
