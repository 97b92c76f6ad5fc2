// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { relatedRules } from '../../../../src/guidance/authoring/rule-links/related.ts'
import { makeComponent, satisfy, storeSrg, type MadeComponent } from '../../../support/authoring.ts'
import { store } from '../../../support/catalogue.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type Person, type SessionClient } from '../../../support/guidance.ts'
import { placeComment } from '../../../support/samples/reviews.ts'

const guidance = guidanceService()

interface Member {
  readonly person: Person
  readonly client: SessionClient
  readonly projectId: number
}

let ann: Member
let bob: Member
let site: SessionClient
let srgId = 0

beforeAll(async () => {
  ann = await member('Ann')
  bob = await member('Bob')
  site = await guidance().signUp('Root', { admin: true })
  srgId = await storeSrg(guidance(), 'stig', 3)
})

async function member(name: string): Promise<Member> {
  const person = await guidance().person(name)
  const client = await guidance().signIn(person.email)
  const projectId = await guidance().project(client, { name: `Project of ${name}` })
  return { person, client, projectId }
}

function makeRelated(
  { person, projectId }: Member,
  how: Partial<Parameters<typeof makeComponent>[2]> = {},
): Promise<MadeComponent> {
  return makeComponent(guidance(), person, { projectId, srgId, ...how })
}

async function set(id: number, values: Readonly<Record<string, string | number>>): Promise<void> {
  await setRows(guidance(), 'rules', values, { id })
}

async function release(id: number): Promise<void> {
  await setRows(guidance(), 'components', { released: 1 }, { id })
}

async function relatedTo(ruleId = 0, client = ann.client): Promise<z.infer<typeof relatedRules>> {
  const { status, body } = await client.call('GET', `/rules/${ruleId}/search/related_rules`)
  expect(status).toBe(200)
  return relatedRules.parse(body)
}

describe('GET /rules/{id}/search/related_rules', () => {
  it('returns texts of other readable components for the same requirement', async () => {
    const component = await makeRelated(ann)
    const [rule = 0] = component.rules
    const other = await makeRelated(ann, { name: 'Other', prefix: 'OTHE-01', version: 1, release: 2 })
    await set(other.rules[0] ?? 0, {
      title: 'Close it',
      fixtext: 'Shut.',
      vendor_comments: 'Ours.',
      rule_severity: 'low',
      vuln_discussion: 'It cools.',
      status: 'Applicable - Configurable',
    })
    const foreign = await makeRelated(bob, { name: 'Foreign' })
    const { rules, parents, truncated } = await relatedTo(rule)
    expect(rules).toEqual([
      {
        id: other.rules[0],
        kind: 'component',
        parent_id: other.id,
        srg_id: 'SRG-TEA-000001',
        displayed_name: 'OTHE-01-000001',
        title: 'Close it',
        rule_severity: 'low',
        status: 'Applicable - Configurable',
        vuln_discussion: 'It cools.',
        fixtext: 'Shut.',
        check_content: rules[0]?.check_content ?? 'none',
        vendor_comments: 'Ours.',
      },
    ])
    expect(rules[0]?.check_content).toContain('lid')
    expect([parents, truncated]).toEqual([
      [{ id: other.id, kind: 'component', name: 'Other', version: 'V1R2', project_name: 'Project of Ann' }],
      false,
    ])
    expect((await relatedTo(rule, site)).parents.map(({ id }) => id)).toEqual([other.id, foreign.id])
    await release(foreign.id)
    expect((await relatedTo(rule)).parents).toMatchObject([
      { id: other.id },
      { id: foreign.id, version: 'V1R1', project_name: 'Project of Bob' },
    ])
    await set(other.rules[0] ?? 0, { deleted_at: new Date().toISOString() })
    expect((await relatedTo(rule)).rules.map(({ id }) => id)).toEqual([foreign.rules[0]])
  })

  it('returns texts of the latest releases of published STIGs', async () => {
    const requirement = 'SRG-KET-000007'
    const id = await storeSrg(guidance(), 'stig', [{ id: 'SV-7r1_rule', version: requirement }])
    const component = await makeRelated(ann, { srgId: id })
    const published = (version: string, title: string) =>
      store(guidance(), {
        id: 'Kettle_STIG',
        kind: 'stig',
        version,
        release: 'Release: 1',
        rules: [
          {
            id: 'SV-70r1_rule',
            version: 'KETL-00-000070',
            requirement,
            title,
            checks: ['Look.', 'Look again.'],
            fix: 'Shut.',
            severity: 'high',
          },
          { id: 'SV-71r1_rule', version: 'KETL-00-000071', requirement: 'SRG-KET-000008' },
        ],
      })
    await published('1', 'Old title')
    const latest = await published('2', 'New title')
    const { rules, parents } = await relatedTo(component.rules[0])
    expect(rules).toMatchObject([
      {
        kind: 'stig',
        parent_id: latest,
        displayed_name: 'KETL-00-000070',
        status: null,
        title: 'New title',
        rule_severity: 'high',
        check_content: 'Look.\n\nLook again.',
        fixtext: 'Shut.',
        vendor_comments: null,
        srg_id: requirement,
      },
    ])
    expect(parents).toMatchObject([{ id: latest, kind: 'stig', project_name: null }])
  })

  it('is empty for a rule without a requirement, and returns 404 for an SRG', async () => {
    const component = await makeRelated(ann)
    const [, rule = 0] = component.rules
    await setRows(guidance(), 'rules', { version: null }, { id: rule })
    expect(await relatedTo(rule)).toEqual({ rules: [], parents: [], truncated: false })
    const core = await storeSrg(guidance(), 'srg')
    const srg = await makeRelated(ann, { kind: 'srg', srgId: core })
    const path = (id = 0): string => `/rules/${id}/search/related_rules`
    expect((await ann.client.call('GET', path(srg.rules[0]))).status).toBe(404)
    expect((await bob.client.call('GET', path(rule))).status).toBe(404)
  })

  it('reports that there are more results than it returns', async () => {
    const requirement = 'SRG-POT-000001'
    const id = await storeSrg(guidance(), 'stig', [{ id: 'SV-9r1_rule', version: requirement }])
    const component = await makeRelated(ann, { srgId: id })
    const rules = Array.from({ length: 201 }, (_none, index) => ({
      id: `SV-9${index}r1_rule`,
      version: `POTS-00-${index}`,
      requirement,
    }))
    await store(guidance(), { id: 'Many_Pots_STIG', kind: 'stig', rules })
    const found = await relatedTo(component.rules[0])
    expect([found.rules.length, found.parents.length, found.truncated]).toEqual([200, 1, true])
  })
})

