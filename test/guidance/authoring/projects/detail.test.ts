import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent } from '../../../support/authoring.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { comment, createGood, markReleased, newcomer, newScene } from '../components/scene.ts'

const guidance = guidanceService()

describe('The components of a project', () => {
  it('are listed on its page with the progress of their requirements', async () => {
    const { owner, made, projectId } = await newScene(guidance(), { rules: 5 })
    const srg = await makeComponent(guidance(), owner, { projectId, kind: 'srg' })
    await comment(guidance(), { component_id: made.id, rule_id: made.rules[0] ?? 0 })
    await comment(guidance(), { component_id: srg.id, rule_id: null })
    await comment(guidance(), { component_id: srg.id, rule_id: srg.rules[2] ?? 0 })
    const set = [
      [made.rules[0], { status: 'Applicable - Configurable', locked: 1 }],
      [made.rules[1], { status: 'Applicable - Inherently Meets' }],
      [made.rules[2], { status: 'Applicable - Does Not Meet' }],
      [made.rules[3], { status: 'Not Applicable', review_requestor_id: owner.id }],
      [srg.rules[0], { status: 'Applicable', locked: 1 }],
      [srg.rules[1], { status: 'Not Applicable' }],
      [srg.rules[2], { deleted_at: new Date().toISOString() }],
    ] as const
    for (const [id = 0, values] of set) await setRows(guidance(), 'rules', values, { id })
    const { body } = await owner.call('GET', `/projects/${projectId}`)
    expect(body).toMatchObject({
      pending_comment_count: 2,
      details: {
        stig: { ac: 1, aim: 1, adnm: 1, na: 1, nyd: 1, total: 5 },
        srg: { applicable: 1, na: 1, nyd: 0, total: 2 },
        nur: 4,
        ur: 1,
        lck: 2,
        total: 7,
      },
    })
    const counted = { pending_comment_count: 1 }
    expect(body).toHaveProperty('components.length', 2)
    for (const expected of [
      { id: made.id, rules_count: 5, ...counted },
      { id: srg.id, rules_count: 2, ...counted },
    ])
      expect(body).toHaveProperty('components', expect.arrayContaining([expect.objectContaining(expected)]))
  })

  it('can be added from released components that it does not contain yet', async () => {
    const { made: released } = await newScene(guidance())
    await newScene(guidance())
    const { owner, made, projectId } = await newScene(guidance())
    await markReleased(guidance(), released.id)
    await markReleased(guidance(), made.id)
    const other = await guidance().project(owner)
    const available = async (id = projectId): Promise<unknown> => (await owner.call('GET', `/projects/${id}`)).body
    expect(await available()).toMatchObject({ available_components: [{ id: released.id }] })
    await createGood(owner, projectId, { component_id: released.id })
    expect(await available()).toMatchObject({ available_components: [] })
    expect(await available(other)).toHaveProperty('available_components', containing({ id: released.id }))
  })
})

describe('Candidates for membership of a project', () => {
  it('are listed for its administrators only and exclude members', async () => {
    const { owner, projectId } = await newScene(guidance())
    const [member, other] = [await newcomer(guidance()), await newcomer(guidance())]
    await guidance().member(projectId, member, 'reviewer')
    const { id, name, email } = other
    const { body } = await owner.call('GET', `/projects/${projectId}`)
    expect(body).toHaveProperty('users', expect.arrayContaining([{ id, name, email }]))
    for (const person of [owner, member]) expect(body).not.toHaveProperty('users', containing({ id: person.id }))
    const { body: seen } = await member.call('GET', `/projects/${projectId}`)
    expect(seen).toMatchObject({ users: [] })
    const root = await newcomer(guidance(), true)
    const { body: seenByRoot } = await root.call('GET', `/projects/${projectId}`)
    expect(seenByRoot).toHaveProperty('users', containing({ id }))
  })

  it('are limited to 200, ordered by name', async () => {
    const { owner, projectId } = await newScene(guidance())
    const names = Array.from({ length: 210 }, (_none, index) => `0 Crowd ${String(index).padStart(3, '0')}`)
    for (const name of names) await guidance().person(name)
    const { body } = await owner.call('GET', `/projects/${projectId}`)
    const { users } = z.object({ users: z.array(z.object({ name: z.string() })) }).parse(body)
    expect(users.map(({ name }) => name)).toEqual(names.slice(0, 200))
  })
})

function containing(values: object): unknown {
  return expect.arrayContaining([expect.objectContaining(values)])
}
