import { beforeAll, describe, expect, it } from 'vitest'
import { unifiedAnswer } from '../../../src/contracts/search-answer.ts'
import { store } from '../../support/catalogue.ts'
import { guidanceService } from '../../support/guidance.ts'
import { d3fIri } from '../../support/release.ts'
import { STARTER } from '../../support/service.ts'
import { addressOf, idsOf, unifiedRequests } from './unified-requests.ts'

const under = guidanceService({ SERVICE_BASE_URL: 'http://guidance.example' }, undefined, STARTER)
const bare = guidanceService()

const RULES = [
  {
    id: 'SV-700001r10_rule',
    group: 'V-700001',
    version: 'SAMO-09-000010',
    requirement: 'SRG-OS-000021-GPOS-00005',
    cci: ['CCI-000044'],
    severity: 'high',
    title: 'Samovars must lock an account after three failed attempts',
    legacy: ['V-71'],
    fix: 'Set PermitRootLogin to no in /etc/samovar/sshd_config.',
    checks: ['Look at it.'],
  },
  {
    id: 'SV-700002r1_rule',
    group: 'V-700002',
    version: 'SAMO-09-000020',
    cci: [],
    title: 'Samovars must use multi-factor authentication',
    severity: 'medium',
  },
  { id: 'SV-700003r1_rule', title: 'Spouts must point away', severity: 'low', cci: [] },
]

const { ask, find } = unifiedRequests(under)

let stig = 0
let older = 0

beforeAll(async () => {
  const line = { id: 'Samovar_9_STIG', title: 'Samovar 9 STIG' }
  older = await store(under(), { ...line, rules: RULES.slice(0, 2) })
  stig = await store(under(), { ...line, release: '2', rules: RULES })
  const requirement = { id: 'SV-9_rule', version: 'SRG-OS-000021-GPOS-00005', cci: ['CCI-000044'] }
  await store(under(), { id: 'OS_SRG', kind: 'srg', rules: [requirement] })
})

describe('A name in a search finds its record first', () => {
  it.for([
    'SV-700001',
    'SV-700001r10_rule',
    'sv 700001',
    'V-700001',
    '700001',
    'V-71',
    'SAMO-09-000010',
    'samo 9 10',
    'xccdf_mil.disa.stig_rule_SV-700001r10_rule',
  ])('%s: the rule', async (q) => {
    const [first] = (await find(q)).results
    expect(first).toMatchObject({ kind: 'rule', id: 'SV-700001', matched: { by: 'identifier' } })
  })

  it.for([
    ['D3-AL', 'd3f:AccountLocking'],
    ['d3al', 'd3f:AccountLocking'],
    ['d3f:AccountLocking', 'd3f:AccountLocking'],
    ['AccountLocking', 'd3f:AccountLocking'],
    [d3fIri('AccountLocking'), 'd3f:AccountLocking'],
    ['cci-44', 'd3f:CCI'],
    ['CCI000044', 'd3f:CCI'],
    ['cci 44', 'd3f:CCI'],
  ] as const)('%s: %s', async ([q, name]) => {
    const [first] = (await find(q)).results
    expect(first?.identifiers.some((identifier) => identifier.startsWith(name))).toBe(true)
    expect(first?.matched.by).toBe('identifier')
  })

  it('a CCI brings its technique, the rules that cite it and its control', async () => {
    const answer = await find('CCI-000044')
    expect(answer.results[0]).toMatchObject({ kind: 'cci', id: 'CCI-000044' })
    expect(idsOf(answer)).toEqual(expect.arrayContaining(['D3-AL', 'SV-700001', 'SRG-OS-000021-GPOS-00005', 'AC-7a']))
    const technique = answer.results.find(({ id }) => id === 'D3-AL')
    expect(technique?.links[0]?.path).toEqual(['CCI-000044', 'narrower', 'd3f:AccountLocking'])
  })

  it('a requirement comes before the rules that are made from it', async () => {
    const answer = await find('SRG-OS-000021-GPOS-00005')
    expect(answer.results.slice(0, 2).map(({ kind }) => kind)).toEqual(['requirement', 'rule'])
  })
})

