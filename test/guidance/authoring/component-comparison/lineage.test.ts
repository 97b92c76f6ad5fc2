import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent, rulesInOrder } from '../../../support/authoring.ts'
import { csvRows } from '../../../support/csv.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'
import { createGood, markReleased, newcomer, newScene } from '../components/scene.ts'

const guidance = guidanceService()

async function updateRule(
  componentId: number,
  number: number,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  await setRows(guidance(), 'rules', values, { component_id: componentId, number })
}

describe('GET /components/history', () => {
  it('compares each version with the one before it', async () => {
    const { owner, made, projectId } = await newScene(guidance(), { name: 'Versioned', version: 1, release: 10 })
    const second = await createGood(owner, projectId, { duplicate: true, id: made.id, version: 2, release: 1 })
    await createGood(owner, projectId, { duplicate: true, id: made.id, version: 1, release: 9 })
    await updateRule(second, 1, { fixtext: 'New fix', title: 'New title' })
    await updateRule(second, 2, { deleted_at: new Date().toISOString() })
    await updateRule(second, 3, { vendor_comments: 'Not compared' })
    const query = `project_id=${projectId}&name=Versioned`
    const { status, body } = await owner.call('GET', `/components/history?${query}`)
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { component: { version: 1, release: 9 } },
      { component: { id: made.id }, base_component: { release: 9 }, diff_component: { release: 10 }, changes: {} },
      {
        component: { id: second },
        base_component: { id: made.id },
        diff_component: { id: second },
        changes: {
          '000001': {
            change: 'updated',
            base: { rule_id: '000001', fix: containing('Shut') },
            diff: { rule_id: '000001', fix: 'New fix', title: 'New title' },
          },
          '000002': { change: 'removed', base: { rule_id: '000002' }, diff: null },
        },
      },
    ])
    expect(JSON.stringify(body)).not.toContain('000003"')
  })

  it('returns an empty list for an unknown name and requires both parameters', async () => {
    const { owner, projectId } = await newScene(guidance())
    const none = await owner.call('GET', `/components/history?project_id=${projectId}&name=x`)
    expect([none.status, none.body]).toEqual([200, []])
    const cases = [
      ['name=x', 400],
      [`project_id=${projectId}`, 400],
      ['project_id=abc&name=x', 404],
      ['project_id=999999&name=x', 404],
    ] as const
    for (const [query, status] of cases)
      expect((await owner.call('GET', `/components/history?${query}`)).status).toBe(status)
  })
})

describe('GET /components/{id}/related', () => {
  it('lists readable components of an SRG with the same title', async () => {
    const { owner, made, projectId } = await newScene(guidance())
    const { srgId } = made
    const sibling = await makeComponent(guidance(), owner, {
      projectId,
      srgId,
      name: 'Sibling',
      version: 1,
      release: 2,
    })
    const { made: hidden } = await newScene(guidance(), { srgId })
    const { made: released } = await newScene(guidance(), { srgId, name: 'Released' })
    await markReleased(guidance(), released.id)
    const { body } = await owner.call('GET', `/components/${made.id}/related`)
    expect(body).toContainEqual({
      id: sibling.id,
      name: 'Sibling',
      version: 1,
      prefix: 'TEAP-00',
      release: 2,
      project_id: projectId,
      project_name: 'Project of a test',
    })
    expect(body).toContainEqual(expect.objectContaining({ id: released.id }))
    for (const id of [made.id, hidden.id]) expect(body).not.toContainEqual(expect.objectContaining({ id }))
  })
})

describe('GET /api/components/compare', () => {
  it('compares the InSpec of two STIGs, rule by rule', async () => {
    const { owner, made, projectId } = await newScene(guidance())
    const other = await createGood(owner, projectId, { duplicate: true, id: made.id })
    await updateRule(other, 1, { title: 'New title' })
    await updateRule(other, 3, { deleted_at: new Date().toISOString() })
    const address = `/api/components/compare?base_id=${made.id}&diff_id=${other}`
    const { status, body } = await owner.call('GET', address)
    expect([status, body]).toMatchObject([
      200,
      {
        data: {
          '000001': { changed: true, diff: containing('New title') },
          '000002': { changed: false, base: containing('TEAP-00-000002') },
          '000003': { changed: true, diff: null },
        },
        meta: { base_id: made.id, diff_id: other, rules_count: 3 },
      },
    ])
  })

  it('ignores differences that follow from another prefix', async () => {
    const { owner, made, projectId } = await newScene(guidance())
    const other = await createGood(owner, projectId, { duplicate: true, id: made.id, prefix: 'KETL-00' })
    await updateRule(made.id, 2, { fixtext: 'As in TEAP-00-000001.' })
    await updateRule(other, 2, { fixtext: 'As in KETL-00-000001.' })
    await updateRule(other, 3, { fixtext: 'As in TEAP-00-000001.' })
    const address = `/api/components/compare?base_id=${made.id}&diff_id=${other}`
    expect((await owner.call('GET', address)).body).toMatchObject({
      data: {
        '000001': { changed: false, base: containing("'V-TEAP-00-000001'"), diff: containing("'V-KETL-00-000001'") },
        '000002': { changed: false },
        '000003': { changed: true },
      },
    })
  })

  it('requires two STIGs that the caller may read', async () => {
    const { owner, made, projectId } = await newScene(guidance())
    const srg = await makeComponent(guidance(), owner, { projectId, kind: 'srg' })
    const { made: foreign } = await newScene(guidance())
    const stranger = await newcomer(guidance())
    const cases = [
      [owner, `base_id=${made.id}&diff_id=${srg.id}`, 422],
      [owner, `base_id=${made.id}&diff_id=${foreign.id}`, 404],
      [owner, `base_id=${foreign.id}&diff_id=${made.id}`, 404],
      [owner, `base_id=${made.id}&diff_id=999999`, 404],
      [owner, `base_id=${made.id}&diff_id=x`, 404],
      [owner, `base_id=${made.id}`, 400],
      [stranger, `base_id=${made.id}&diff_id=${made.id}`, 404],
    ] as const
    for (const [client, query, status] of cases)
      expect((await client.call('GET', `/api/components/compare?${query}`)).status).toBe(status)
    await markReleased(guidance(), made.id)
    const same = `base_id=${made.id}&diff_id=${made.id}`
    expect((await stranger.call('GET', `/api/components/compare?${same}`)).status).toBe(200)
  })
})

