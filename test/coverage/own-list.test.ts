import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { coverageReport } from '../../src/contracts/coverage.ts'
import { listCoverage } from '../../src/contracts/list-coverage.ts'
import { makeComponent } from '../support/authoring.ts'
import { store } from '../support/catalogue.ts'
import { setRows } from '../support/guidance-records.ts'
import { guidanceService, type Answer, type Client } from '../support/guidance.ts'
import { STARTER } from '../support/service.ts'

const under = guidanceService({}, undefined, STARTER)

const LOCKING = { id: 'SV-710001r1_rule', title: 'Accounts must lock', cci: ['CCI-000044'] }
const OTHER = { id: 'SV-710002r1_rule', title: 'Time must be kept', cci: ['CCI-999999'] }

let stig = 0
/** Ids of attacks that the technique of the rule counters. */
let met: readonly string[] = []
let unmapped = ''

beforeAll(async () => {
  stig = await store(under(), { id: 'Kettle_9_STIG', title: 'Kettle 9 STIG', rules: [LOCKING, OTHER] })
  const { body } = await under().nobody.call('GET', '/api/coverage.json?stig=Kettle_9_STIG')
  const { offensive_techniques, gaps } = coverageReport.parse(body)
  met = offensive_techniques.map(({ attack_id }) => attack_id ?? '')
  unmapped = gaps.offensive_techniques.find(({ techniques }) => techniques.length === 0)?.attack_id ?? ''
})

function post(body: unknown, query = '', client?: Client): Promise<Answer> {
  return (client ?? under().nobody).call('POST', `/api/coverage${query}`, { body })
}

async function measured(body: unknown, query = '', client?: Client): Promise<z.output<typeof listCoverage>> {
  const answer = await post(body, query, client)
  expect([answer.status, answer.body]).toEqual([200, answer.body])
  return listCoverage.parse(answer.body)
}

async function sentFile(file: string, fileName: string): Promise<Answer> {
  return under().nobody.call('POST', '/api/coverage', { form: { file: Buffer.from(file), fields: {}, fileName } })
}