describe('Words', () => {
  it('return rules with the reason, the facts and the links', async () => {
    const { results, ontology } = await find('samovar account lock')
    expect(ontology?.digest).toMatch(/^[0-9a-f]{64}$/)
    const [rule] = results
    expect(rule).toMatchObject({
      kind: 'rule',
      id: 'SV-700001',
      severity: 'high',
      path: `/stigs/${stig}`,
      iri: 'http://guidance.example/benchmarks/Samovar_9_STIG/V1R2/rules/SV-700001r10_rule',
      benchmark: { id: stig, benchmark_id: 'Samovar_9_STIG', version: 'V1R2', kind: 'stig' },
      matched: { by: 'title', field: 'title' },
    })
    expect(rule?.identifiers).toEqual(expect.arrayContaining(['V-700001', 'CCI-000044']))
    const snippet = rule?.matched.snippet
    const marked = snippet?.highlights.map(({ start, end }) => snippet.text.slice(start, end))
    expect(marked).toEqual(['Samovars', 'lock', 'account'])
    expect(rule?.links[0]).toMatchObject({
      technique: { id: 'd3f:AccountLocking', d3fend_id: 'D3-AL' },
      path: ['SV-700001', 'CCI-000044', 'narrower', 'd3f:AccountLocking'],
    })
    expect(rule?.links[0]?.sentence).toMatch(/^SV-700001 → CCI-000044 → narrower → Account Locking \(\w+/)
  })

  it.for([
    'multi-factor',
    'multifactor',
    'multi factor',
    'MFA',
    'Multi-Factor',
    '"multi-factor authentication"',
    'multifactr authentication',
  ])('find texts with another spelling: %s', async (q) => {
    expect(idsOf(await find(q))).toContain('SV-700002')
  })

  it('find settings and paths in the texts, with a snippet', async () => {
    for (const q of ['PermitRootLogin', 'permitrootlogin', '/etc/samovar/sshd_config']) {
      const [first] = (await find(q)).results
      expect(first).toMatchObject({ id: 'SV-700001', matched: { by: 'text', field: 'fixtext' } })
      expect(first?.matched.snippet.highlights).toHaveLength(1)
    }
  })

  it('are corrected if nothing is found, and only to words that find something', async () => {
    const answer = await find('samovrs')
    expect(answer.query.corrected).toBe('samovars')
    expect(answer.suggestions).toEqual(['samovars'])
    expect(idsOf(answer)).toContain('SV-700001')
    expect((await find('qwxzk')).query.corrected).toBeNull()
  })

  it('name the operator that left results out, with the query without it', async () => {
    const { query, results } = await find('samovar -urn "descale"')
    expect(query.operators).toEqual([
      { effect: 'excluded', field: null, text: 'urn', lifted: 'samovar "descale"' },
      { effect: 'required', field: null, text: 'descale', lifted: 'samovar -urn descale' },
    ])
    expect(results.length).toBeLessThan((await find('samovar')).results.length)
    const command = await find('grep -i PermitRootLogin /etc/samovar/sshd_config -samovar')
    expect([command.query.operators, idsOf(command)[0]]).toEqual([[], 'SV-700001'])
  })

  it('list the meaning of a short form', async () => {
    const { query } = await find('MFA samovar')
    expect(query).toMatchObject({ text: 'MFA samovar', used: 'MFA samovar', corrected: null })
    expect(query.expanded.map(({ from, to }) => [from, to.toLowerCase()])).toContainEqual([
      'MFA',
      'multi-factor authentication',
    ])
  })
})

describe('A search can be narrowed', () => {
  it('by kind, severity, benchmark and tactic; as lists with commas or repeated', async () => {
    const unfiltered = await find('samovar')
    expect(unfiltered.facets.severity).toEqual([
      { value: 'high', label: 'high', count: 1 },
      { value: 'low', label: 'low', count: 1 },
      { value: 'medium', label: 'medium', count: 1 },
    ])
    expect(unfiltered.facets.benchmark).toEqual([
      { value: String(stig), label: 'Samovar 9 STIG V1R2', count: unfiltered.results.length },
    ])
    expect(idsOf(await find('samovar', { severity: 'high' }))).toEqual(['SV-700001'])
    const severe = await find('samovar', { severity: ['high', 'medium'] })
    expect(idsOf(severe)).toEqual(idsOf(await find('samovar', { severity: 'high,medium' })))
    expect(severe.results).toHaveLength(2)
    expect(idsOf(unfiltered)).toHaveLength(3)
    expect((await find('samovar', { kind: 'technique' })).results).toEqual([])
    const tactic = unfiltered.facets.tactic[0]
    for (const name of [tactic?.value ?? '', tactic?.label ?? ''])
      expect(idsOf(await find('samovar', { tactic: name }))).toEqual(['SV-700001'])
  })

  it('to releases: the newest, all, or one', async () => {
    expect(idsOf(await find('700001', { kind: 'rule' }))).toEqual(['SV-700001'])
    const everyRelease = await find('700001', { releases: 'all', kind: 'rule' })
    expect(everyRelease.results.map(({ benchmark }) => benchmark?.id).sort()).toEqual([older, stig].sort())
    const olderRelease = await find('samovar', { benchmark: String(older) })
    expect(olderRelease.results.map(({ benchmark }) => benchmark?.id)).toEqual([older, older])
    const named = await find('samovar', { benchmark: 'Samovar_9_STIG' })
    expect(new Set(named.results.map(({ benchmark }) => benchmark?.id))).toEqual(new Set([stig]))
  })

  it('to pages', async () => {
    const whole = await find('account')
    const { total } = whole.pagination
    expect(total).toBeGreaterThan(4)
    const pages = [await find('account', { per_page: '3' }), await find('account', { per_page: '3', page: '2' })]
    expect(pages.flatMap(idsOf)).toEqual(idsOf(whole).slice(0, 6))
    const beyond = await ask({ q: 'account', page: '1000' })
    expect(beyond).toMatchObject({ status: 400, body: { code: 'page_out_of_range' } })
  })

  it.for([
    { kind: 'teapot' },
    { severity: 'high,teapot' },
    { benchmark: 'Teapot_STIG' },
    { releases: 'some' },
    { q: 'x'.repeat(10_001) },
    { q: 'a\0b' },
  ])('and refuses invalid filters: %o', async (query) => {
    const { status, body } = await ask({ q: 'samovar', ...query })
    expect([status, body]).toMatchObject([400, { code: 'parameter_invalid' }])
  })
})

describe('Unusual search texts', () => {
  it.for([
    '',
    ' ',
    '"',
    '""',
    '"" OR 1=1',
    '%',
    '_',
    '*',
    '()',
    '-',
    '--',
    'AND',
    'NOT NEAR(a b)',
    'title:samovar',
    'samovar*',
    '^samovar',
    "samo'var",
    'a:* & b',
    '!samovar',
    '<->',
    '\\',
    'the of and',
    'самовар',
    '茶壺',
    '😀',
    'e\u0301',
    '\ud800',
    '０１２',
    'ﬃ',
    'İ',
    '\u202e',
    '{"a":1}',
    '__proto__',
    'constructor',
    'toString valueOf',
    '١٢٣',
    'a b c d e f g h i j k l m n',
    'x'.repeat(10_000),
    'samovar '.repeat(1250),
    '"'.repeat(3000),
    '1 '.repeat(5000),
    'a-b_c/d\\e.f:g'.repeat(700),
    'SV-'.repeat(3000),
    'ab1'.repeat(3000),
  ])('have an answer: %s', async (q) => {
    const begin = performance.now()
    const { results } = await find(q, { per_page: '100' })
    expect(results.length).toBeLessThanOrEqual(100)
    // Far more than it takes: what grows with the text would take minutes.
    expect(performance.now() - begin).toBeLessThan(5000)
    expect((await under().nobody.call('GET', addressOf({ q }, '/api/search/suggest'))).status).toBe(200)
  })

  it('find nothing if they are blank, and small words only if there are no others', async () => {
    expect((await find('')).results).toEqual([])
    expect(idsOf(await find('after'))).toContain('SV-700001')
  })
})

describe('Without an ontology', () => {
  it('a search finds rules, CCIs and controls', async () => {
    await store(bare(), { id: 'Samovar_9_STIG', rules: RULES })
    const { body } = await ask({ q: 'CCI-000044' }, bare().nobody)
    const answer = unifiedAnswer.parse(body)
    expect(answer.ontology).toBeNull()
    expect(answer.results[0]).toMatchObject({ kind: 'cci', id: 'CCI-000044', iri: null, path: null })
    expect(idsOf(answer)).toContain('SV-700001')
  })
})
