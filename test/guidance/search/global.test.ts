// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { globalSearchResult, EMPTY_RESULT } from '../../../src/guidance/search/global-schemas.ts'
import { componentMember, makeComponent, satisfy, type MadeComponent } from '../../support/authoring.ts'
import { store } from '../../support/catalogue.ts'
import { setRows } from '../../support/guidance-records.ts'
import { type Client, guidanceService, signedIn } from '../../support/guidance.ts'
import { placeComment } from '../../support/samples/reviews.ts'

const guidance = guidanceService()

type Found = ReturnType<typeof globalSearchResult.parse>

/** Ada owns both projects; Vera is a viewer of the hidden one, Carl of one component; Sam of nothing. */
const ada = signedIn(guidance, 'Ada')
const vera = signedIn(guidance, 'Vera')
const carl = signedIn(guidance, 'Carl')
const sam = signedIn(guidance, 'Sam')
const root = signedIn(guidance, 'Root', { admin: true })
const callers = { ada, vera, carl, sam, root }
let hidden: { readonly id: number; readonly component: MadeComponent }
let open: { readonly id: number; readonly component: MadeComponent }
let released: MadeComponent
let stig: number

beforeAll(async () => {
  const under = guidance()
  const discoverable = { name: 'Porcelain 100%', visibility: 'discoverable', description: 'Open' }
  const secret = { name: 'Porcelain secret', visibility: 'hidden', description: 'Under wraps' }
  const [hiddenId, openId] = [await under.project(ada, secret), await under.project(ada, discoverable)]
  const rules = [
    {
      id: 'SV-900001r1_rule',
      version: 'SRG-OS-000901-GPOS-00001',
      cci: ['CCI-000901'],
      title: 'Samovars must be locked',
      fix: 'Set PermitRootLogin no.',
      discussion: 'Strangers drink.',
      checks: ['Run grep ^Lock /etc/samovar.conf.'],
    },
    {
      id: 'SV-900002r1_rule',
      version: 'SRG-OS-000902-GPOS-00002',
      title: 'Spouts must point away',
      fix: 'Turn the locked samovar.',
    },
  ]
  const makeSamovar = (projectId: number, name: string): Promise<MadeComponent> =>
    makeComponent(under, ada, { projectId, name, prefix: 'SAMO-00', rules })
  hidden = { id: hiddenId, component: await makeSamovar(hiddenId, 'Glaze under wraps') }
  open = { id: openId, component: await makeSamovar(openId, 'Glaze in the open') }
  released = await makeSamovar(hiddenId, 'Glaze for all')
  await componentMember(under, open.component.id, { person: carl, role: 'viewer' })
  await under.member(hiddenId, vera, 'viewer')
  await setRows(under, 'components', { released: 1, version: 1, release: 2 }, { id: released.id })
  const metadata = JSON.stringify({ Channel: 'C-GLAZE-7' })
  await setRows(under, 'components', { metadata }, { id: hidden.component.id })
  stig = await store(under, {
    id: 'RHEL_9_STIG',
    title: 'Red Hat Enterprise Linux 9 STIG',
    description: 'About samovars.',
    rules: [
      {
        id: 'SV-257777r9_rule',
        group: 'V-257777',
        version: 'RHEL-09-211010',
        title: 'Kettles whistle',
        fix: 'Fill it.',
        cci: ['CCI-000366', 'CCI-000015'],
        checks: ['Verify that multi-factor whistles sound.'],
      },
      {
        id: 'SV-257778r1_rule',
        group: 'V-257778',
        title: 'Cups are warm',
        checks: ['Look for the multi factor whistles.'],
        legacy: ['V-71849'],
      },
    ],
  })
})

async function search(client: Client, query: Record<string, string | number>): Promise<Found> {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  const { status, body } = await client.call('GET', `/api/search/global?${parameters.toString()}`)
  expect([status, body]).toEqual([200, body])
  return globalSearchResult.parse(body)
}

function componentsOf({ rules }: Found): readonly number[] {
  return [...new Set(rules.map(({ component_id }) => component_id))].sort((a, b) => a - b)
}

