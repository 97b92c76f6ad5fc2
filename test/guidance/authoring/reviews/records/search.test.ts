// @module-tag database

import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { reviewSearch } from '../../../../../src/guidance/database/migrations/012-review-search.ts'
import { alter } from '../../../../support/guidance-records.ts'
import { guidanceService, PASSWORD } from '../../../../support/guidance.ts'
import { ReviewTeam } from '../../../../support/review-team.ts'
import { placeComment } from '../../../../support/samples/reviews.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

let componentId = 0
let rules: readonly number[] = []
const ids = new Map<number, string>()

const page = z.looseObject({
  rows: z.array(z.looseObject({ id: z.int() })),
  pagination: z.looseObject({ total: z.int() }),
})

beforeAll(async () => {
  ;({ id: componentId, rules } = await team.component())
  const { viewer, other } = team.people
  const comment = async (name: string, given: Partial<Parameters<typeof placeComment>[2]>) => {
    const person = name.startsWith('other') ? other.person : viewer.person
    const where = { component_id: componentId, rule_id: rules[0] ?? 0 }
    const created_at = new Date(ids.size * 1000).toISOString()
    ids.set(await placeComment(guidance(), person, { ...where, created_at, ...given }), name)
  }
  await comment('percent', { comment: 'About 100% of\nSTRAẞEN' })
  await comment('under', { comment: 'snake_case and back\\slash', author_name: 'Maiden Name' })
  await comment('wide', { comment: 'Ｆｕｌｌ width, E\u0301clair' })
  await comment('gone', { user_id: null, author_name: 'Zoë of\nOld', comment: 'Nothing.' })
  await comment('other', { comment: 'By somebody else.' })
})

async function found(q: string, path = `/components/${componentId}`): Promise<readonly string[]> {
  const query = `?triage_status=all&q=${encodeURIComponent(q)}`
  const answer = await team.people.viewer.client.call('GET', `${path}/comments${query}`)
  expect([q, answer.status]).toEqual([q, 200])
  const { rows, pagination } = page.parse(answer.body)
  expect([q, pagination.total]).toEqual([q, rows.length])
  return rows.map(({ id }) => ids.get(id) ?? '?')
}

describe('q of a list of comments', () => {
  it.each([
    ['straßen', ['percent']],
    ['0% O', ['percent']],
    ['0%o', []],
    ['e_c', ['under']],
    ['e-c', []],
    ['K\\S', ['under']],
    ['full', ['wide']],
    ['ÉCLAIR', ['wide']],
    ['eclair', []],
    ['of\nstraßen', ['percent']],
    ['other', []],
    ['vera', ['wide', 'under', 'percent']],
    ['VERA', ['wide', 'under', 'percent']],
    ['otto', ['other']],
    ['maiden', []],
    ['example.org', []],
    ['zoë', ['gone']],
    ['ZOE\u0308 of', ['gone']],
    ['%', ['percent']],
    ['_', ['under']],
    [' ', ['other', 'gone', 'wide', 'under', 'percent']],
    ["' or 1=1 --", []],
    ['x'.repeat(9000), []],
    ['\uFDFA'.repeat(1500), []],
  ])('%j', async (q, expected) => {
    expect(await found(q)).toEqual(expected)
    expect(await found(q, `/projects/${team.projectId}`)).toEqual(expected)
  })

  it('rejects values that are not text and ignores an empty one', async () => {
    const { client } = team.people.viewer
    const path = `/components/${componentId}/comments`
    for (const q of ['a%00b', 'x'.repeat(10_001)]) expect((await client.call('GET', `${path}?q=${q}`)).status).toBe(400)
    expect(await found('')).toHaveLength(5)
  })
})

describe('A comment', () => {
  it('is found by its current text, wherever it is stored', async () => {
    const { viewer, admin } = team.people
    const { id } = await team.comment(viewer, rules[0] ?? 0, { comment: 'First wording' })
    ids.set(id, 'mine')
    expect(await found('FIRST WORD')).toEqual(['mine'])
    const body = { review: { comment: 'Second wording' } }
    expect((await viewer.client.call('PUT', `/reviews/${id}`, { body })).status).toBe(200)
    expect(await found('first word')).toEqual([])
    expect(await found('second WORD')).toEqual(['mine'])
    const move = { rule_id: rules[1] ?? 0, audit_comment: 'There.' }
    const moved = await admin.client.call('PATCH', `/reviews/${id}/move_to_rule`, { body: move })
    expect([moved.status, moved.body]).toMatchObject([200, {}])
    expect(await found('[moved from teap')).toEqual(['mine'])
  })

  it('is found by the current name of its author', async () => {
    const { other } = team.people
    const user = { name: 'Ottilie', current_password: PASSWORD }
    expect((await other.client.call('PUT', '/users', { body: { user } })).status).toBe(200)
    expect(await found('ottilie')).toEqual(['other'])
    expect(await found('otto')).toEqual([])
  })

  it('is found in a copy of its component', async () => {
    const component = { duplicate: true, id: componentId, name: 'Copy', version: 9, release: 9 }
    const path = `/projects/${team.projectId}/components`
    const copied = await team.people.site.client.call('POST', path, { body: { component } })
    const { id } = z.looseObject({ id: z.int() }).parse(copied.body)
    expect(await found('straßen', `/components/${id}`)).toEqual(['?'])
  })

  it('without a stored key gets one', async () => {
    const { database } = guidance().service.guidance
    const keys = () =>
      database.read
        .selectFrom('reviews')
        .select(['id', 'search_key'])
        .where('component_id', '=', componentId)
        .orderBy('id')
        .execute()
    const before = await keys()
    await alter(guidance(), async (writer) => {
      await sql`alter table reviews drop column search_key`.execute(writer)
      await reviewSearch(writer)
    })
    expect(await keys()).toEqual(before)
  })
})
