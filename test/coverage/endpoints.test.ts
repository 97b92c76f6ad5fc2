import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { coverageLayer, coverageReport } from '../../src/contracts/coverage.ts'
import { componentMember, makeComponent } from '../support/authoring.ts'
import { store } from '../support/catalogue.ts'
import { setRows } from '../support/guidance-records.ts'
import { guidanceService, type Answer, type Client } from '../support/guidance.ts'
import { STARTER } from '../support/service.ts'

const under = guidanceService({}, undefined, STARTER)

type Query = Readonly<Record<string, string>>

const LOCKING = { id: 'SV-700001r1_rule', title: '=Accounts must lock', cci: ['CCI-000044'] }
const OTHER = { id: 'SV-700002r1_rule', title: 'Time must be kept', cci: ['CCI-999999'] }

let first = 0
let second = 0

beforeAll(async () => {
  const head = { id: 'Samovar_9_STIG', title: 'Samovar 9 STIG' }
  first = await store(under(), { ...head, rules: [OTHER] })
  second = await store(under(), { ...head, release: '2', rules: [LOCKING, OTHER] })
})

function ask(query: Query, path = '/api/coverage.json', client?: Client): Promise<Answer> {
  const address = `${path}?${new URLSearchParams(query).toString()}`
  return (client ?? under().nobody).call('GET', address)
}

async function report(query: Query, client?: Client): Promise<z.output<typeof coverageReport>> {
  const { status, body } = await ask(query, undefined, client)
  expect([status, body]).toEqual([200, body])
  return coverageReport.parse(body)
}

