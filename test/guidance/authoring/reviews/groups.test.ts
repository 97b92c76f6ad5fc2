import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { csvRows } from '../../../support/csv.ts'
import { ago, setRows } from '../../../support/guidance-records.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { ReviewTeam, type Team } from '../../../support/review-team.ts'
import { placeComment } from '../../../support/samples/reviews.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

let componentId = 0
let rules: readonly number[] = []
let asked = 0

beforeAll(async () => {
  const made = await team.component()
  componentId = made.id
  rules = made.rules
  const comment = (rule_id: number | null, given: Partial<Parameters<typeof placeComment>[2]> = {}): Promise<number> =>
    placeComment(guidance(), team.people.viewer.person, { component_id: componentId, rule_id, ...given })
  await comment(rules[1] ?? 0)
  await comment(rules[1] ?? 0, { triage_status: 'concur' })
  await comment(null, { section: null })
  const triage_set_at = new Date(1000).toISOString()
  asked = await comment(rules[0] ?? 0, { triage_status: 'needs_clarification', triage_set_at })
})

const groups = z.looseObject({
  rows: z.array(
    z.looseObject({ rule_displayed_name: z.string(), total: z.int(), component_id: z.int(), id: z.int().optional() }),
  ),
  pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
})

async function count(path: string, who: keyof Team = 'viewer'): Promise<z.infer<typeof groups>> {
  return groups.parse((await team.people[who].client.call('GET', path)).body)
}

describe('GET /components/{id}/comments/by_rule', () => {
  it.each([
    [
      '',
      [
        ['(component)', 1],
        ['TEAP-00-000002', 1],
      ],
    ],
    [
      'triage_status=all',
      [
        ['(component)', 1],
        ['TEAP-00-000001', 1],
        ['TEAP-00-000002', 2],
      ],
    ],
    ['triage_status=concur', [['TEAP-00-000002', 1]]],
    ['triage_status=odd', []],
    ['triage_status=all&q=nothing', []],
  ])('counts by rule with %j, in the order of the rules', async (query, expected) => {
    const { rows, pagination } = await count(`/components/${componentId}/comments/by_rule?${query}`)
    expect(rows.map(({ rule_displayed_name: name, total }) => [name, total])).toEqual(expected)
    expect(pagination.total).toBe(expected.length)
  })

  it('counts every status and returns pages', async () => {
    const path = `/components/${componentId}/comments/by_rule?triage_status=all`
    expect(await count(`${path}&page=3&per_page=1`)).toMatchObject({
      pagination: { page: 3, per_page: 1, total: 3 },
      rows: [{ rule_id: rules[1], status_counts: { pending: 1, concur: 1, non_concur: 0 } }],
    })
    expect((await count(`${path}&page=4&per_page=1`)).rows).toEqual([])
  })

  it('works for a project and for one of its components', async () => {
    const other = await team.component()
    await placeComment(guidance(), team.people.viewer.person, { component_id: other.id, rule_id: other.rules[0] ?? 0 })
    const path = `/projects/${team.projectId}/comments/by_rule`
    const counted = await count(path)
    expect(new Set(counted.rows.map(({ component_id }) => component_id))).toEqual(new Set([componentId, other.id]))
    expect((await count(`${path}?component_id=${other.id}`)).rows).toMatchObject([
      { rule_displayed_name: 'TEAP-00-000001', component_id: other.id, total: 1 },
    ])
  })
})

describe('GET /reviews/{id}', () => {
  const reviewAnswer = z.object({
    review: z.looseObject({ own: z.boolean(), clarified: z.boolean(), rule_content: z.unknown() }),
  })

  async function read(who: keyof Team): Promise<z.infer<typeof reviewAnswer>['review']> {
    const { body } = await team.people[who].client.call('GET', `/reviews/${asked}`)
    return reviewAnswer.parse(body).review
  }

  it('returns one comment with its rule and its author', async () => {
    expect(await read('viewer')).toMatchObject({ own: true, rule_content: { id: rules[0] } })
    expect(await read('author')).toMatchObject({ own: false, triage_status: 'needs_clarification' })
  })

  it('permits clarification to its author only', async () => {
    const reply = (who: keyof Team) => team.comment(team.people[who], rules[0] ?? 0, { responding_to_review_id: asked })
    await reply('author')
    expect((await read('author')).clarified).toBe(false)
    await reply('viewer')
    expect((await read('author')).clarified).toBe(true)
    await setRows(guidance(), 'reviews', { triage_set_at: ago(-1) }, { id: asked })
    expect((await read('author')).clarified).toBe(false)
  })
})

describe('GET /components/{id}/export/disposition_csv', () => {
  it.each([
    'triage_status=all',
    'triage_status=concur',
    'triage_status=all&q=nothing',
    'triage_status=all&section=title',
    'triage_status=all&section=general',
    'triage_status=all&commentable_type=component',
    'triage_status=all&resolved=true',
    'triage_status=all&rule_id=RULE',
    'triage_status=all&author_id=1',
  ])('exports the comments of the list with %s', async (asked) => {
    const query = asked.replace('RULE', String(rules[1]))
    const { client } = team.people.author
    const file = await client.call('GET', `/components/${componentId}/export/disposition_csv?${query}`)
    const answer = await client.call('GET', `/components/${componentId}/comments?${query}`)
    const listed = z.looseObject({ rows: z.array(z.looseObject({ id: z.int() })) })
    const list = listed.parse(answer.body)
    const [, ...rows] = csvRows(String(file.body))
    expect(rows.map(([id]) => Number(id)).sort()).toEqual(list.rows.map(({ id }) => id).sort())
  })
})
