// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import type {
  GuidanceMatch,
  GuidanceSearchRequest,
  PhraseAlternatives,
} from '../../../src/contracts/guidance-records.ts'
import { latestOf, listReleases } from '../../../src/guidance/catalogue/benchmarks/releases.ts'
import type { Caller } from '../../../src/http/caller.ts'
import { nameOf, wordsOf } from '../../../src/platform/words.ts'
import { componentMember, makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { store } from '../../support/catalogue.ts'
import { alter, setRows, addRow } from '../../support/guidance-records.ts'
import { guidanceService, type Person } from '../../support/guidance.ts'
import { containing } from '../../support/matchers.ts'

const guidance = guidanceService()

const RULES = [
  {
    id: 'SV-257777r9_rule',
    group: 'V-257777',
    version: 'RHEL-09-211010',
    severity: 'high',
    requirement: 'SRG-OS-000480-GPOS-00227',
    title: 'Kettles whistle loudly',
    cci: ['CCI-000366', 'CCI-000015'],
    legacy: ['V-71849'],
    fix: 'Set PermitRootLogin no.',
    checks: ['Verify the multi-factor lid.', 'Boil twice.'],
  },
  {
    id: 'SV-257778r1_rule',
    severity: 'low',
    cci: ['CCI-000018'],
    title: 'Lids are loud, kettles quiet',
    discussion: 'The whistle of пароль 漢字 café.',
  },
]

let stig: { readonly v9: number; readonly v10: number; readonly other: number }
let made: Readonly<Record<'hidden' | 'open' | 'released', MadeComponent>>
let people: Readonly<Record<string, Person>>
let member: number

beforeAll(async () => {
  const under = guidance()
  const release = (version: string, release: string): Promise<number> =>
    store(under, { id: 'Kettle_STIG', title: 'Kettle guide', version, release, rules: RULES })
  stig = {
    v10: await release('2', '10'),
    v9: await release('2', '9'),
    other: await store(under, { id: 'Other_STIG', title: 'Other guide', rules: RULES }),
  }
  const ada = await under.person('Ada')
  people = { ada, vera: await under.person('Vera'), sam: await under.person('Sam') }
  const session = await under.signIn(ada.email)
  member = await under.project(session, { name: 'Hidden', visibility: 'hidden' })
  const open = await under.project(session, { name: 'Open', visibility: 'discoverable' })
  const rules = [{ id: 'SV-3r1_rule', version: 'SRG-OS-000901-GPOS-00001', title: 'Urns boil' }]
  const make = (projectId: number, name: string): Promise<MadeComponent> =>
    makeComponent(under, ada, { projectId, name, rules })
  made = {
    hidden: await make(member, 'Urn one'),
    open: await make(open, 'Urn two'),
    released: await make(member, 'Urn three'),
  }
  await componentMember(under, made.open.id, { person: person('vera'), role: 'viewer' })
  await setRows(under, 'components', { released: 1 }, { id: made.released.id })
})

function person(name: string): Person {
  const found = people[name]
  if (found === undefined) throw new Error(name)
  return found
}

function callerOf(name: string, admin = false): Caller {
  return { ...person(name), admin, provider: null, via: { kind: 'session', id: 1 } }
}

function phrasesOf(text: string): readonly PhraseAlternatives[] {
  return wordsOf(text).map((word) => ({ alternatives: [{ words: [word], prefix: false }] }))
}

function phrase(text: string, prefix = false): readonly PhraseAlternatives[] {
  return [{ alternatives: [{ words: wordsOf(text), prefix }] }]
}

function named(text: string, prefix = false): readonly PhraseAlternatives[] {
  return [{ alternatives: [{ words: [nameOf(text)], prefix }] }]
}

function find(
  question: Partial<GuidanceSearchRequest>,
  caller: Caller | null = null,
): Promise<readonly GuidanceMatch[]> {
  return guidance().service.guidance.search.findMatches(caller, {
    required: [],
    searchedField: 'anywhere',
    severity: null,
    benchmarks: null,
    limit: 1000,
    kinds: ['rule', 'requirement', 'authored-rule', 'component'],
    ...question,
  })
}

const inKettles = async (question: Partial<GuidanceSearchRequest>): Promise<readonly string[]> =>
  (await find({ benchmarks: [stig.v10], ...question })).map(({ names }) => names[0] ?? '')

const [FIRST, SECOND] = ['SV-257777r9_rule', 'SV-257778r1_rule']

describe('find, in the catalogue', () => {
  it.each([
    ['whistle', [FIRST, SECOND]],
    ['whistling', [FIRST, SECOND]],
    ['whistle café', [SECOND]],
    ['CAFE', [SECOND]],
    ['漢字', [SECOND]],
    ['ПАРОЛЬ', [SECOND]],
    ['permit root', [FIRST]],
    ['twice', [FIRST]],
    ['kettle guide', [FIRST, SECOND]],
    ['teapot', []],
  ])('has rules with all of %j', async (text, ids) => {
    expect(await inKettles({ required: phrasesOf(text) })).toEqual(ids)
  })

  it.each([
    ['multi factor lid', [FIRST]],
    ['factor multi', []],
    ['lid boil', []],
    ['loudly set', []],
    ['whistle loudly', [FIRST]],
  ])('has rules with the phrase %j, never over the end of a text', async (text, ids) => {
    expect(await inKettles({ required: phrase(text) })).toEqual(ids)
  })

  it.each([
    ['multifactor', false, [FIRST]],
    ['permitrootlogin', false, [FIRST]],
    ['whis', false, []],
    ['whis', true, [FIRST, SECOND]],
    ['kettl whis', true, [FIRST]],
  ])('finds rules by the joined or incomplete word %j (%s)', async (text, prefix, ids) => {
    expect(await inKettles({ required: [{ alternatives: [{ words: text.split(' '), prefix }] }] })).toEqual(ids)
  })

  it.each([
    'SV-257777r9_rule',
    'sv-257777r9',
    'SV-257777',
    'v 257777',
    '257777',
    'rhel-9-211010',
    'SRG-OS-000480-GPOS-00227',
    'srg-os-480',
    'cci366',
    'CCI-000015',
    'V-71849',
  ])('finds the rule by its name %s', async (name) => {
    expect(await inKettles({ required: named(name), searchedField: 'names' })).toEqual([FIRST])
  })

  it('reports matches in names, titles and texts separately', async () => {
    expect(await inKettles({ required: named('rhel', true), searchedField: 'names' })).toEqual([FIRST])
    expect(await inKettles({ required: phrasesOf('whistle'), searchedField: 'names' })).toEqual([])
    expect(await inKettles({ required: phrasesOf('whistle'), searchedField: 'title' })).toEqual([FIRST])
    expect(await inKettles({ required: phrasesOf('twice'), searchedField: 'title' })).toEqual([])
    expect(await inKettles({ required: named('rhel-9-211010'), searchedField: 'title' })).toEqual([])
  })

  it('accepts one of several wordings and excludes unwanted words', async () => {
    const alternatives = [{ words: ['nowhere'], prefix: false }, ...(phrase('twice')[0]?.alternatives ?? [])]
    expect(await inKettles({ required: [{ alternatives }] })).toEqual([FIRST])
    const excluded = phrase('twice')[0]?.alternatives ?? []
    for (const searchedField of ['anywhere', 'title'] as const)
      expect(await inKettles({ required: phrasesOf('kettles'), excluded, searchedField })).toEqual([SECOND])
  })

  it.each(['"', "'", '*', 'a"b', "a'b", 'a b', 'OR', '\\', '-', '', ':', '(', 'x:*', '🫖'])(
    'never takes %j for more than a word',
    async (word) => {
      const required = [{ alternatives: [{ words: [word], prefix: true }] }]
      for (const searchedField of ['anywhere', 'title', 'names'] as const)
        expect(await find({ required, searchedField, kinds: ['rule'], benchmarks: 'all' })).toEqual([])
    },
  )

  it('finds nothing for a blank search', async () => {
    expect(await find({ required: [] })).toEqual([])
    expect(await find({ required: [...phrasesOf('kettle'), { alternatives: [] }] })).toEqual([])
  })

  it('searches the newest release of each line, some releases, or all', async () => {
    const required = phrasesOf('whistle')
    const benchmarksIn = async (benchmarks: GuidanceSearchRequest['benchmarks']): Promise<readonly unknown[]> => [
      ...new Set((await find({ required, benchmarks })).map(({ benchmark }) => benchmark?.id)),
    ]
    const { v9, v10, other } = stig
    expect(await benchmarksIn(null)).toEqual([v10, other])
    const releases = latestOf(await listReleases(guidance().service.guidance.database.read))
    expect(releases.map(({ id }) => id)).toEqual(expect.arrayContaining([v10, other]))
    expect(await benchmarksIn([v9])).toEqual([v9])
    expect(await benchmarksIn([other, v9])).toEqual([v9, other])
    expect(await benchmarksIn([])).toEqual([])
    expect(await benchmarksIn([999_999])).toEqual([])
    expect(await benchmarksIn('all')).toEqual([v10, v9, other])
    const many = Array.from({ length: 40 }, (_none, index) => 1000 + index)
    expect(await benchmarksIn([...many, v9])).toEqual([v9])
  })

  it('follows the aliases of benchmark ids', async () => {
    const now = new Date().toISOString()
    const alias = { alias: 'Other_STIG', benchmark_id: 'Kettle_STIG', created_at: now }
    await addRow(guidance(), 'benchmark_aliases', alias)
    const found = await find({ required: phrasesOf('whistle') })
    expect([...new Set(found.map(({ benchmark }) => benchmark?.id))]).toEqual([stig.v10])
    await alter(guidance(), (writer) =>
      writer.deleteFrom('benchmark_aliases').where('alias', '=', 'Other_STIG').execute(),
    )
  })

  it('filters by severity and kind, and stops at the limit in order of the numbers', async () => {
    const required = phrasesOf('whistle')
    expect(await inKettles({ required, severity: 'low' })).toEqual([SECOND])
    expect(await inKettles({ required, kinds: ['requirement'] })).toEqual([])
    const ids = (await find({ required, benchmarks: 'all' })).map(({ recordId }) => recordId)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    const two = await find({ required, benchmarks: 'all', limit: 2 })
    expect(two.map(({ recordId }) => recordId)).toEqual(ids.slice(0, 2))
    const requirements = await find({ required: phrasesOf('urns'), kinds: ['requirement'] })
    expect(requirements.map(({ kind }) => kind)).toEqual(Array(3).fill('requirement'))
  })

  it('has the facts of a rule', async () => {
    const [match] = await find({ required: named('v-257777'), searchedField: 'names', benchmarks: [stig.v9] })
    expect(match).toEqual({
      kind: 'rule',
      recordId: match?.recordId,
      title: 'Kettles whistle loudly',
      iri: 'http://localhost:0/benchmarks/Kettle_STIG/V2R9/rules/SV-257777r9_rule',
      path: `/stigs/${stig.v9}`,
      names: [FIRST, 'V-257777', 'RHEL-09-211010', 'SRG-OS-000480-GPOS-00227', 'V-71849'],
      severity: 'high',
      status: null,
      component: null,
      ccis: ['CCI-000015', 'CCI-000366'],
      benchmark: { id: stig.v9, kind: 'stig', benchmarkId: 'Kettle_STIG', version: 'V2R9', title: 'Kettle guide' },
    })
  })
})

describe('find, in authored rules', () => {
  it.each([
    ['nobody', []],
    ['sam', ['released']],
    ['vera', ['open', 'released']],
    ['ada', ['hidden', 'open', 'released']],
    ['admin', ['hidden', 'open', 'released']],
  ] as const)('shows %s only readable rules', async (who, readable) => {
    const caller = who === 'nobody' ? null : callerOf(who === 'admin' ? 'sam' : who, who === 'admin')
    const ids = readable.map((which) => made[which].id)
    const rules = await find({ required: phrasesOf('urns'), kinds: ['authored-rule'] }, caller)
    expect(rules.map(({ component }) => component?.id)).toEqual(ids)
    const components = await find({ required: phrasesOf('urn'), kinds: ['component'] }, caller)
    expect(components.map(({ recordId }) => recordId)).toEqual(ids)
    expect(await find({ required: named('TEAP-00-000001'), searchedField: 'names' }, caller)).toHaveLength(ids.length)
  })

  it('leaves removed rules out, and narrows to a component', async () => {
    const { id, rules } = made.open
    const [ruleId = 0] = rules
    const question = { required: phrasesOf('urns'), kinds: ['authored-rule'], componentId: id } as const
    const found = await find(question, callerOf('ada'))
    expect(found).toEqual([
      {
        kind: 'authored-rule',
        recordId: ruleId,
        iri: null,
        path: `/rules/${ruleId}`,
        title: 'Urns boil',
        severity: 'medium',
        status: 'Not Yet Determined',
        names: ['TEAP-00-000001', 'V-3', 'SRG-OS-000901-GPOS-00001'],
        benchmark: null,
        component: { id, name: 'Urn two', prefix: 'TEAP-00' },
        ccis: ['CCI-000366'],
      },
    ])
    const removed = (time: string | null): Promise<unknown> =>
      setRows(guidance(), 'rules', { deleted_at: time }, { id: ruleId })
    await removed(new Date().toISOString())
    expect(await find(question, callerOf('ada', true))).toEqual([])
    await removed(null)
  })
})

describe('The texts that a search quotes', () => {
  it('begin with the title', async () => {
    const [match] = await find({ required: named('v-257777'), searchedField: 'names' })
    const texts = await guidance().service.guidance.search.texts([
      ...(match === undefined ? [] : [{ kind: match.kind, id: match.recordId }]),
      { kind: 'authored-rule', id: made.open.rules[0] ?? 0 },
      { kind: 'component', id: made.open.id },
      { kind: 'rule', id: 999_999 },
    ])
    expect(texts.get(`rule ${match?.recordId ?? 0}`)).toEqual([
      { field: 'title', text: 'Kettles whistle loudly' },
      { field: 'fixtext', text: 'Set PermitRootLogin no.' },
      { field: 'vuln_discussion', text: containing('') },
      { field: 'check', text: 'Verify the multi-factor lid.' },
      { field: 'check', text: 'Boil twice.' },
    ])
    expect(texts.get(`authored-rule ${made.open.rules[0] ?? 0}`)?.[0]).toEqual({ field: 'title', text: 'Urns boil' })
    expect(texts.get(`component ${made.open.id}`)?.[0]).toEqual({ field: 'name', text: 'Urn two' })
    expect(texts.get('rule 999999')).toEqual([])
  })
})