describe('Coverage', () => {
  it('uses the newest release of a benchmark or the named one', async () => {
    for (const stig of ['Samovar_9_STIG', 'Samovar_9_STIG/V1R2', String(second)])
      expect((await report({ stig })).sources).toMatchObject([{ id: second, version: 'V1R2' }])
    const { sources } = await report({ stig: `Samovar_9_STIG/V1R1,${String(second)}` })
    expect(sources).toMatchObject([
      { id: first, rule_count: 1, linked_rule_count: 0 },
      { id: second, rule_count: 2, linked_rule_count: 1 },
    ])
  })

  it('links rules to techniques by CCI, and techniques to attacks', async () => {
    const coverage = await report({ stig: 'Samovar_9_STIG' })
    expect(coverage.rules.map(({ rule_id }) => rule_id)).toEqual([LOCKING.id, OTHER.id])
    expect(coverage.rules[0]?.links).toContainEqual({
      technique: 'd3f:AccountLocking',
      cci: 'CCI-000044',
      relation: 'narrower',
    })
    expect(coverage.gaps).toMatchObject({ rules: [1], ccis: ['CCI-999999'] })
    const locking = coverage.defensive_techniques.find(({ id }) => id === 'd3f:AccountLocking')
    expect(locking).toMatchObject({ d3fend_id: 'D3-AL', rules: [0], relations: { narrower: 1 } })
    const countered = coverage.offensive_techniques
    expect(countered.length).toBe(locking?.counters)
    expect(countered[0]?.defenses[0]).toMatchObject({ technique: 'd3f:AccountLocking' })
    const evict = coverage.tactics.defensive.find(({ id }) => id === 'd3f:Evict')
    expect(evict).toMatchObject({ rules: 1, techniques: { covered: 1 } })
  })

  it('counts only links that have a requested relation', async () => {
    const { summary } = await report({ stig: 'Samovar_9_STIG', relation: 'exactly,narrower' })
    expect(summary).toMatchObject({ rules: { linked: 1 }, defensive_techniques: { covered: 1 } })
    const { summary: none, ontology, gaps } = await report({ stig: 'Samovar_9_STIG', relation: 'exactly' })
    expect(none).toMatchObject({ rules: { linked: 0, total: 2 }, offensive_techniques: { covered: 0 } })
    expect(ontology.cci_count).toBeGreaterThan(0)
    expect(gaps.rules).toEqual([0, 1])
    expect((await ask({ stig: 'Samovar_9_STIG', relation: 'exact' })).status).toBe(400)
  })

  it('compares two sets of documents', async () => {
    const { comparison } = await report({ stig: 'Samovar_9_STIG', against_stig: String(first) })
    expect(comparison?.defensive_techniques).toEqual({
      both: 0,
      added: [
        {
          id: 'd3f:AccountLocking',
          label: 'Account Locking',
          rules: [{ source: 'Samovar_9_STIG V1R2', rule_id: LOCKING.id }],
        },
      ],
      lost: [],
    })
    const back = await report({ stig: String(first), against_stig: String(second) })
    expect(back.comparison?.offensive_techniques.lost).toEqual(comparison?.offensive_techniques.added)
  })

  it('as CSV has a row for each path, and a rule without one has a row of its own', async () => {
    const { bytes, headers } = await ask({ stig: String(second) }, '/api/coverage.csv')
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const rows: Record<string, string>[] = parse(bytes, { columns: true })
    expect(rows.at(-1)).toMatchObject({ rule_id: OTHER.id, cci: '', off_tech: '' })
    expect(rows[0]).toMatchObject({
      rule_title: `'${LOCKING.title}`,
      cci: 'CCI-000044',
      relation: 'narrower',
      def_tech: 'd3f:AccountLocking',
      def_tech_id: 'D3-AL',
    })
    const { offensive_techniques: attacks } = await report({ stig: String(second) })
    const named = new Set(rows.flatMap(({ off_tech = '' }) => (off_tech === '' ? [] : [off_tech])))
    expect([...named].sort()).toEqual(attacks.map(({ id }) => id).sort())
  })

  it('as a layer of ATT&CK Navigator has one score for each attack, and the rules in its comment', async () => {
    const { body } = await ask({ stig: String(second) }, '/api/coverage/attack-layer.json')
    const layer = coverageLayer.strict().parse(body)
    const { offensive_techniques: attacks } = await report({ stig: String(second) })
    const ids = layer.techniques.map(({ techniqueID }) => techniqueID)
    expect(ids).toEqual(attacks.map(({ attack_id }) => attack_id))
    for (const technique of layer.techniques) expect(technique.techniqueID).toMatch(/^T\d{4}(\.\d{3})?$/)
    expect(layer.techniques[0]).toMatchObject({ score: 1, comment: LOCKING.id, enabled: true })
    expect(layer).toMatchObject({
      domain: 'enterprise-attack',
      versions: { layer: '4.5', navigator: '4.9.0' },
      gradient: { minValue: 0, maxValue: 1 },
    })
    const d3fendLayer = await ask({ stig: String(second) }, '/api/coverage/d3fend-layer.json')
    expect(coverageLayer.parse(d3fendLayer.body).techniques).toMatchObject([{ techniqueID: 'D3-AL' }])
  })

  it('has the attacks of the requested domains; a layer has those of one domain', async () => {
    const mobile = await ask({ stig: String(second), domain: 'mobile-attack' }, '/api/coverage/attack-layer.json')
    expect(mobile.body).toMatchObject({ domain: 'mobile-attack', techniques: [] })
    const { ontology, summary } = await report({ stig: String(second), domain: 'mobile-attack,atlas' })
    expect(ontology.domains).toEqual(['enterprise-attack'])
    expect(summary.offensive_techniques).toEqual({ covered: 0, total: 0 })
    const several = await ask(
      { stig: String(second), domain: 'mobile-attack,atlas' },
      '/api/coverage/attack-layer.json',
    )
    expect(several.status).toBe(400)
  })

  it.each([
    [{}, 'parameter_missing', /"stig", "srg", "component" and "project"/],
    [{ against_stig: 'Samovar_9_STIG' }, 'parameter_missing', /needs at least one/],
    [{ stig: 'Kettle_STIG' }, 'parameter_invalid', /stig: there is no Kettle_STIG/],
    [{ stig: 'Samovar_9_STIG/V9R9' }, 'parameter_invalid', /no Samovar_9_STIG\/V9R9/],
    [{ srg: 'Samovar_9_STIG' }, 'parameter_invalid', /srg: there is no/],
    [{ component: '77' }, 'parameter_invalid', /component: there is no 77/],
    [{ project: '77' }, 'parameter_invalid', /project: there is no 77/],
  ])('refuses %j', async (query: Query, code, detail) => {
    const { status, body } = await ask(query)
    expect([status, body]).toMatchObject([400, { code }])
    expect(body).toHaveProperty('detail', expect.stringMatching(detail))
  })

  it.each([{ component: 'x' }, { stig: 'x'.repeat(5000) }, { stig: '1', status: 'Fine' }])(
    'refuses what no document can be called: %j',
    async (query: Query) => {
      expect((await ask(query)).status).toBeGreaterThanOrEqual(400)
      expect((await ask(query)).status).toBeLessThan(500)
    },
  )
})