describe('The coverage of an own list', () => {
  it('reads ids in one or several lines and reports unknown ones', async () => {
    for (const csv of ['T1110, T9999, D3-AL', 'T1110 T9999; D3-AL', 'T1110,D3-AL\nT9999', '\nT1110\nT9999\nD3-AL\n']) {
      const { list } = await measured({ csv })
      expect([csv, list.attacks, list.techniques, list.unknown.map(({ value }) => value)]).toEqual([
        csv,
        1,
        1,
        ['T9999'],
      ])
    }
  })

  it('reads a second list in a file', async () => {
    const { status, body } = await sentFile('{"attacks": ["T1110"], "against": {"csv": "D3-AL"}}', 'list.json')
    expect(status).toBe(200)
    expect(listCoverage.parse(body).comparison?.against).toMatchObject({ form: 'csv', techniques: 1 })
  })

  it('separates attacks that guidance covers from unmapped ones', async () => {
    const [attack = ''] = met
    const report = await measured({ attacks: [attack, unmapped] })
    expect(report.attacks.map(({ attack_id, status }) => [attack_id, status]).toSorted()).toEqual(
      [
        [attack, 'covered'],
        [unmapped, 'not_mapped'],
      ].toSorted(),
    )
    expect(report.summary.attacks).toEqual({
      listed: 2,
      covered: 1,
      covered_by_techniques: 0,
      covered_by_guidance: 1,
      not_covered: 0,
      not_mapped: 1,
    })
    expect(report).toMatchObject({
      guidance_scope: 'newest',
      guidance: [{ name: 'Kettle_9_STIG', counted: true, rule_count: 1, adds: { attacks: [`d3f:${attack}`] } }],
      gaps: { not_mapped: [`d3f:${unmapped}`], not_covered: [] },
    })
    expect(report.guidance[0]?.links).toContainEqual({
      technique: 'd3f:AccountLocking',
      cci: 'CCI-000044',
      relation: 'narrower',
      rules: 1,
    })
  })

  it('names the techniques of the list that counter its attacks, with the paths', async () => {
    const [attack = ''] = met
    const report = await measured({ attacks: [attack], techniques: ['D3-AL'] })
    const [shaped] = report.attacks
    expect(shaped?.defenses.map(({ technique }) => technique)).toEqual(['d3f:AccountLocking'])
    expect(shaped?.defenses[0]?.ways[0]?.artifact.id).toMatch(/^d3f:/)
    expect(report.techniques).toMatchObject([
      { d3fend_id: 'D3-AL', status: 'linked', counters_listed: [`d3f:${attack}`], places: ['techniques[0]'] },
    ])
    // The technique of the list covers the attack already.
    expect(report.guidance[0]?.adds.attacks).toEqual([])
  })

  it('reports the gain of one more benchmark', async () => {
    const otherStig = await store(under(), { id: 'Pan_1_STIG', title: 'Pan 1 STIG', rules: [OTHER] })
    const [attack = ''] = met
    const report = await measured({ attacks: [attack] }, `?stig=${otherStig}`)
    expect(report).toMatchObject({ guidance_scope: 'named', gaps: { not_covered: [`d3f:${attack}`] } })
    expect(report.guidance).toMatchObject([{ name: 'Kettle_9_STIG', counted: false }])
    expect(report.guidance[0]?.adds.attacks).toEqual([`d3f:${attack}`])
    const withOwn = await measured({ attacks: [attack] }, `?stig=${stig}`)
    expect(withOwn.guidance).toMatchObject([{ counted: true, adds: { attacks: [], techniques: [] } }])
  })

  it('reads ids, prefixed names and IRIs in any case, with blanks around them', async () => {
    const iri = 'http://d3fend.mitre.org/ontologies/d3fend.owl#AccountLocking'
    const report = await measured({ techniques: ['d3-al', 'd3f:AccountLocking', 'AccountLocking', iri, ' D3-AL '] })
    expect(report.techniques).toMatchObject([
      { id: 'd3f:AccountLocking', places: [0, 1, 2, 3, 4].map((index) => `techniques[${index}]`) },
    ])
  })

  it('names unknown entries of both lists with their place', async () => {
    const [attack = ''] = met
    const { list } = await measured({ attacks: [attack, 'T9999', 'D3-AL'] })
    expect(list).toMatchObject({ items: 3, attacks: 1, unknown_count: 2 })
    expect(list.unknown.map(({ value, place }) => [value, place])).toEqual([
      ['T9999', 'attacks[1]'],
      ['D3-AL', 'attacks[2]'],
    ])
    expect(list.unknown[1]?.reason).toContain('It is a technique')
  })

  it('keeps domains apart by the domain that is stated, not by the id', async () => {
    const [attack = ''] = met
    const stated = await measured({ attacks: [{ id: attack, domain: 'mobile-attack' }], techniques: ['D3-AL'] })
    expect(stated.list.unknown[0]?.reason).toContain('The list states mobile-attack')
    expect(stated.attacks).toEqual([])
    const limited = await measured({ attacks: [attack], techniques: ['D3-AL'] }, '?domain=ics-attack')
    expect(limited.list.unknown[0]?.reason).toContain('leaves out')
  })

  it('reads a layer of ATT&CK Navigator without disabled, unscored and unfolded entries', async () => {
    const [first = '', second = '', third = '', fourth = ''] = met
    const techniques = [
      { techniqueID: first, score: 3 },
      { techniqueID: second, enabled: false },
      { techniqueID: third, score: 0 },
      { techniqueID: fourth, color: '', comment: '', showSubtechniques: true },
    ]
    const layer = { name: 'Ours', versions: { layer: '4.5' }, domain: 'enterprise-attack', techniques }
    for (const body of [layer, { layer }]) {
      const report = await measured(body)
      expect(report.list).toMatchObject({ form: 'layer', items: 1, left_out: 3, unknown_count: 0 })
      expect(report.attacks.map(({ attack_id }) => attack_id)).toEqual([first])
    }
  })

  it('reads the layers that the service itself writes', async () => {
    const { body: attacks } = await under().nobody.call('GET', `/api/coverage/attack-layer.json?stig=${stig}`)
    expect((await measured(attacks)).attacks.map(({ attack_id }) => attack_id)).toEqual(met)
    const { body: techniques } = await under().nobody.call('GET', `/api/coverage/d3fend-layer.json?stig=${stig}`)
    expect((await measured(techniques)).techniques.map(({ d3fend_id }) => d3fend_id)).toEqual(['D3-AL'])
  })

  it('reads the attack patterns of a STIX bundle by their external references', async () => {
    const [attack = ''] = met
    const pattern = (name: string, source_name: string, external_id: string, members = {}) => ({
      type: 'attack-pattern',
      id: `attack-pattern--${name}`,
      name,
      external_references: [
        { source_name, external_id },
        { source_name: 'capec', external_id: 'CAPEC-49' },
      ],
      ...members,
    })
    const objects = [
      pattern('one', 'mitre-attack', attack),
      pattern('two', 'mitre-attack', attack, { x_mitre_domains: ['ics-attack'] }),
      pattern('three', 'capec', 'CAPEC-1'),
      pattern('four', 'mitre-attack', attack, { revoked: true }),
      { type: 'malware', id: 'malware--1' },
    ]
    const report = await measured({ type: 'bundle', id: 'bundle--1', objects })
    expect(report.list).toMatchObject({ form: 'bundle', items: 3, left_out: 1, attacks: 1 })
    expect(report.list.unknown.map(({ value, place }) => [value, place])).toEqual([
      [attack, 'objects[1]'],
      ['three', 'objects[2]'],
    ])
  })

  it.each([
    ['ids alone', (id: string) => `${id}\nT9999\n`, 'line 2'],
    [
      'a head with domains',
      (id: string) => `name;ID;domain\r\n"a;b";${id};enterprise-attack\r\nx;T9999;\r\n`,
      'line 3',
    ],
    ['a head that says nothing', (id: string) => `What,Which\nBrute Force,${id}\nOdd,T9999\n`, 'line 3'],
    ['several ids in a cell', (id: string) => `technique_id\n"D3-AL, ${id}; T9999"\n`, 'line 2'],
  ])('reads a CSV with %s', async (_name, write, place) => {
    const [attack = ''] = met
    for (const answer of [await post({ csv: write(attack) }), await sentFile(write(attack), 'ours.csv')]) {
      const report = listCoverage.parse(answer.body)
      expect(report.attacks.map(({ attack_id }) => attack_id)).toEqual([attack])
      expect(report.list.unknown.map((entry) => [entry.value, entry.place.replace('csv.', '')])).toEqual([
        ['T9999', place],
      ])
    }
  })

  it('does not count the head of a table as one of its rows', async () => {
    const { list } = await measured({ csv: `id\n${'D3-AL\n'.repeat(10_000)}` })
    expect(list).toMatchObject({ items: 10_000, techniques: 1 })
  })

  it('reads JSON in a file as in a body', async () => {
    const [attack = ''] = met
    const { body } = await sentFile(JSON.stringify({ attacks: [attack] }), 'ours.json')
    expect(body).toEqual(await measured({ attacks: [attack] }))
  })

  it('compares two lists', async () => {
    const [first = '', second = ''] = met
    const { comparison } = await measured({
      attacks: [first],
      techniques: ['D3-AL'],
      against: { attacks: [second, first] },
    })
    expect(comparison).toMatchObject({
      attacks: { both: 1, added: [], lost: [{ id: `d3f:${second}` }] },
      techniques: { both: 0, added: [{ id: 'd3f:AccountLocking', label: 'Account Locking' }], lost: [] },
      countered: { both: 0, lost: [] },
    })
    expect(comparison?.countered.added).toHaveLength(met.length)
  })

  it.each([
    ['nothing', {}, 'parameter_missing', '"attacks"'],
    ['an empty list', { attacks: [] }, 'parameter_invalid', 'no entries'],
    ['unknown ids alone', { attacks: ['T9999', 'T9998'] }, 'parameter_invalid', '"T9999" (attacks[0])'],
    [
      'unknown ids of the other list',
      { techniques: ['D3-AL'], against: { csv: 'T9999' } },
      'parameter_invalid',
      'against',
    ],
    ['two forms', { attacks: ['T1110'], csv: 'T1110' }, 'parameter_invalid', 'Send one'],
    ['a layer of an unknown domain', { domain: 'x', techniques: [] }, 'parameter_invalid', '"x" is not known'],
    ['a bundle without objects', { type: 'bundle' }, 'parameter_invalid', 'objects'],
    ['a table that ends in a quote', { csv: 'id\n"T1110' }, 'parameter_invalid', 'cannot be read'],
    ['too many entries', { csv: 'T1\n'.repeat(10_002) }, 'parameter_invalid', '10000'],
  ])('refuses %s and names the place', async (_name, body, code, detail) => {
    const answer = await post(body)
    expect(answer.body).toMatchObject({ code })
    expect(JSON.stringify(answer.body).replaceAll('\\"', '"')).toContain(detail)
  })

  it.each([
    ['damaged JSON', '{"attacks": [', 400],
    ['another encoding', Buffer.from('T1110;Pr\xfcfung', 'latin1').toString('latin1'), 400],
    ['more than 4 MB', 'T1110\n'.repeat(800_000), 413],
  ])('refuses a file with %s', async (_name, file, status) => {
    const form = { file: Buffer.from(file, 'latin1'), fields: {}, fileName: 'ours.csv' }
    expect((await under().nobody.call('POST', '/api/coverage', { form })).status).toBe(status)
  })

  it('counts components only for callers who may read them, also by a token that may only read', async () => {
    const guidance = under()
    const ada = await guidance.signUp('Ada')
    const project = await guidance.project(ada, { name: 'Hidden', visibility: 'hidden' })
    const rules = [{ ...LOCKING, version: 'SRG-OS-000021-GPOS-00005' }]
    const { id } = await makeComponent(guidance, ada, { projectId: project, name: 'Kettle', prefix: 'KTTL-00', rules })
    await setRows(guidance, 'rules', { status: 'Applicable - Configurable' }, { component_id: id })
    const [attack = ''] = met
    const report = await measured({ attacks: [attack] }, `?component=${id}`, await guidance.token(ada, ['read']))
    expect(report.guidance.filter(({ counted }) => counted)).toMatchObject([{ kind: 'component', id, rule_count: 1 }])
    const sam = await guidance.token(await guidance.person('Sam'), ['read'])
    for (const client of [sam, guidance.nobody]) {
      const refused = await post({ attacks: [attack] }, `?component=${id}`, client)
      const absent = await post({ attacks: [attack] }, '?component=4711', client)
      expect([refused.status, absent.status]).toEqual([400, 400])
      const { guidance: shown } = await measured({ attacks: [attack] }, '', client)
      expect(shown.map(({ kind }) => kind)).not.toContain('component')
    }
  })
})
