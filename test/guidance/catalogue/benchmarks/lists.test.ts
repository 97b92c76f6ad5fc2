// @module-tag database

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { emptyCatalogue, store } from '../../../support/catalogue.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import type { SampleBenchmark, SampleRule } from '../../../support/xccdf-document.ts'

const guidance = guidanceService()

const listed = z.array(z.record(z.string(), z.unknown()))
const met = z.object({
  benchmarks: z.array(
    z.object({
      benchmark_id: z.string(),
      version: z.string(),
      rule_count: z.int(),
      rules: z.array(z.object({ rule_id: z.string() })),
    }),
  ),
})
const latest = z.object({ rows: z.array(z.record(z.string(), z.unknown())) })

const admin = signedIn(guidance, 'Root', { admin: true })

/** Stores them in this order; their numbers. */
async function storeAll(samples: readonly SampleBenchmark[]): Promise<readonly number[]> {
  const ids: number[] = []
  for (const sample of samples) ids.push(await store(guidance(), { rules: 1, ...sample }))
  return ids
}

async function list(path: '/srgs' | '/stigs'): Promise<z.infer<typeof listed>> {
  const { status, body } = await admin.call('GET', path)
  expect(status).toBe(200)
  return listed.parse(body)
}

async function newest(kind: 'srg' | 'stig', q?: string): Promise<z.infer<typeof latest>['rows']> {
  const query = q === undefined ? '' : `?${new URLSearchParams({ q }).toString()}`
  const { status, body } = await guidance().nobody.call('GET', `/api/${kind}s/latest${query}`)
  expect(status).toBe(200)
  return latest.parse(body).rows
}

async function alias(alias: string, benchmark_id: string): Promise<void> {
  const body = { benchmark_alias: { alias, benchmark_id } }
  expect((await admin.call('POST', '/api/benchmark_aliases', { body })).status).toBe(200)
}

function releaseOf(version: string): Pick<SampleBenchmark, 'version' | 'release'> {
  const [, major = '', release = ''] = /^V(\d+)R([\d.]+)$/.exec(version) ?? []
  return { version: major, release }
}

describe('The lists of all releases', () => {
  beforeEach(() => emptyCatalogue(guidance()))

  it('are empty for an empty catalogue', async () => {
    expect([await list('/srgs'), await list('/stigs')]).toEqual([[], []])
    expect([await newest('srg'), await newest('stig')]).toEqual([[], []])
  })

  it('are ordered by id and version and mark the newest of each product', async () => {
    // None is stored in the order of its numbers, so that the order of the rows decides nothing.
    const versions = ['V2R10', 'V10R1', 'V2R9', 'V1R0.2', 'V4R4', 'V1R1', 'V1R0.1']
    const ids = await storeAll([
      ...versions.map((version) => ({ id: 'Teapot_STIG', ...releaseOf(version) })),
      { id: 'Kettle_STIG' },
      { id: 'Tea_SRG', kind: 'srg' },
    ])
    const inOrder = ['V1R0.1', 'V1R0.2', 'V1R1', 'V2R9', 'V2R10', 'V4R4', 'V10R1']
    const found = (await list('/stigs')).map((row) => `${String(row['stig_id'])} ${String(row['version'])}`)
    expect(found).toEqual(['Kettle_STIG V1R1', ...inOrder.map((version) => `Teapot_STIG ${version}`)])
    const teapots = (await list('/stigs')).filter((row) => row['stig_id'] === 'Teapot_STIG')
    expect(teapots.map((row) => row['is_latest'])).toEqual([...Array<boolean>(6).fill(false), true])
    for (const row of teapots)
      expect(row).toMatchObject({ latest_available_version: 'V10R1', latest_available_id: ids[1] })
  })

  it('mark the newest draft regardless of the order of imports', async () => {
    for (const versions of [
      ['V1R0.2', 'V1R0.1'],
      ['V1R0.1', 'V1R0.2'],
      ['V1R0.10', 'V1R0.9'],
    ]) {
      await emptyCatalogue(guidance())
      await storeAll(versions.map((version) => ({ id: 'Teapot_STIG', ...releaseOf(version) })))
      const last = versions.includes('V1R0.10') ? 'V1R0.10' : 'V1R0.2'
      expect(await newest('stig')).toMatchObject([{ version: last }])
      const rows = await list('/stigs')
      expect(rows.map((row) => [row['version'], row['is_latest']])).toEqual([
        [versions.find((version) => version !== last), false],
        [last, true],
      ])
    }
  })

  it('have exactly the documented fields', async () => {
    const [stig, srg, core] = await storeAll([
      { id: 'RHEL_9_STIG', version: '2', release: '7', date: '05 Jan 2026', rules: 5 },
      { id: 'Tea_7-0_SRG', kind: 'srg', title: 'Tea', rules: 4 },
      { id: 'Operating_System_Core', kind: 'srg', title: 'Core', date: 'soon' },
    ])
    expect(await list('/stigs')).toEqual([
      {
        id: stig,
        stig_id: 'RHEL_9_STIG',
        version: 'V2R7',
        benchmark_date: '2026-01-05',
        name: 'RHEL 9 STIG - Ver 2, Rel 7',
        is_latest: true,
        title: 'Teapot Security Technical Implementation Guide',
        severity_counts: { high: 2, medium: 2, low: 1 },
        latest_available_version: 'V2R7',
        latest_available_id: stig,
      },
    ])
    const common = { version: 'V1R1', is_latest: true, latest_available_version: 'V1R1' }
    expect(await list('/srgs')).toEqual([
      {
        id: core,
        srg_id: 'Operating_System_Core',
        title: 'Core',
        release_date: null,
        name: 'Operating System Core - Ver 1, Rel 1',
        core: true,
        latest_available_id: core,
        ...common,
        severity_counts: { high: 1, medium: 0, low: 0 },
      },
      {
        id: srg,
        srg_id: 'Tea_7-0_SRG',
        title: 'Tea',
        release_date: '2026-01-05',
        name: 'Tea 7.0 SRG - Ver 1, Rel 1',
        core: false,
        latest_available_id: srg,
        ...common,
        severity_counts: { high: 2, medium: 1, low: 1 },
      },
    ])
  })

  it('count all releases of a product in one line, regardless of their titles', async () => {
    const [old, younger, other] = await storeAll([
      { id: 'Old_Teapot_STIG', ...releaseOf('V3R9') },
      { id: 'Teapot_STIG', ...releaseOf('V3R10') },
      { id: 'Older_Teapot_STIG', ...releaseOf('V1R1') },
      { id: 'Teapot_STIG', kind: 'srg', ...releaseOf('V9R1') },
    ])
    await alias('Old_Teapot_STIG', 'Teapot_STIG')
    await alias('Older_Teapot_STIG', 'Old_Teapot_STIG')
    const rows = await list('/stigs')
    expect(rows.map((row) => [row['id'], row['is_latest'], row['latest_available_id']])).toEqual([
      [other, false, younger],
      [old, false, younger],
      [younger, true, younger],
    ])
    expect((await newest('stig')).map(({ id, stig_id }) => [id, stig_id])).toEqual([[younger, 'Teapot_STIG']])
    expect(await newest('srg')).toMatchObject([{ version: 'V9R1' }])
  })
})

