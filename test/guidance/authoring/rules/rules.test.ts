// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, type Answer } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'

const guidance = guidanceService()
const owner = signedIn(guidance, 'Owner')
let projectId: number

beforeAll(async () => {
  projectId = await guidance().project(owner)
})

function makeTeapot(kind: 'stig' | 'srg' = 'stig'): Promise<MadeComponent> {
  return makeComponent(guidance(), owner, { projectId, kind })
}

async function rulesOf(kind: 'stig' | 'srg' = 'stig'): Promise<readonly [number, number, number]> {
  return z.tuple([z.int(), z.int(), z.int()]).parse((await makeTeapot(kind)).rules)
}

function put(id: number, rule: unknown, headers = {}): Promise<Answer> {
  return owner.call('PUT', `/rules/${id}`, { body: { rule }, headers })
}

const shape = z.looseObject({
  lock_version: z.int(),
  checks_attributes: z.array(z.looseObject({ id: z.int(), content: z.string().nullable() })),
  histories: z.array(z.looseObject({ id: z.int(), audited_changes: z.array(z.looseObject({ field: z.string() })) })),
})

async function read(id: number): Promise<z.infer<typeof shape>> {
  const { status, body } = await owner.call('GET', `/rules/${id}`)
  expect(status).toBe(200)
  return shape.parse(body)
}

function lock(id: number, body: object): Promise<Answer> {
  return owner.call('PATCH', `/rules/${id}/bulk_section_locks`, { body })
}

describe('GET /components/{id}/rules/named/{name}', () => {
  it('answers as the rule with this name does by its number', async () => {
    const { id, rules } = await makeTeapot()
    const named = await owner.call('GET', `/components/${id}/rules/named/TEAP-00-000002`)
    const numbered = await owner.call('GET', `/rules/${rules[1]}`)
    expect([named.status, named.headers.etag]).toEqual([200, '"0"'])
    expect(named.body).toEqual(numbered.body)
  })

  it.each([
    'TEAP-00-000099',
    'TEAP-00-00002',
    'TEAP-00-0000002',
    'teap-00-000002',
    'OTHR-00-000002',
    '000002',
    '%20',
    'x',
  ])('returns 404 for %s', async (name) => {
    const { id } = await makeTeapot()
    expect((await owner.call('GET', `/components/${id}/rules/named/${name}`)).status).toBe(404)
  })

  it('returns 404 for a rule that is removed', async () => {
    const { id, rules } = await makeTeapot()
    expect((await owner.call('DELETE', `/rules/${rules[1]}`)).status).toBe(200)
    expect((await owner.call('GET', `/components/${id}/rules/named/TEAP-00-000002`)).status).toBe(404)
  })
})