const picked = z.object({ rules: z.array(z.looseObject({ id: z.int() })) })

describe('GET /components/{id}/rules_picker', () => {
  it('lists the rules briefly, in their order, with the rules that satisfy them', async () => {
    const { id, rules } = await makeRelated(ann)
    const [firstRule = 0, secondRule = 0, thirdRule = 0] = rules
    await set(secondRule, { status: 'Not Applicable', rule_severity: 'low', locked: 1, title: 'Two' })
    await set(thirdRule, { review_requestor_id: ann.person.id, changes_requested: 0 })
    const on = { component_id: id, rule_id: secondRule }
    const first = await placeComment(guidance(), ann.person, on)
    await placeComment(guidance(), ann.person, {
      ...on,
      triage_status: 'concur',
      adjudicated_at: new Date(0).toISOString(),
    })
    await placeComment(guidance(), ann.person, { ...on, responding_to_review_id: first, triage_status: null })
    await satisfy(guidance(), thirdRule, firstRule)
    const { body } = await ann.client.call('GET', `/components/${id}/rules_picker`)
    const link = (rule: number, number: number) => ({
      id: rule,
      rule_id: `00000${number}`,
      srg_id: `SRG-TEA-00000${number}`,
    })
    const base = {
      lock_version: 0,
      locked: false,
      review_requestor_id: null,
      changes_requested: false,
      status: 'Not Yet Determined',
      rule_severity: 'medium',
      comment_summary: { open: 0, total: 0 },
      satisfies: [],
      satisfied_by: [],
      locked_fields: {},
      justified: false,
    }
    const rule = (ruleId: number, number: number) => ({
      ...base,
      id: ruleId,
      rule_id: `00000${number}`,
      version: `SRG-TEA-00000${number}`,
      displayed_name: `TEAP-00-00000${number}`,
    })
    const { rules: found } = picked.parse(body)
    const titles = found.map((rule) => rule['title'])
    expect(found).toEqual([
      { ...rule(firstRule, 1), title: titles[0], rule_severity: 'high', satisfies: [link(thirdRule, 3)] },
      {
        ...rule(secondRule, 2),
        title: 'Two',
        status: 'Not Applicable',
        rule_severity: 'low',
        locked: true,
        comment_summary: { open: 1, total: 2 },
      },
      {
        ...rule(thirdRule, 3),
        title: titles[2],
        rule_severity: 'low',
        satisfied_by: [link(firstRule, 1)],
        review_requestor_id: ann.person.id,
      },
    ])
  })

  it('omits deleted rules, and has no links for an SRG', async () => {
    const { id, rules } = await makeRelated(ann)
    await set(rules[0] ?? 0, { deleted_at: new Date().toISOString() })
    const left = picked.parse((await ann.client.call('GET', `/components/${id}/rules_picker`)).body)
    expect(left.rules.map((rule) => rule.id)).toEqual(rules.slice(1))
    const core = await storeSrg(guidance(), 'srg')
    const srg = await makeRelated(ann, { kind: 'srg', srgId: core })
    const { body } = await ann.client.call('GET', `/components/${srg.id}/rules_picker`)
    const { rules: requirements } = picked.parse(body)
    expect(requirements).toHaveLength(3)
    for (const requirement of requirements) {
      expect(requirement).not.toHaveProperty('satisfies')
      expect(requirement).not.toHaveProperty('satisfied_by')
    }
  })

  it('finds the rules that have all words in their ids, CCIs or texts', async () => {
    const { id, rules } = await makeRelated(ann)
    const [first = 0, second = 0, third = 0] = rules
    await set(first, { title: 'Close the LID at 100%', fixtext: 'Shut it.', ident: 'CCI-009915' })
    await set(second, { title: 'Pour 1000 cups', vendor_comments: 'the_lid stays', ident: 'CCI-009916' })
    await set(third, { title: 'Über allem', vuln_discussion: "It's <hot> [a-z]* \\ boiling" })
    await setRows(guidance(), 'rule_checks', { content: 'Look at the spout.' }, { rule_id: second })
    const found = async (text: string, parameters = ''): Promise<readonly number[]> => {
      const path = `/components/${id}/rules_picker?text=${encodeURIComponent(text)}${parameters}`
      const { status, body } = await ann.client.call('GET', path)
      expect([text, status]).toEqual([text, 200])
      return picked.parse(body).rules.map((rule) => rule.id)
    }
    for (const [text, expected] of [
      ['srg-tea-000002', [second]],
      ['TEAP-00-000003', [third]],
      ['cci-009916', [second]],
      ['close the lid', [first]],
      ['SPOUT', [second]],
      ['über', [third]],
      ['lid  pour', [second]],
      ['close pour', []],
      ['  ', [first, second, third]],
      ['', [first, second, third]],
      // No letter stands for others.
      ['100%', [first]],
      ['e_lid', [second]],
      ['[a-z]*', [third]],
      ['\\ ', [third]],
      ["'s <hot>", [third]],
      ["' or 1=1 --", []],
      ['\u{1F375}', []],
    ] as const)
      expect([text, await found(text)]).toEqual([text, expected])
    expect(await found('srg-tea', `&ids=${first},${third}`)).toEqual([first, third])
  })

  it.each(['text=%00', 'text=%ED%A0%80', `text=${'a'.repeat(1001)}`, 'text=a&text=b', 'text%5Ba%5D=b', 'text=%25%'])(
    'answers ?%.20s with rules or with an error',
    async (query) => {
      const { id } = await makeRelated(ann)
      const { status } = await ann.client.call('GET', `/components/${id}/rules_picker?${query}`)
      expect([200, 400, 422]).toContain(status)
    },
  )

  it('finds nothing by words in what the caller may not read', async () => {
    const { id, rules } = await makeRelated(ann)
    await set(rules[0] ?? 0, { title: 'Secret of the samovar' })
    const other = await makeRelated(ann, { name: 'Beside', prefix: 'BESI-01' })
    const pickerOf = (component: number): string => `/components/${component}/rules_picker?text=samovar`
    expect((await bob.client.call('GET', pickerOf(id))).status).toBe(404)
    expect((await guidance().nobody.call('GET', pickerOf(id))).status).toBe(401)
    expect((await ann.client.call('GET', pickerOf(other.id))).body).toEqual({ rules: [] })
    await set(rules[0] ?? 0, { deleted_at: new Date().toISOString() })
    expect((await ann.client.call('GET', pickerOf(id))).body).toEqual({ rules: [] })
  })

  it('is reserved for readers of the component', async () => {
    const { id } = await makeRelated(ann)
    const path = `/components/${id}/rules_picker`
    expect((await bob.client.call('GET', path)).status).toBe(404)
    await release(id)
    expect((await bob.client.call('GET', path)).status).toBe(200)
  })
})