describe('The newest releases', () => {
  const ODD = String.raw`Fifty%_\ per "cent" 'tea'`

  beforeAll(async () => {
    await emptyCatalogue(guidance())
    await storeAll([
      { id: 'RHEL_8_STIG', title: 'Red Hat Enterprise Linux 8 Guide' },
      { id: 'RHEL_9_STIG', title: 'Red Hat Enterprise Linux 9 Guide', ...releaseOf('V2R9') },
      { id: 'RHEL_9_STIG', title: 'Red Hat Enterprise Linux 9 Guide', ...releaseOf('V2R10') },
      { id: 'Renamed_STIG', title: 'Forgotten Name', ...releaseOf('V1R1') },
      { id: 'Renamed_STIG', title: 'Better Name', ...releaseOf('V1R2') },
      { id: 'Kube_STIG', title: 'Kubernetes' },
      { id: 'Odd_1', title: ODD },
      { id: 'Cafe_2', title: 'Café Müller' },
      { id: 'Web_Server_SRG', title: 'Web Server', kind: 'srg' },
      { id: 'Tea_SRG', title: 'A SRG of tea', kind: 'srg', ...releaseOf('V4R4') },
      { id: 'Tea_SRG', title: 'A SRG of tea', kind: 'srg', ...releaseOf('V10R1') },
    ])
  })

  it('are listed once for each product, by title, for everybody', async () => {
    expect((await newest('stig')).map(({ title, version }) => [title, version])).toEqual([
      ['Better Name', 'V1R2'],
      ['Café Müller', 'V1R1'],
      [ODD, 'V1R1'],
      ['Kubernetes', 'V1R1'],
      ['Red Hat Enterprise Linux 8 Guide', 'V1R1'],
      ['Red Hat Enterprise Linux 9 Guide', 'V2R10'],
    ])
    const [row = {}] = await newest('srg')
    expect(Object.keys(row).sort()).toEqual(['id', 'name', 'srg_id', 'title', 'version'])
    expect(row).toMatchObject({ srg_id: 'Tea_SRG', version: 'V10R1' })
    const [stig = {}] = await newest('stig')
    expect(Object.keys(stig).sort()).toEqual(['id', 'name', 'stig_id', 'title', 'version'])
  })

  const LINUX = ['Red Hat Enterprise Linux 8 Guide', 'Red Hat Enterprise Linux 9 Guide']
  const ALL = ['Better Name', 'Café Müller', ODD, 'Kubernetes', ...LINUX]

  it.each<readonly [string, readonly string[]]>([
    ['', []],
    ['  ', []],
    ['e', []],
    [' e ', []],
    ['😀', []],
    ['er', ['Better Name', 'Café Müller', ODD, 'Kubernetes', ...LINUX]],
    ['no such thing', []],
    ['LINUX 8', ['Red Hat Enterprise Linux 8 Guide']],
    ['  linux 8  ', ['Red Hat Enterprise Linux 8 Guide']],
    ['rhel', LINUX],
    ['RHEL 9', LINUX],
    ['RHEL-9', LINUX],
    ['RHEL_9', LINUX],
    ['RHEL9', LINUX],
    ['"RHEL 9"', ['Red Hat Enterprise Linux 9 Guide']],
    ['"RHEL 9" kubernetes', ['Kubernetes', 'Red Hat Enterprise Linux 9 Guide']],
    ['Ver 2, Rel 10', ['Red Hat Enterprise Linux 9 Guide']],
    ['Ver 2, Rel 9', []],
    ['Forgotten', []],
    ['k8s', ['Kubernetes']],
    ['K8S', ['Kubernetes']],
    ['renamed_stig', ['Better Name']],
    ['CAFÉ', ['Café Müller']],
    ['cafe\u0301', ['Café Müller']],
    ['y%_', [ODD]],
    ['%_', [ODD]],
    [String.raw`_\ `, [ODD]],
    ['%%', []],
    ['RHEL%', []],
    [`"cent" 'tea'`, ALL.filter((title) => /cent|tea/i.test(title))],
    ["'; drop table benchmarks; --", []],
  ])('that match %j are %j', async (q, titles) => {
    expect((await newest('stig', q)).map(({ title }) => title)).toEqual(titles)
  })

  it('are filtered by kind', async () => {
    expect((await newest('srg', 'web_server')).map(({ title }) => title)).toEqual(['Web Server'])
    expect(await newest('srg', 'kubernetes')).toEqual([])
  })

  it('return an error for a search with NUL or a very long one', async () => {
    for (const q of ['%00%00', 'x'.repeat(10_001)])
      expect(await guidance().nobody.call('GET', `/api/stigs/latest?q=${q}`)).toMatchObject({
        status: 400,
        body: { code: 'parameter_invalid', parameter: 'q' },
      })
  })
})