describe('The coverage of a component', () => {
  let component = 0
  let project = 0
  const clients = new Map<string, Client>()

  beforeAll(async () => {
    const guidance = under()
    const ada = await guidance.person('Ada')
    clients.set('Ada', await guidance.signIn(ada.email))
    const owner = await guidance.signIn(ada.email)
    project = await guidance.project(owner, { name: 'Hidden', visibility: 'hidden' })
    const rule = { id: 'SV-800001r1_rule', title: 'Accounts must lock', cci: ['CCI-000044'] }
    const kettle = await makeComponent(guidance, ada, {
      projectId: project,
      name: 'Kettle',
      prefix: 'KTTL-00',
      rules: [{ ...rule, version: 'SRG-OS-000021-GPOS-00005' }],
    })
    component = kettle.id
    for (const name of ['Carl', 'Sam']) {
      const person = await guidance.person(name)
      clients.set(name, await guidance.signIn(person.email))
      if (name === 'Carl') await componentMember(guidance, component, { person, role: 'viewer' })
    }
  })

  it('counts configurable and inherently met rules, and others on request', async () => {
    const query = { component: String(component) }
    const ada = clients.get('Ada')
    expect((await report(query, ada)).rules).toEqual([])
    const status = 'Not Yet Determined'
    expect((await report({ ...query, status }, ada)).defensive_techniques).toMatchObject([{ id: 'd3f:AccountLocking' }])
    await setRows(under(), 'rules', { status: 'Applicable - Configurable' }, { component_id: component })
    const { rules, sources } = await report(query, ada)
    expect(rules).toMatchObject([
      { rule_id: 'KTTL-00-000001', status: 'Applicable - Configurable', ccis: ['CCI-000044'] },
    ])
    expect(sources).toMatchObject([{ kind: 'component', name: 'Kettle', version: 'V1R1' }])
    expect(await report({ project: String(project) }, ada)).toMatchObject({ rules, sources })
  })

  it('is compressed for readers and for people who are signed in', async () => {
    const path = `/api/coverage.json?component=${component}&stig=Samovar_9_STIG`
    const headers = { 'Accept-Encoding': 'br' }
    for (const [client, address] of [
      [clients.get('Ada'), path],
      [under().nobody, '/api/coverage.json?stig=Samovar_9_STIG'],
    ] as const) {
      const answer = await client?.call('HEAD', address, { headers })
      expect(answer?.status).toBe(200)
      expect(answer?.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-store' })
    }
  })

  it('returns 404 for people who may not read the component', async () => {
    for (const query of [{ component: String(component) }, { project: String(project) }]) {
      expect((await ask(query, undefined, clients.get('Carl'))).status).toBe(200)
      for (const name of ['Sam', 'nobody']) {
        const refused = await ask(query, undefined, clients.get(name))
        const absent = await ask({ component: '4711' }, undefined, clients.get(name))
        expect([refused.status, absent.status]).toEqual([400, 400])
      }
    }
  })
})