describe('PUT /rules/{id}', () => {
  it('changes fields and nested records, and keeps absent ones', async () => {
    const [id] = await rulesOf()
    const before = await read(id)
    const [check] = before.checks_attributes
    const { status, headers } = await put(id, {
      title: '  A new title ',
      status: 'Applicable - Configurable',
      ident: 'CCI-000366, CCI-000015 CCI-000366',
      checks_attributes: [{ id: check?.id, content: 'Look again.' }, { content: 'And again.' }],
      disa_rule_descriptions_attributes: [{ id, documentable: true, poam: ' ' }],
      audit_comment: 'Because',
    })
    expect([status, headers.etag]).toEqual([200, '"1"'])
    const after = await read(id)
    expect(after).toMatchObject({
      title: 'A new title',
      ident: 'CCI-000015, CCI-000366',
      fixtext: before['fixtext'],
      lock_version: 1,
      disa_rule_descriptions_attributes: [{ documentable: true, poam: null }],
    })
    expect(after.checks_attributes.map(({ content }) => content)).toEqual(['Look again.', 'And again.'])
    expect(after.histories.at(-1)).toMatchObject({ comment: 'Because', name: 'Owner' })
  })

  it('changes nothing when it receives the unchanged rule', async () => {
    const [id] = await rulesOf()
    const before = await read(id)
    expect((await put(id, before)).status).toBe(200)
    const after = await read(id)
    expect(after).toEqual(before)
  })

  it('returns both versions to the second of two editors, and stores only one', async () => {
    const [id] = await rulesOf()
    const answers = await Promise.all(['one', 'two'].map((title) => put(id, { title, lock_version: 0 })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const loser = answers.find(({ status }) => status === 409)
    const after = await read(id)
    expect(loser?.body).toMatchObject({
      code: 'edit_conflict',
      current: { id, title: after['title'], lock_version: 1 },
      yours: { title: after['title'] === 'one' ? 'two' : 'one' },
    })
    const stale = await put(id, { title: 'three' }, { 'If-Match': '"0"' })
    expect(stale.status).toBe(409)
    expect((await put(id, { title: 'x' }, { 'If-Match': 'odd' })).status).toBe(400)
  })

  it.each([
    ['stig', { status: 'Applicable' }, 'status'],
    ['srg', { status: 'Applicable - Configurable' }, 'status'],
    ['srg', { status: 'Not Applicable' }, 'status_justification'],
    ['stig', { rule_severity: 'info' }, 'rule_severity'],
    ['stig', { title: 'x'.repeat(501) }, 'title'],
    ['stig', { title: ' ' }, 'title'],
    ['stig', { rule_weight: 'abc' }, 'rule_weight'],
    ['stig', { fixtext: 'x'.repeat(10_001) }, 'fixtext'],
    ['stig', { status_justification: 'x'.repeat(1001) }, 'status_justification'],
    ['stig', { checks_attributes: [{ content: 'x'.repeat(10_001) }] }, 'content'],
  ] as const)('refuses, in a %s, %j', async (kind, rule, field) => {
    const [id] = await rulesOf(kind)
    const { status, body } = await put(id, rule)
    expect([status, body]).toMatchObject([422, { errors: [{ field }] }])
  })

  it.each([
    [{ status: 'applicable_configurable' }, 'Applicable - Configurable'],
    [{ disa_rule_descriptions_attributes: [{ documentable: 'maybe' }] }, 'ocumentable must be'],
  ] as const)('names the allowed values for %j', async (rule, words) => {
    const [id] = await rulesOf()
    const { status, body } = await put(id, rule)
    expect([status, body]).toMatchObject([422, { detail: containing(words) }])
  })

  it('returns an error for a nested record of another rule', async () => {
    const [id, other] = await rulesOf()
    const [check] = (await read(other)).checks_attributes
    for (const rule of [
      { checks_attributes: [{ id: check?.id, content: 'x' }] },
      { disa_rule_descriptions_attributes: [{ id: other, poam: 'x' }] },
      { additional_answers_attributes: [{ additional_question_id: 1, answer: 'x' }] },
    ])
      expect((await put(id, rule)).status).toBe(404)
    expect((await read(id)).lock_version).toBe(0)
  })

  it('skips locked sections and names them', async () => {
    const [id] = await rulesOf()
    expect((await lock(id, { sections: ['Title', 'Check'], locked: true })).status).toBe(200)
    const { body, status } = await put(id, { title: 'x', fixtext: 'y' })
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'rule_locked', locked: false, sections: ['Title'], fields: ['title'] })
    expect((await put(id, { checks_attributes: [{ content: 'x' }] })).status).toBe(409)
    expect((await put(id, { fixtext: 'y' })).status).toBe(200)
    expect((await lock(id, { sections: ['Title'], locked: false })).status).toBe(200)
    expect((await put(id, { title: 'x' })).status).toBe(200)
  })

  it('is reserved for site administrators after the release', async () => {
    const { id, rules } = await makeTeapot()
    await setRows(guidance(), 'components', { released: 1 }, { id })
    expect((await put(rules[0] ?? 0, { title: 'x' })).status).toBe(403)
    const client = await guidance().signUp('Root', { admin: true })
    const sent = { body: { rule: { title: 'x' } } }
    expect((await client.call('PUT', `/rules/${rules[0] ?? 0}`, sent)).status).toBe(200)
  })
})

describe('POST /rules/{id}/revert', () => {
  it('restores old values, including a removed check', async () => {
    const [id] = await rulesOf()
    const before = await read(id)
    const [check] = before.checks_attributes
    await put(id, { title: 'x', checks_attributes: [{ id: check?.id, _destroy: true }] })
    const entry = (await read(id)).histories.at(-1)
    const fields = entry?.audited_changes.map(({ field }) => field) ?? []
    expect(fields).toEqual(['title', `checks_attributes.${check?.id ?? 0}`])
    const revert = (audit_id: unknown, wanted: unknown): Promise<Answer> =>
      owner.call('POST', `/rules/${id}/revert`, { body: { audit_id, fields: wanted } })
    expect((await revert(entry?.id, ['fixtext'])).status).toBe(422)
    expect((await revert(999_999, ['title'])).status).toBe(404)
    expect((await revert(entry?.id, fields)).status).toBe(200)
    const after = await read(id)
    expect([after['title'], after.checks_attributes[0]?.content]).toEqual([before['title'], check?.content])
  })
})

describe('POST /rules/{id}/revert with an entry of another rule', () => {
  it('returns 404', async () => {
    const [id, other] = await rulesOf()
    await put(other, { title: 'y' })
    const audit_id = (await read(other)).histories.at(-1)?.id
    expect((await owner.call('POST', `/rules/${id}/revert`, { body: { audit_id, fields: ['title'] } })).status).toBe(
      404,
    )
  })
})