describe('GET /api/search/global', () => {
  it.each(['', 'q=', 'q=a', 'q=%20%20b%20', 'q=%22'])('finds nothing for %j', async (query) => {
    const { status, body } = await callers.root.call('GET', `/api/search/global?${query}`)
    expect([status, body]).toEqual([200, EMPTY_RESULT])
  })

  it('shows components and their rules to those who may read them', async () => {
    const [hiddenId, two, all] = [hidden.component.id, open.component.id, released.id]
    const may = { ada: [hiddenId, two, all], vera: [hiddenId, all], carl: [two, all], sam: [all] }
    for (const [who, ids] of Object.entries({ ...may, root: [hiddenId, two, all] })) {
      const client = Object.entries(callers).find(([name]) => name === who)?.[1] ?? callers.sam
      const found = await search(client, { q: 'samovars', limit: 20 })
      expect([who, componentsOf(found)]).toEqual([who, ids])
      const glazes = await search(client, { q: 'glaze', limit: 20 })
      const known = glazes.components.map(({ id }) => id).sort((a, b) => a - b)
      expect([who, known]).toEqual([who, ids])
    }
  })

  it('answers a stranger as if hidden records did not exist', async () => {
    const queries = ['samovars', 'wraps', 'C-GLAZE-7', 'secret', 'SAMO-00', 'Porcelain', 'glaze']
    const ask = (q: string): Promise<Found> => search(callers.sam, { q, limit: 20 })
    const before = await Promise.all(queries.map(ask))
    expect(JSON.stringify(before)).not.toMatch(/wraps|secret|GLAZE-7/)
    await setRows(
      guidance(),
      'rules',
      { title: 'Under wraps', vendor_comments: 'secret' },
      { component_id: hidden.component.id },
    )
    expect(await Promise.all(queries.map(ask))).toEqual(before)
  })

  it('finds projects by name and description: own and discoverable ones', async () => {
    const found = (await search(callers.sam, { q: 'porcelain' })).projects
    expect(found).toEqual([{ id: open.id, name: 'Porcelain 100%', description: 'Open', components_count: 1 }])
    expect((await search(callers.vera, { q: 'porcelain' })).projects).toHaveLength(2)
    expect((await search(callers.sam, { q: '100%' })).projects).toHaveLength(1)
    expect((await search(callers.sam, { q: '0_%' })).projects).toEqual([])
  })

  it('finds components by name, prefix and metadata', async () => {
    const byChannel = (await search(callers.ada, { q: 'c-glaze-7' })).components
    expect(byChannel).toEqual([
      {
        id: hidden.component.id,
        name: 'Glaze under wraps',
        version: 1,
        release: 1,
        project_id: hidden.id,
        project_name: 'Porcelain secret',
        metadata: { Channel: 'C-GLAZE-7' },
      },
    ])
    const byPrefix = (await search(callers.ada, { q: 'samo-00' })).components
    expect(byPrefix.map(({ version, release }) => [version, release])).toContainEqual([1, 2])
    expect(byPrefix).toHaveLength(3)
  })

  it('finds and shows the metadata of a released component for its members only', async () => {
    await setRows(guidance(), 'components', { metadata: '{"Channel":"C-ENAMEL-9"}' }, { id: released.id })
    const metadataOf = async (client: Client, q: string): Promise<readonly unknown[]> =>
      (await search(client, { q })).components.filter(({ id }) => id === released.id).map(({ metadata }) => metadata)
    expect(await metadataOf(callers.vera, 'c-enamel-9')).toEqual([{ Channel: 'C-ENAMEL-9' }])
    expect(await metadataOf(callers.sam, 'c-enamel-9')).toEqual([])
    expect(await metadataOf(callers.sam, 'glaze for all')).toEqual([null])
  })

  it('finds rules with all words, those in titles first, and says where', async () => {
    const found = await search(callers.carl, { q: 'lock samovar', component_id: open.component.id, limit: 20 })
    const [first = 0, second = 0] = open.component.rules
    expect(found.rules.map(({ id }) => id)).toEqual([first, second])
    expect(found.rules[0]).toEqual({
      id: first,
      rule_id: '000001',
      title: 'Samovars must be locked',
      status: 'Not Yet Determined',
      component_id: open.component.id,
      component_prefix: 'SAMO-00',
      comment_count: 0,
      snippet: '[Title] Samovars must be locked',
      matched_field: 'title',
      parent_rule_id: null,
      parent_display_name: null,
    })
    expect(found.rules[1]).toMatchObject({ matched_field: 'fixtext' })
  })

  it('finds a rule by the id that it shows, before rules with its words', async () => {
    const [, second] = released.rules
    for (const q of ['SAMO-00-000002', 'samo-00-2', '"SAMO-00-000002"']) {
      const { rules } = await search(callers.sam, { q })
      expect(rules.map(({ id }) => id)).toEqual([second])
    }
    const { status, body } = await callers.sam.call('GET', '/api/search/unified?q=SAMO-00-000002')
    expect([status, body]).toMatchObject([200, { answer: { path: `/rules/${second}` } }])
  })

  it('names no field if no single one has all words', async () => {
    const { rules } = await search(callers.carl, { q: 'samovars strangers' })
    expect(rules[0]).toMatchObject({ snippet: null, matched_field: null })
  })

  it('counts comments and names the rule that satisfies', async () => {
    const [first = 0, second = 0] = released.rules
    await satisfy(guidance(), first, second)
    for (const action of ['comment', 'comment', 'approve'] as const)
      await placeComment(guidance(), ada, { component_id: released.id, rule_id: first, action, comment: 'Hot.' })
    const { rules } = await search(callers.sam, { q: 'samovars must' })
    expect(rules.find(({ id }) => id === first)).toMatchObject({
      comment_count: 2,
      parent_rule_id: second,
      parent_display_name: 'SAMO-00-000002',
    })
  })

  it.each([0, 2_147_483_647, 'abc', '1e3'])('has no rules of component %s', async (id) => {
    const found = await search(callers.root, { q: 'samovars', component_id: id })
    expect(found.rules).toEqual([])
    expect(found.stigs).toHaveLength(1)
  })

  it('has no rules of a component that the caller may not read', async () => {
    const query = { q: 'samovars', component_id: hidden.component.id }
    expect((await search(callers.sam, query)).rules).toEqual([])
    expect((await search(callers.vera, query)).rules).not.toEqual([])
  })

  it('leaves removed rules out', async () => {
    const [first = 0] = hidden.component.rules
    const query = { q: 'strangers', component_id: hidden.component.id }
    expect((await search(callers.vera, query)).rules).toHaveLength(1)
    await setRows(guidance(), 'rules', { deleted_at: new Date().toISOString() }, { id: first })
    expect((await search(callers.vera, query)).rules).toEqual([])
  })

  it.each([
    ['"must be locked"', 1],
    ['"locked must be"', 0],
    ['"samovars" -strangers', 1],
    ['"spouts" or strangers', 2],
  ])('reads quotes as web searches do: %s', async (q, count) => {
    const found = await search(callers.carl, { q, component_id: open.component.id })
    expect(found.rules).toHaveLength(count)
  })
})

