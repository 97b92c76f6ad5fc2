import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { deleteBenchmark } from '../../../src/guidance/catalogue/benchmarks/writer.ts'
import { SYSTEM } from '../../../src/http/caller.ts'
import { store } from '../../support/catalogue.ts'
import { alter } from '../../support/guidance-records.ts'
import { guidanceService, type Answer } from '../../support/guidance.ts'
import { d3fIri } from '../../support/release.ts'
import { STARTER } from '../../support/service.ts'

const under = guidanceService({ SERVICE_BASE_URL: 'https://guidance.example' }, undefined, STARTER)
const bare = guidanceService()

const KETTLE = 'https://guidance.example/benchmarks/Kettle_STIG'

const item = z.object({
  id: z.union([z.string(), z.int()]),
  ways: z.array(z.object({ path: z.array(z.string()), sentence: z.string() })),
  way_count: z.int(),
})
const section = z.object({ total: z.int(), total_is: z.string(), items: z.array(item) })
const related = z.object({
  subject: z.object({ kind: z.string(), iri: z.string().nullable(), id: z.string() }),
  techniques: section,
  offensive_techniques: section,
  weaknesses: section,
  rules: section.extend({ items: z.array(item.extend({ rule_id: z.string(), iri: z.string() }).loose()) }),
  pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
})

function ask(query: Readonly<Record<string, string>>): Promise<Answer> {
  return under().nobody.call('GET', `/api/related?${new URLSearchParams(query).toString()}`)
}

async function relatedTo(iri: string, query: Readonly<Record<string, string>> = {}): Promise<z.infer<typeof related>> {
  const { status, body } = await ask({ iri, ...query })
  expect([status, body]).toEqual([200, body])
  return related.parse(body)
}

function ruleIds({ rules }: z.infer<typeof related>): readonly string[] {
  return rules.items.map(({ rule_id }) => rule_id)
}

let newest = 0

beforeAll(async () => {
  const first = { id: 'SV-1r1_rule', cci: ['CCI-000015'] }
  const others = [
    { id: 'SV-2r1_rule', cci: ['CCI-000044', 'CCI-000015'], severity: 'high' },
    { id: 'SV-3r1_rule', cci: [] },
    { id: 'SV-4r1(a)_rule', cci: ['CCI-000015'] },
  ]
  await store(under(), { id: 'Kettle_STIG', rules: [first] })
  newest = await store(under(), { id: 'Kettle_STIG', release: '2', rules: [first, ...others] })
  const requirement = { id: 'SV-9_rule', version: 'SRG-TEA-000001', cci: ['CCI-000015'] }
  await store(under(), { id: 'Tea_SRG', kind: 'srg', rules: [requirement] })
})