const differences = z.object({
  rules: z.array(
    z.object({
      status: z.string(),
      matched_by: z.string().nullable(),
      after: z.object({ rule_id: z.string() }).nullable(),
      changes: z.array(z.unknown()),
    }),
  ),
})

describe('GET /api/components/{id}/diff', () => {
  it('compares field by field, ignoring prefixes', async () => {
    const { owner, made, projectId } = await newScene(guidance())
    const other = await createGood(owner, projectId, { duplicate: true, id: made.id, prefix: 'KETL-00' })
    await updateRule(made.id, 1, { fixtext: 'As in TEAP-00-000002.' })
    await updateRule(other, 1, { fixtext: 'As in KETL-00-000002.', title: '<b>New</b>' })
    await updateRule(other, 2, { deleted_at: new Date().toISOString() })
    const added = await owner.call('POST', `/components/${other}/rules`, {
      body: { rule: { duplicate: true, id: (await rulesInOrder(guidance(), other))[0]?.id, title: 'Another' } },
    })
    expect(added.status).toBe(200)
    const { status, body } = await owner.call('GET', `/api/components/${other}/diff?from=${made.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      from: { id: made.id, prefix: 'TEAP-00' },
      to: { id: other, prefix: 'KETL-00', released: false },
      counts: { added: 1, removed: 1, changed: 1, unchanged: 1 },
    })
    const { rules } = differences.parse(body)
    expect(rules.find(({ status: ruleStatus }) => ruleStatus === 'changed')).toEqual({
      status: 'changed',
      matched_by: 'rule_id',
      after: { rule_id: 'KETL-00-000001' },
      changes: [{ field: 'title', before: containing(''), after: '<b>New</b>' }],
    })
    expect(rules.find(({ status: ruleStatus }) => ruleStatus === 'removed')?.after).toBeNull()
    const table = await owner.call('GET', `/api/components/${other}/diff.csv?from=${made.id}`)
    expect(table.headers['content-disposition']).toContain('filename=TEAP-00-V1R1-KETL-00-V1R1.csv')
    const [header, ...rows] = csvRows(table.bytes.toString())
    expect(header?.slice(4, 6)).toEqual(['SRG ID Before', 'SRG ID After'])
    expect(rows.map(([ruleStatus]) => ruleStatus)).toEqual(rules.map(({ status: ruleStatus }) => ruleStatus))
    const changed = rows.find(([ruleStatus]) => ruleStatus === 'changed') ?? []
    expect(changed.slice(2, 4)).toEqual(['TEAP-00-000001', 'KETL-00-000001'])
    expect([changed[7], changed[9]]).toEqual(['title', '<b>New</b>'])
  })

  it('compares two SRGs that the caller may read', async () => {
    const { owner, projectId, made: stig } = await newScene(guidance())
    const srg = await makeComponent(guidance(), owner, { projectId, kind: 'srg' })
    const { made: foreign } = await newScene(guidance())
    const stranger = await newcomer(guidance())
    const cases = [
      [owner, srg.id, `from=${stig.id}`, 200],
      [owner, srg.id, `from=${foreign.id}`, 404],
      [owner, foreign.id, `from=${srg.id}`, 404],
      [owner, srg.id, 'from=x', 404],
      [owner, srg.id, '', 400],
      [stranger, srg.id, `from=${srg.id}`, 404],
    ] as const
    for (const [client, id, query, status] of cases)
      for (const path of ['diff', 'diff.csv']) {
        const answer = await client.call('GET', `/api/components/${id}/${path}?${query}`)
        expect(answer.status).toBe(status)
      }
  })
})