describe('The rules of a requirement', () => {
  beforeEach(() => emptyCatalogue(guidance()))

  it('are taken from the newest release of each product and from the SRG', async () => {
    const requirement = 'SRG-TEA-000001'
    const citingRule = (id: string): SampleRule => ({ id, requirement })
    const many = Array.from({ length: 25 }, (_none, index) => citingRule(`SV-${index + 100}r1_rule`))
    await storeAll([
      { id: 'Kettle_STIG', release: '1', rules: [citingRule('SV-1r1_rule')] },
      { id: 'Kettle_STIG', release: '2', rules: [citingRule('SV-1r2_rule'), citingRule('SV-2r1_rule')] },
      { id: 'Urn_STIG', rules: [...many, { id: 'SV-9r1_rule', requirement: 'SRG-TEA-000002' }] },
      { id: 'Tea_SRG', kind: 'srg', rules: [{ id: 'SV-7r1_rule', version: requirement }] },
    ])
    const { body } = await admin.call('GET', `/api/requirements/${requirement}/rules`)
    const { benchmarks } = met.parse(body)
    expect(
      benchmarks.map(({ benchmark_id, version, rule_count, rules }) => [
        benchmark_id,
        version,
        rule_count,
        rules.map(({ rule_id }) => rule_id).slice(0, 2),
      ]),
    ).toEqual([
      ['Tea_SRG', 'V1R1', 1, ['SV-7r1_rule']],
      ['Kettle_STIG', 'V1R2', 2, ['SV-1r2_rule', 'SV-2r1_rule']],
      ['Urn_STIG', 'V1R1', 25, ['SV-100r1_rule', 'SV-101r1_rule']],
    ])
    expect(benchmarks.at(-1)?.rules).toHaveLength(20)
  })

  it('are empty if no rule has the requirement', async () => {
    const answer = await admin.call('GET', '/api/requirements/SRG-%25-x/rules')
    expect([answer.status, answer.body]).toEqual([200, { requirement: 'SRG-%-x', benchmarks: [] }])
    expect((await admin.call('GET', '/api/requirements/a%00b/rules')).status).toBe(400)
  })
})