describe('POST /components/{id}/rules', () => {
  it('continues the numbers after a removal, and duplicates with the given fields', async () => {
    const { id, rules } = await makeTeapot()
    const create = (rule: object): Promise<Answer> => owner.call('POST', `/components/${id}/rules`, { body: { rule } })
    const copy = await create({ duplicate: true, id: rules[1], title: 'A copy' })
    expect(copy).toMatchObject({
      status: 200,
      body: { data: { rule_id: '000004', title: 'A copy', locked: false, reviews: [] } },
    })
    const { data } = z.object({ data: z.looseObject({ id: z.int() }) }).parse(copy.body)
    expect((await owner.call('DELETE', `/rules/${data.id}`)).status).toBe(200)
    expect((await owner.call('GET', `/rules/${data.id}`)).status).toBe(404)
    const blank = await create({ checks_attributes: [{ content: 'Mine' }] })
    expect(blank).toMatchObject({
      status: 200,
      body: {
        data: {
          rule_id: '000005',
          status: 'Not Yet Determined',
          ident: 'CCI-000366',
          checks_attributes: [{ content: 'Mine' }],
        },
      },
    })
    const [foreign] = await rulesOf()
    expect((await create({ duplicate: true, id: foreign })).status).toBe(404)
  })

  it('requires a requirement with the catch-all CCI in a STIG, and none in an SRG', async () => {
    const rules = [{ id: 'SV-1r1_rule', version: 'SRG-TEA-000001', cci: ['CCI-000015'] }]
    const stig = await makeComponent(guidance(), owner, { projectId, rules })
    const sent = { body: { rule: {} } }
    const refused = await owner.call('POST', `/components/${stig.id}/rules`, sent)
    expect(refused).toMatchObject({ status: 422, body: { detail: containing('CCI-000366') } })
    const srg = await makeTeapot('srg')
    const blank = await owner.call('POST', `/components/${srg.id}/rules`, sent)
    expect(blank).toMatchObject({ status: 200, body: { data: { rule_severity: 'medium' } } })
  })
})

describe('Satisfactions', () => {
  const pair = (rule_id: number, satisfied_by_rule_id: number): object => ({ body: { rule_id, satisfied_by_rule_id } })

  it('change the status of a rule and restore it afterwards', async () => {
    const [child, parent, third] = await rulesOf()
    await put(child, { status: 'Applicable - Configurable' })
    const answers = await Promise.all([1, 2].map(() => owner.call('POST', '/rule_satisfactions', pair(child, parent))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await read(child)).toMatchObject({
      status: 'Applicable - Does Not Meet',
      status_justification: containing('TEAP-00-000002'),
      satisfied_by: [{ id: parent }],
    })
    for (const [satisfied, satisfying] of [
      [child, child],
      [parent, third],
      [third, child],
    ] as const)
      expect((await owner.call('POST', '/rule_satisfactions', pair(satisfied, satisfying))).status).toBe(422)
    const path = '/rule_satisfactions/1'
    expect((await owner.call('DELETE', path, pair(child, parent))).status).toBe(200)
    expect(await read(child)).toMatchObject({
      status: 'Applicable - Configurable',
      status_justification: null,
      satisfied_by: [],
    })
    expect((await owner.call('DELETE', path, pair(child, parent))).status).toBe(404)
  })

  it('are refused for requirements and end with the satisfying rule', async () => {
    const [first, second] = await rulesOf('srg')
    expect((await owner.call('POST', '/rule_satisfactions', pair(first, second))).status).toBe(404)
    const [child, parent] = await rulesOf()
    await owner.call('POST', '/rule_satisfactions', pair(child, parent))
    await owner.call('DELETE', `/rules/${parent}`)
    expect(await read(child)).toMatchObject({ status: 'Not Yet Determined', satisfied_by: [] })
  })

  it('end with a satisfying rule of another component, which leaves the texts', async () => {
    const [[child], [parent]] = [await rulesOf(), await rulesOf()]
    await owner.call('POST', '/rule_satisfactions', pair(child, parent))
    const { lock_version } = await read(child)
    await owner.call('DELETE', `/rules/${parent}`)
    const expected = { status: 'Applicable - Does Not Meet', lock_version, satisfied_by: [] }
    expect(await read(child)).toMatchObject(expected)
  })

  it('report the unknown rule by name', async () => {
    const [child] = await rulesOf()
    for (const other of [null, 'x', 1.5]) {
      const body = { rule_id: child, satisfied_by_rule_id: other }
      const { status, body: problem } = await owner.call('POST', '/rule_satisfactions', { body })
      expect([status, problem]).toMatchObject([422, { detail: containing('satisfied_by_rule_id') }])
    }
  })

  it('do not change a locked rule', async () => {
    const [child, parent] = await rulesOf()
    await lock(child, { sections: ['Status'], locked: true })
    const answer = await owner.call('POST', '/rule_satisfactions', pair(child, parent))
    expect(answer).toMatchObject({ status: 409, body: { code: 'rule_locked' } })
    expect(await read(child)).toMatchObject({ satisfied_by: [] })
  })
})