describe('GET /api/search/global, the catalogue', () => {
  it('finds releases by name, title, id, and STIGs by description', async () => {
    for (const q of ['RHEL 9', 'red hat', 'RHEL_9_STIG', 'about samovars'])
      expect((await search(callers.sam, { q })).stigs).toEqual([
        {
          id: stig,
          stig_id: 'RHEL_9_STIG',
          name: 'RHEL 9 STIG - Ver 1, Rel 1',
          title: 'Red Hat Enterprise Linux 9 STIG',
          version: 'V1R1',
          description: 'About samovars.',
        },
      ])
    const { srgs } = await search(callers.sam, { q: 'Teapot_', limit: 20 })
    expect(srgs).toHaveLength(3)
  })

  it.each([
    'SV-257777r9_rule',
    'sv-257777',
    'V-257777',
    'CCI-000015',
    '257777',
    'RHEL-09-211010',
    '57777r9',
    '5777',
    'i-000015',
  ])('leads to a rule by %s', async (q) => {
    const [first] = (await search(callers.sam, { q })).stig_rules
    expect(first).toMatchObject({
      rule_id: 'SV-257777r9_rule',
      vuln_id: 'V-257777',
      title: 'Kettles whistle',
      fixtext: 'Fill it.',
      ident: 'CCI-000015, CCI-000366',
      stig_id: stig,
      stig_name: 'RHEL 9 STIG - Ver 1, Rel 1',
    })
  })

  it('ranks a check with the literal text before one with its words', async () => {
    const titles = async (q: string): Promise<readonly string[]> =>
      (await search(callers.sam, { q })).stig_rules.map(({ title }) => title)
    expect(await titles('multi factor whistles')).toEqual(['Cups are warm', 'Kettles whistle'])
    expect(await titles('kettles')).toEqual(['Kettles whistle'])
    expect(await titles('V-71849')).toEqual(['Cups are warm'])
    expect(await titles('ti factor whist')).toEqual(['Cups are warm'])
  })

  it('shows requirements of the catalogue and no authored ones', async () => {
    const { srg_rules } = await search(callers.sam, { q: 'samovars', limit: 20 })
    expect(srg_rules.map(({ rule_id }) => rule_id)).toContain('SV-900001r1_rule')
    expect(srg_rules).toHaveLength(6)
    expect(srg_rules[0]).not.toHaveProperty('vuln_id')
  })

  it.each([
    ['100', 6],
    ['3', 3],
    ['0', 1],
    ['abc', 1],
    ['', 5],
  ])('limits each group: limit=%s', async (limit, count) => {
    const { srg_rules } = await search(callers.sam, { q: 'samovars', limit })
    expect(srg_rules).toHaveLength(count)
  })

  it.each([
    '%\'_*"()-',
    '"',
    "' or 1=1 --",
    '(((',
    'AND OR NOT',
    '-',
    'NEAR(a b)',
    'the of',
    '漢字 пароль',
    '🫖🫖',
    'a:b^2',
    '\\',
    `${'x'.repeat(5000)} ${'y '.repeat(2000)}`,
  ])('answers %j', async (q) => {
    const found = await search(callers.root, { q })
    expect(Object.keys(found)).toHaveLength(7)
  })
})
