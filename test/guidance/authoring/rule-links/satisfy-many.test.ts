// @module-tag database

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { guidanceService, type Answer } from '../../../support/guidance.ts'
import { ReviewTeam, type Team } from '../../../support/review-team.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

function satisfy(who: keyof Team, componentId: number, body: Readonly<Record<string, unknown>>): Promise<Answer> {
  return team.people[who].client.call('POST', `/components/${componentId}/rules/bulk_satisfies`, { body })
}

const state = z.looseObject({
  version: z.string(),
  status: z.string(),
  status_justification: z.string().nullable(),
  lock_version: z.int(),
  satisfied_by: z.array(z.looseObject({ id: z.int() })),
})

async function read(id = 0): Promise<z.infer<typeof state>> {
  return state.parse((await team.people.author.client.call('GET', `/rules/${id}`)).body)
}

describe('Satisfying many rules', () => {
  it('links the rules of pasted SRG ids and of ids at once, and existing links stay', async () => {
    const { id, rules } = await team.component()
    const [parent = 0, first = 0, second = 0] = rules
    const requirement = (await read(first)).version
    const body = { satisfied_by_rule_id: parent, srg_ids: [requirement.toLowerCase()], rule_ids: [second] }
    expect((await satisfy('author', id, body)).body).toMatchObject({ rule_ids: [first, second] })
    for (const child of [first, second])
      expect(await read(child)).toMatchObject({
        status: 'Applicable - Does Not Meet',
        lock_version: 1,
        satisfied_by: [{ id: parent }],
      })
    expect((await satisfy('author', id, body)).body).toMatchObject({ rule_ids: [] })
    expect((await read(first)).lock_version).toBe(1)
    const pair = { rule_id: first, satisfied_by_rule_id: parent }
    await team.people.author.client.call('DELETE', '/rule_satisfactions/1', { body: pair })
    expect(await read(first)).toMatchObject({ status: 'Not Yet Determined', satisfied_by: [] })
  })

  it('links nothing if something is in the way, and names all obstacles by their ids', async () => {
    const { id, rules } = await team.component()
    const [parent = 0, first = 0, second = 0] = rules
    await team.people.admin.client.call('PATCH', `/rules/${second}/section_locks`, {
      body: { section: 'Status', locked: true },
    })
    const srg_ids = ['SRG-NO-000001', (await read(parent)).version]
    const body = { satisfied_by_rule_id: parent, rule_ids: [first, second, parent], srg_ids }
    const { status, body: problem } = await satisfy('author', id, body)
    expect(status).toBe(422)
    const { obstacles } = z
      .looseObject({ obstacles: z.array(z.looseObject({ id: z.union([z.int(), z.string()]), reason: z.string() })) })
      .parse(problem)
    expect(obstacles.map(({ id: obstacleId, reason }) => [obstacleId, reason])).toEqual([
      ['SRG-NO-000001', 'not_found'],
      [parent, 'impossible'],
      [second, 'section_locked'],
    ])
    expect(await read(first)).toMatchObject({ satisfied_by: [], lock_version: 0 })
  })

  it('is refused without rules, for viewers, and for a satisfying rule that the caller cannot see', async () => {
    const { id, rules } = await team.component()
    const [parent = 0, first = 0] = rules
    expect((await satisfy('author', id, { satisfied_by_rule_id: parent })).status).toBe(422)
    const body = { satisfied_by_rule_id: parent, rule_ids: [first] }
    expect((await satisfy('viewer', id, body)).status).toBe(403)
    expect((await satisfy('author', id, { ...body, satisfied_by_rule_id: 2_147_483_647 })).status).toBe(404)
    expect(await read(first)).toMatchObject({ satisfied_by: [] })
  })
})
