import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent, satisfy, type MadeComponent } from '../../../support/authoring.ts'
import { store } from '../../../support/catalogue.ts'
import { alter, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { placeComment } from '../../../support/samples/reviews.ts'
import { sampleRules } from '../../../support/xccdf-document.ts'

const service = guidanceService()
const ann = signedIn(service, 'Ann')
let projectId = 0

beforeAll(async () => {
  projectId = await service().project(ann)
})

const answer = z.object({
  ready: z.boolean(),
  released: z.boolean(),
  counts: z.record(z.string(), z.int()),
  newer_srgs: z.array(z.looseObject({ id: z.int() })),
  items: z.array(
    z.object({
      code: z.string(),
      blocks: z.boolean(),
      message: z.string(),
      link: z.string(),
      rule: z.object({ displayed_name: z.string() }).nullable(),
      fields: z.array(z.string()),
    }),
  ),
})

async function readinessOf({ id }: { readonly id: number }): Promise<z.infer<typeof answer>> {
  const { status, body } = await ann.call('GET', `/api/components/${id}/readiness.json`)
  expect([status, body]).toEqual([200, body])
  return answer.parse(body)
}

function change(made: MadeComponent, values: Record<string, string | number | null>) {
  return setRows(service(), 'rules', values, { component_id: made.id })
}

async function oneRule(values: Record<string, string | number | null>): Promise<MadeComponent> {
  const made = await makeComponent(service(), ann, {
    projectId,
    rules: [{ id: 'SV-1r1_rule', version: 'SRG-TEA-000001', checks: ['Look.'], fix: 'Pour.' }],
  })
  await change(made, values)
  return made
}

describe('The obstacles to the release of a component', () => {
  it('list rules that are unlocked and have no status', async () => {
    const made = await makeComponent(service(), ann, { projectId, rules: 2 })
    const { ready, counts, items } = await readinessOf(made)
    expect([ready, counts]).toEqual([false, { rule_unlocked: 2, status_missing: 2 }])
    expect(items.map(({ code, blocks, link, rule }) => [code, blocks, link, rule])).toEqual([
      ['rule_unlocked', true, `/rules/${made.rules[0]}`, expect.anything()],
      ['rule_unlocked', true, `/rules/${made.rules[1]}`, expect.anything()],
      ['status_missing', false, `/rules/${made.rules[0]}`, expect.anything()],
      ['status_missing', false, `/rules/${made.rules[1]}`, expect.anything()],
    ])
    expect(items[1]?.rule?.displayed_name).toBe('TEAP-00-000002')
  })

  it.each([
    [{ status: 'Applicable - Configurable' }, []],
    [{ status: 'Applicable - Configurable', fixtext: ' ' }, ['fix_missing']],
    [{ status: 'Applicable - Inherently Meets' }, ['justification_missing', 'artifact_missing']],
    [{ status: 'Applicable - Does Not Meet' }, ['justification_missing', 'mitigation_missing']],
    [{ status: 'Applicable - Does Not Meet', mitigations: 'Tea.', status_justification: 'No.' }, []],
    [{ status: 'Not Applicable' }, ['justification_missing']],
    [{ status: 'Not Applicable', status_justification: 'There is none.' }, []],
    [{ status: 'Applicable - Configurable', changes_requested: 1 }, ['changes_requested']],
  ])('list the fields that a status requires and a rule lacks: %o', async (values, codes) => {
    const made = await oneRule({ ...values, locked: 1 })
    const { ready, items } = await readinessOf(made)
    expect([ready, items.map(({ code }) => code)]).toEqual([true, codes])
  })

  it('list empty checks and pending reviews', async () => {
    const made = await oneRule({ status: 'Applicable - Configurable', review_requestor_id: ann.id })
    await alter(service(), (writer) => writer.deleteFrom('rule_checks').execute())
    const { counts } = await readinessOf(made)
    expect(counts).toEqual({ rule_unlocked: 1, check_missing: 1, under_review: 1 })
  })

  it('omit fields of a rule that another rule satisfies', async () => {
    const made = await makeComponent(service(), ann, { projectId, rules: 2 })
    const [child = 0, parent = 0] = made.rules
    await change(made, { status: 'Applicable - Does Not Meet', locked: 1 })
    await satisfy(service(), child, parent)
    const { items } = await readinessOf(made)
    expect(items.map(({ rule }) => rule?.displayed_name)).toEqual(['TEAP-00-000002', 'TEAP-00-000002'])
  })

  it('of an SRG include version, release, prefix and every status', async () => {
    const made = await makeComponent(service(), ann, {
      projectId,
      kind: 'srg',
      prefix: '1234-00',
      rules: 1,
      version: null,
      release: null,
    })
    const { items } = await readinessOf(made)
    expect(items.filter(({ blocks }) => blocks).map(({ code }) => code)).toEqual([
      'version_missing',
      'release_missing',
      'prefix_without_token',
      'nothing_applicable',
      'rule_undetermined',
      'rule_unlocked',
    ])
  })

  it('list open comments until they are adjudicated', async () => {
    const made = await oneRule({ status: 'Applicable - Configurable', locked: 1 })
    const now = new Date().toISOString()
    await placeComment(service(), ann, { component_id: made.id, rule_id: null, triage_status: 'concur' })
    expect(await readinessOf(made)).toMatchObject({ ready: true, items: [{ code: 'comments_open' }] })
    await setRows(service(), 'reviews', { adjudicated_at: now }, { component_id: made.id })
    expect((await readinessOf(made)).items).toEqual([])
  })

  it('list a newer release of the SRG with the rules that it changes', async () => {
    const rules = sampleRules(3, 'srg')
    const id = `Teapot_${Date.now()}_SRG`
    const srgId = await store(service(), { id, kind: 'srg', rules })
    const made = await makeComponent(service(), ann, { projectId, srgId })
    await change(made, { status: 'Not Applicable', status_justification: 'None.', locked: 1 })
    expect((await readinessOf(made)).items).toEqual([])
    const [first, , third] = rules
    const added = { id: 'SV-9000009r1_rule', version: 'SRG-TEA-000009', title: 'Bake biscuits' }
    const kept = { ...first, id: 'SV-1000001r2_rule', title: 'Another title', severity: 'low' }
    if (third === undefined) throw new Error('There are three')
    const newerId = await store(service(), { id, kind: 'srg', release: '2', rules: [kept, third, added] })
    const { ready, items, newer_srgs } = await readinessOf(made)
    expect(ready).toBe(true)
    expect(newer_srgs).toMatchObject([
      {
        id: newerId,
        srg_id: id,
        version: 'V1R2',
        current_id: srgId,
        added: ['SRG-TEA-000009'],
        changed_count: 1,
        removed_count: 1,
      },
    ])
    const fields = ['title', 'rule_severity', 'vuln_discussion', 'check_content', 'fixtext']
    expect(items.map((item) => [item.code, item.fields, item.link])).toEqual([
      ['newer_srg', [], `/api/srgs/${newerId}/diff?from=${srgId}`],
      ['requirement_changed', fields, `/rules/${made.rules[0]}`],
      ['requirement_removed', [], `/rules/${made.rules[1]}`],
    ])
    expect((await ann.call('GET', items[0]?.link ?? '')).status).toBe(200)
  })
})
