import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { componentMember, makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { rowOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'

const service = guidanceService()

const finding = z.object({
  code: z.string(),
  rule: z.string(),
  field: z.string(),
  check_id: z.int().nullable(),
  start: z.int(),
  end: z.int(),
  message: z.string(),
  suggestion: z.string().nullable(),
  quote: z.string(),
})
const off = z.object({ code: z.string(), reason: z.string(), by: z.string(), hidden: z.int() })
const ofRule = z.object({
  id: z.int(),
  displayed_name: z.string(),
  lock_version: z.int(),
  findings: z.array(finding),
  off: z.array(off),
})
const ofComponent = z.object({
  counts: z.record(z.string(), z.int()),
  guide: z.record(z.string(), z.string()),
  rules_count: z.int(),
  rules: z.array(ofRule),
})
const ann = signedIn(service, 'Ann')
let projectId = 0

beforeAll(async () => {
  projectId = await service().project(ann)
})

const SAID = 'Whoever pours tea without any limit may flood the kitchen of an attacker.'

async function component(rules = 1): Promise<MadeComponent> {
  const made = await makeComponent(service(), ann, { projectId, rules })
  const written = {
    status: 'Applicable - Configurable',
    rule_severity: 'medium',
    title: 'The pot must limit pouring.',
    fixtext: 'Set "deny" in /etc/teapot.conf.',
    vuln_discussion: SAID,
    ident: null,
    severity_override_guidance: 'Tea.',
  } as const
  await setRows(service(), 'rules', written, { component_id: made.id })
  const content = 'Verify "deny" in /etc/teapot.conf.\n\nIf it is off, this is a finding.'
  for (const rule_id of made.rules) await setRows(service(), 'rule_checks', { content }, { rule_id })
  return made
}

/** As an editor saves it: its version grows. */
async function write(id: number | undefined, rule: Record<string, unknown>): Promise<void> {
  expect((await ann.call('PUT', `/rules/${id}`, { body: { rule } })).status).toBe(200)
}

async function adviceOn(id: number | undefined): Promise<z.infer<typeof ofRule>> {
  const { status, body } = await ann.call('GET', `/rules/${id}/advice`)
  expect([status, body]).toEqual([200, body])
  return ofRule.parse(body)
}

async function adviceOnAll({ id }: MadeComponent): Promise<z.infer<typeof ofComponent>> {
  const { status, body } = await ann.call('GET', `/api/components/${id}/advice.json`)
  expect([status, body]).toEqual([200, body])
  return ofComponent.parse(body)
}

describe('Advice on a rule', () => {
  it('names the code, the place and the replacement, and follows each edit', async () => {
    const { rules } = await component()
    expect((await adviceOn(rules[0])).findings).toEqual([])
    await write(rules[0], { title: 'The pot should limit pouring.' })
    expect((await adviceOn(rules[0])).findings).toEqual([
      {
        code: 'title_should',
        field: 'title',
        check_id: null,
        start: 8,
        end: 14,
        rule: 'A requirement says "must", neither "should" nor "shall" nor "will".',
        message: 'Write "must" instead of "should".',
        suggestion: 'must',
        quote: 'should',
      },
    ])
    await write(rules[0], { title: 'The pot must limit pouring.' })
    expect((await adviceOn(rules[0])).findings).toEqual([])
  })

  it('names the check that it applies to', async () => {
    const { rules } = await component()
    const { id } = await rowOf(service(), 'rule_checks', { rule_id: rules[0] ?? 0 })
    await write(rules[0], { checks_attributes: [{ id, content: 'Verify the pot.' }] })
    expect((await adviceOn(rules[0])).findings).toMatchObject([
      { code: 'check_finding', field: 'check_content', check_id: id, start: 0, end: 15 },
    ])
  })

  it('never prevents a save', async () => {
    const { rules } = await component()
    const words = { title: 'Should.', fixtext: '\u201cPlease\u201d', status: 'Applicable' }
    await write(rules[0], { ...words, status: 'Applicable - Configurable' })
    expect((await adviceOn(rules[0])).findings.length).toBeGreaterThan(2)
  })

  it('uses its CCIs, the fields that its status requires, and the severity of the SRG', async () => {
    const { rules } = await component()
    const given = {
      status: 'Applicable - Does Not Meet',
      ident: 'CCI-999999',
      rule_severity: 'low',
      disa_rule_descriptions_attributes: [{ id: rules[0], severity_override_guidance: null }],
    }
    await write(rules[0], given)
    const { findings } = await adviceOn(rules[0])
    expect(findings.map(({ code }) => code)).toEqual([
      'justification_missing',
      'mitigation_missing',
      'severity_guidance',
      'cci_unknown',
    ])
  })
})

describe('Advice on a component', () => {
  it('lists the rules with findings and the sentences that two rules share', async () => {
    const made = await component(2)
    const { rules, counts, guide, rules_count } = await adviceOnAll(made)
    expect([counts, rules_count]).toEqual([{ other_rule: 2 }, 2])
    expect(rules.map(({ id, findings }) => [id, findings[0]?.message])).toEqual([
      [made.rules[0], 'The same words are in TEAP-00-000002.'],
      [made.rules[1], 'The same words are in TEAP-00-000001.'],
    ])
    expect(Object.keys(guide)).toContain('fix_check')
    const [, second] = made.rules
    const text = 'An attacker may flood the kitchen.'
    await write(second, { disa_rule_descriptions_attributes: [{ id: second, vuln_discussion: text }] })
    expect((await adviceOnAll(made)).rules).toEqual([])
  })

  it('is counted by rule and kind without disabled advice, and limits its quotes', async () => {
    const made = await component(2)
    const [first, second] = made.rules
    await write(second, { title: 'The pot must not pour or cannot pour.' })
    const counts = async (): Promise<unknown> =>
      (await ann.call('GET', `/api/components/${made.id}/advice_counts.json`)).body
    expect(await counts()).toEqual({
      component_id: made.id,
      rules: [
        { id: first, counts: { other_rule: 1 } },
        { id: second, counts: { title_negative: 2, other_rule: 1 } },
      ],
    })
    const reason = { body: { reason: 'As the vendor has it.' } }
    await ann.call('PUT', `/rules/${second}/advice/title_negative`, reason)
    await ann.call('PUT', `/rules/${first}/advice/other_rule`, reason)
    expect(await counts()).toMatchObject({ rules: [{ id: second, counts: { other_rule: 1 } }] })
    const [shared] = (await adviceOn(second)).findings
    expect(shared?.quote).toBe(SAID)
    await write(second, { fixtext: `Set \u201c${'tea '.repeat(100)}\u201d.`, title: `${'Tea '.repeat(100)}.` })
    const must = (await adviceOn(second)).findings.find(({ code }) => code === 'title_must')
    expect(must?.quote).toBe('Tea '.repeat(40))
  })

  it('omits deleted rules', async () => {
    const made = await component(2)
    expect((await adviceOnAll(made)).rules).toHaveLength(2)
    expect((await ann.call('DELETE', `/rules/${made.rules[1]}`)).status).toBe(200)
    expect((await adviceOnAll(made)).rules).toEqual([])
    expect((await ann.call('GET', `/rules/${made.rules[1]}/advice`)).status).toBe(404)
  })

  it('is the same for concurrent requests while rules change', async () => {
    const made = await component(3)
    const asked = [1, 2, 3, 4, 5, 6].map(() => adviceOnAll(made))
    await write(made.rules[0], { title: 'The pot shall limit pouring.' })
    await Promise.all(asked)
    expect((await adviceOnAll(made)).counts).toMatchObject({ title_should: 1 })
  })
})

describe('Disabled advice', () => {
  it('is listed with author, reason and hidden findings, in the history and in copies', async () => {
    const made = await component()
    const [id] = made.rules
    await write(id, { title: 'The pot must not pour or cannot pour.' })
    const path = `/rules/${id}/advice/title_negative`
    const { status, body } = await ann.call('PUT', path, { body: { reason: 'As the vendor says it.' } })
    const disabled = { code: 'title_negative', reason: 'As the vendor says it.', by: ann.name, hidden: 2 }
    expect([status, ofRule.parse(body)]).toMatchObject([200, { findings: [], off: [disabled] }])
    expect((await adviceOnAll(made)).rules).toMatchObject([{ off: [disabled] }])
    const { body: rule } = await ann.call('GET', `/rules/${id}`)
    expect(rule).toMatchObject({ lock_version: 1 })
    expect(JSON.stringify(rule)).toContain('"prev_value":[],"new_value":["title_negative"]')
    const copied = await ann.call('POST', `/projects/${projectId}/components`, {
      body: { component: { duplicate: true, id: made.id, version: 2, release: 1 } },
    })
    const copy = z.object({ id: z.int() }).parse(copied.body).id
    expect((await adviceOnAll({ ...made, id: copy })).rules).toMatchObject([{ off: [disabled] }])
    const on = ofRule.parse((await ann.call('DELETE', path)).body)
    expect([on.findings.length, on.off]).toEqual([2, []])
  })

  it.each([
    ['title_negative', {}, 400],
    ['title_negative', { reason: ' ' }, 422],
    ['title_negative', { reason: 'x'.repeat(1001) }, 422],
    ['toString', { reason: 'Why not?' }, 404],
    ['constructor', { reason: 'Why not?' }, 404],
  ])('needs a code and a reason: %s, %o', async (code, given, status) => {
    const { rules } = await component()
    expect((await ann.call('PUT', `/rules/${rules[0]}/advice/${code}`, { body: given })).status).toBe(status)
  })

  it('is changed by authors until the release', async () => {
    const made = await component()
    const bob = await service().person('Bob')
    await componentMember(service(), made.id, { person: bob, role: 'viewer' })
    const viewer = await service().signIn(bob.email)
    const path = `/rules/${made.rules[0]}/advice`
    expect((await viewer.call('GET', path)).status).toBe(200)
    const reason = { body: { reason: 'Mine.' } }
    expect((await viewer.call('PUT', `${path}/title_must`, reason)).status).toBe(403)
    await setRows(service(), 'components', { released: 1 }, { id: made.id })
    expect((await ann.call('PUT', `${path}/title_must`, reason)).status).toBe(403)
  })
})