describe('GET /api/related', () => {
  it('lists the rules of a technique', async () => {
    const found = await relatedTo(d3fIri('AccountLocking'))
    expect(found.subject).toMatchObject({ kind: 'technique', id: 'd3f:AccountLocking' })
    expect([...ruleIds(found)].sort()).toStrictEqual(['SV-1r1_rule', 'SV-2r1_rule', 'SV-4r1(a)_rule', 'SV-9_rule'])
    const second = found.rules.items.find(({ rule_id }) => rule_id === 'SV-2r1_rule')
    expect(second).toMatchObject({
      rule_id: 'SV-2r1_rule',
      severity: 'high',
      iri: `${KETTLE}/V1R2/rules/SV-2r1_rule`,
      benchmark: { id: newest, kind: 'stig', benchmark_id: 'Kettle_STIG', version: 'V1R2' },
    })
    const paths = second?.ways.map(({ path }) => path)
    expect(paths).toContainEqual(['SV-2r1_rule', 'CCI-000044', 'narrower', 'd3f:AccountLocking'])
    expect(paths).toContainEqual(['SV-2r1_rule', 'CCI-000015', 'broader', 'd3f:AccountLocking'])
  })

  it('accepts the names of a rule and lists similar rules in order', async () => {
    const byName = await relatedTo('SV-2')
    expect(byName.subject).toMatchObject({ kind: 'rule', id: 'SV-2r1_rule' })
    const titles = ['Cookies have a flag', 'Lock the account after failed logins']
    const rules = titles.map((title, index) => ({ id: `SV-${80 + index}r1_rule`, title, cci: ['CCI-000044'] }))
    const id = await store(under(), { id: 'Cup_STIG', rules })
    const ids = ruleIds(await relatedTo('CCI-000044'))
    const locking = ruleIds(await relatedTo('D3-AL'))
    expect(ids).toContain('SV-80r1_rule')
    expect(locking.indexOf('SV-81r1_rule')).toBeLessThan(locking.indexOf('SV-80r1_rule'))
    await alter(under(), (writer) => deleteBenchmark(writer, { id, kind: 'stig', actor: SYSTEM }))
  })

  it('lists rules of older releases only on request', async () => {
    expect([...ruleIds(await relatedTo('D3-AL', { releases: 'all' }))].sort()).toStrictEqual([
      'SV-1r1_rule',
      'SV-1r1_rule',
      'SV-2r1_rule',
      'SV-4r1(a)_rule',
      'SV-9_rule',
    ])
  })

  it('lists the techniques of a rule and the attacks that they counter', async () => {
    const found = await relatedTo(`${KETTLE}/V1R2/rules/SV-1r1_rule`)
    expect(found.subject).toMatchObject({ kind: 'rule', id: 'SV-1r1_rule' })
    const locking = found.techniques.items.find(({ id }) => id === 'd3f:AccountLocking')
    expect(locking?.ways[0]).toStrictEqual({
      path: ['SV-1r1_rule', 'CCI-000015', 'broader', 'd3f:AccountLocking'],
      sentence: 'SV-1 → CCI-000015 → broader → Account Locking (Evict)',
    })
    const accounts = found.offensive_techniques.items.find(({ id }) => id === 'd3f:T1078')
    expect(accounts?.ways[0]?.path).toStrictEqual([
      'SV-1r1_rule',
      'CCI-000015',
      'broader',
      'd3f:AccountLocking',
      'disables',
      'd3f:UserAccount',
      '^uses',
      'd3f:T1078',
    ])
    expect(found.rules).toStrictEqual({ total: 0, total_is: 'exact', items: [] })
  })

  it('knows rules whose id is encoded in their IRI, older ones, and requirements', async () => {
    const [, encoded] = (await relatedTo('D3-AL')).rules.items.filter(({ rule_id: id }) => /1r1_|4r1/.test(id))
    expect(encoded?.iri).toContain('SV-4r1%28a%29_rule')
    expect((await relatedTo(encoded?.iri ?? '')).subject.id).toBe('SV-4r1(a)_rule')
    expect((await relatedTo(`${KETTLE}/V1R1/rules/SV-1r1_rule`)).subject.kind).toBe('rule')
    const requirement = 'https://guidance.example/benchmarks/Tea_SRG/V1R1/rules/SV-9_rule'
    expect((await relatedTo(requirement)).subject.kind).toBe('requirement')
  })

  it.each([
    ['T1078', 'offensive-technique'],
    ['d3f:UserAccount', 'artifact'],
    ['d3f:Evict', 'tactic'],
    ['CCI-000015', 'cci'],
    ['cci 15', 'cci'],
    ['https://guidance.example/ccis/CCI-000015', 'cci'],
    ['AC-2 (1)', 'control'],
    ['ac-2', 'control'],
  ])('leads over techniques to rules: %s', async (iri, kind) => {
    const found = await relatedTo(iri)
    expect(found.subject.kind).toBe(kind)
    expect(found.techniques.items.length).toBeGreaterThan(0)
    for (const { ways, way_count } of found.techniques.items) {
      expect(ways.length).toBe(Math.min(5, way_count))
      expect(ways[0]?.path.length).toBeGreaterThanOrEqual(3)
    }
    expect(ruleIds(found)).toContain('SV-1r1_rule')
  })

  it.each([
    ['CWE-20', 'weakness'],
    ['TA0006', 'tactic'],
  ])('leads to techniques also where no rule implements them: %s', async (iri, kind) => {
    const found = await relatedTo(iri)
    expect(found.subject.kind).toBe(kind)
    expect(found.techniques.items.length).toBeGreaterThan(0)
    expect(found.pagination).toStrictEqual({
      page: 1,
      per_page: 50,
      total: Math.max(found.techniques.total, found.rules.total),
    })
  })

  it('has pages', async () => {
    const first = await relatedTo('D3-AL', { per_page: '3' })
    const second = await relatedTo('D3-AL', { per_page: '3', page: '2' })
    expect([...ruleIds(first), ...ruleIds(second)]).toStrictEqual(ruleIds(await relatedTo('D3-AL')))
    expect(first.pagination).toMatchObject({ page: 1, per_page: 3 })
    const { status, body } = await ask({ iri: 'D3-AL', page: '1000000' })
    expect([status, body]).toMatchObject([400, { code: 'page_out_of_range' }])
  })

  it('may be read by any web page', async () => {
    const { headers } = await ask({ iri: 'D3-AL' })
    expect(headers['access-control-allow-origin']).toBe('*')
  })

  it('requires an identifier', async () => {
    for (const query of [{}, { iri: '' }, { iri: ' ' }] as const) {
      const { status, body } = await ask(query)
      expect([status, body]).toMatchObject([400, { code: 'parameter_missing', parameter: 'iri' }])
    }
    const { status, body } = await ask({ iri: 'x'.repeat(2001) })
    expect([status, body]).toMatchObject([400, { code: 'parameter_invalid', parameter: 'iri' }])
  })

  it('refuses unknown identifiers and suggests near ones', async () => {
    const { status, body } = await ask({ iri: 'd3f:AcountLocking' })
    expect([status, body]).toMatchObject([404, { code: 'subject_not_found', did_you_mean: ['d3f:AccountLocking'] }])
  })

  it.each([
    `${KETTLE}/V1R2/rules/SV-99_rule`,
    `${KETTLE}/V1R2/rules/%E0%A4%A`,
    `${KETTLE}/V1R2/rules/`,
    `${KETTLE}/V9R9/rules/SV-1r1_rule`,
    'https://guidance.example/ccis/CCI-999999',
    'https://guidance.example/ccis/%E0%A4%A',
    'urn:x> } INSERT { <a:b',
    '"%_*()-\\',
    '漢字',
    '\uD800',
    '\0',
  ])('refuses invalid parameters: %j', async (iri) => {
    const { status } = await ask({ iri })
    expect(status).toBe(404)
  })

  it('refuses requests without an ontology', async () => {
    const { status, body } = await bare().nobody.call('GET', '/api/related?iri=D3-AL')
    expect([status, body]).toMatchObject([503, { code: 'no_release' }])
  })
})
