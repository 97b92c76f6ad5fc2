import { beforeEach, describe, expect, it } from 'vitest'
import { emptyCatalogue, store } from '../../../support/catalogue.ts'
import { csvRows } from '../../../support/csv.ts'
import { guidanceService, signedIn, type Answer } from '../../../support/guidance.ts'
import { containing, matching } from '../../../support/matchers.ts'
import type { SampleRule } from '../../../support/xccdf-document.ts'

const guidance = guidanceService()

const admin = signedIn(guidance, 'Root', { admin: true })

beforeEach(() => emptyCatalogue(guidance()))

const KEPT: SampleRule = { id: 'SV-1r1_rule', version: 'TEAP-1', requirement: 'SRG-TEA-1' }
const CHANGED: SampleRule = {
  discussion: 'Tea gets cold.',
  checks: ['Look.'],
  fix: 'Do it.',
  id: 'SV-2r1_rule',
  version: 'TEAP-2',
  requirement: 'SRG-TEA-2',
  title: 'Shut it.',
}
const GONE: SampleRule = {
  id: 'SV-3r1_rule',
  version: 'TEAP-3',
  requirement: 'SRG-TEA-3',
  title: '=old',
  discussion: 'quite other words',
  checks: ['nothing like it'],
}
const NEW: SampleRule = {
  id: 'SV-4r1_rule',
  version: 'TEAP-4',
  requirement: 'SRG-TEA-4',
  title: 'Warm the cup.',
  discussion: 'cups that are cold',
  checks: ['feel with a finger'],
}
const BEFORE = [KEPT, CHANGED, GONE]
const AFTER = [{ ...CHANGED, id: 'SV-2r2_rule', title: 'Shut it well.', severity: 'high' }, KEPT, NEW]

const someNumber: unknown = expect.any(Number)

function compare(id: number, query = ''): Promise<Answer> {
  return admin.call('GET', `/api/stigs/${id}/diff${query}`)
}

describe('The comparison of two releases', () => {
  it('lists changes by rule and field since the previous release', async () => {
    const from = await store(guidance(), { rules: BEFORE })
    const to = await store(guidance(), { release: '2', rules: AFTER })
    const { status, body } = await compare(to)
    expect(status).toBe(200)
    const ref = (rule: SampleRule) => ({
      id: someNumber,
      rule_id: rule.id,
      version: rule.version,
      title: rule.title ?? matching(/./),
      severity: rule.severity ?? 'medium',
    })
    const [after = CHANGED] = AFTER
    expect(body).toEqual({
      from: { id: from, benchmark_id: 'Teapot_STIG', version: 'V1R1' },
      to: { id: to, benchmark_id: 'Teapot_STIG', version: 'V1R2' },
      counts: { added: 1, removed: 1, changed: 1, unchanged: 1 },
      rules: [
        {
          status: 'changed',
          matched_by: 'rule_id',
          before: ref(CHANGED),
          after: ref(after),
          changes: [
            { field: 'title', before: 'Shut it.', after: 'Shut it well.' },
            { field: 'rule_severity', before: 'medium', after: 'high' },
          ],
        },
        { status: 'unchanged', matched_by: 'rule_id', before: ref(KEPT), after: ref(KEPT), changes: [] },
        { status: 'added', matched_by: null, before: null, after: ref(NEW), changes: [] },
        { status: 'removed', matched_by: null, before: ref(GONE), after: null, changes: [] },
      ],
    })
  })

  it('links to the records of the rules', async () => {
    const from = await store(guidance(), { rules: [KEPT] })
    const to = await store(guidance(), { release: '2', rules: [KEPT] })
    const ruleIn = async (id: number): Promise<unknown> => ({
      id: findId((await admin.call('GET', `/stigs/${id}`)).body),
    })
    expect((await compare(to)).body).toMatchObject({ rules: [{ before: await ruleIn(from), after: await ruleIn(to) }] })
  })

  it('uses the release with the next lower number as previous, regardless of its id', async () => {
    const releases = ['V2R9', 'V10R1', 'V2R10', 'V1R1'].map((version) => version.slice(1).split('R'))
    const ids: number[] = []
    for (const [version = '', release = ''] of releases) ids.push(await store(guidance(), { version, release }))
    const older = await store(guidance(), { id: 'Old_STIG', version: '0', release: '9' })
    const body = { benchmark_alias: { alias: 'Old_STIG', benchmark_id: 'Teapot_STIG' } }
    await admin.call('POST', '/api/benchmark_aliases', { body })
    const [v2r9 = 0, v10r1 = 0, v2r10 = 0, v1r1 = 0] = ids
    for (const [to, from] of [
      [v10r1, v2r10],
      [v2r10, v2r9],
      [v2r9, v1r1],
      [v1r1, older],
    ] as const)
      expect((await compare(to)).body).toMatchObject({ from: { id: from }, to: { id: to } })
  })

  it('compares with any other release of the kind, also in reverse order or with itself', async () => {
    const kettle = await store(guidance(), { id: 'Kettle_STIG', rules: [KEPT] })
    const teapot = await store(guidance(), { rules: [KEPT, NEW] })
    const counts = async (to: number, from: number) => (await compare(to, `?from=${from}`)).body
    expect(await counts(teapot, kettle)).toMatchObject({
      from: { benchmark_id: 'Kettle_STIG' },
      counts: { added: 1, removed: 0, changed: 0, unchanged: 1 },
    })
    expect(await counts(kettle, teapot)).toMatchObject({ counts: { added: 0, removed: 1, changed: 0, unchanged: 1 } })
    expect(await counts(kettle, kettle)).toMatchObject({ counts: { added: 0, removed: 0, changed: 0, unchanged: 1 } })
  })

  it('requires a previous release', async () => {
    const id = await store(guidance())
    await store(guidance(), { release: '2' })
    await store(guidance(), { kind: 'srg', version: '0' })
    for (const path of [`/api/stigs/${id}/diff`, `/api/stigs/${id}/diff.csv`])
      expect(await admin.call('GET', path)).toMatchObject({
        status: 400,
        body: { code: 'parameter_missing', parameter: 'from', detail: containing('Teapot_STIG') },
      })
  })

  it('returns 404 for unknown benchmarks', async () => {
    const stig = await store(guidance())
    const srg = await store(guidance(), { kind: 'srg', release: '2' })
    for (const path of [
      '/api/stigs/999999/diff',
      `/api/stigs/${srg}/diff`,
      `/api/srgs/${stig}/diff`,
      `/api/stigs/${stig}/diff?from=999999`,
      `/api/stigs/${stig}/diff?from=${srg}`,
      '/api/stigs/999999/diff.csv',
      `/api/stigs/${stig}/diff.csv?from=${srg}`,
    ])
      expect([path, await admin.call('GET', path)]).toMatchObject([path, { status: 404, body: { code: 'not_found' } }])
    for (const from of ['', 'x', '0', '-1', '1e1']) expect((await compare(stig, `?from=${from}`)).status).toBe(400)
  })
})

describe('The comparison as a table', () => {
  it('has a row for each changed field and one for each added or removed rule', async () => {
    const from = await store(guidance(), { rules: BEFORE })
    const to = await store(guidance(), { release: '2', rules: AFTER })
    const { headers, bytes } = await admin.call('GET', `/api/stigs/${to}/diff.csv?from=${from}`)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(headers['content-disposition']).toBe('attachment; filename=Teapot_STIG-V1R1-V1R2.csv')
    expect(bytes.toString().startsWith('\ufeffStatus,')).toBe(true)
    const [header, ...rows] = csvRows(bytes.toString())
    expect(header).toEqual([
      'Status',
      'Matched By',
      'Rule ID Before',
      'Rule ID After',
      'STIG ID Before',
      'STIG ID After',
      'Title',
      'Field',
      'Before',
      'After',
    ])
    const changed = ['changed', 'rule_id', 'SV-2r1_rule', 'SV-2r2_rule', 'TEAP-2', 'TEAP-2']
    expect(rows).toContainEqual([...changed, 'Shut it well.', 'title', 'Shut it.', 'Shut it well.'])
    expect(rows).toContainEqual([...changed, 'Shut it well.', 'rule_severity', 'medium', 'high'])
    expect(rows.filter(([status]) => status !== 'changed')).toEqual([
      [
        'unchanged',
        'rule_id',
        'SV-1r1_rule',
        'SV-1r1_rule',
        'TEAP-1',
        'TEAP-1',
        'The lid of SV-1r1_rule must be shut.',
        '',
        '',
        '',
      ],
      ['added', '', '', 'SV-4r1_rule', '', 'TEAP-4', 'Warm the cup.', '', '', ''],
      ['removed', '', 'SV-3r1_rule', '', 'TEAP-3', '', "'=old", '', '', ''],
    ])
  })

  it('works for SRGs', async () => {
    await store(guidance(), { id: 'Tea_SRG', kind: 'srg' })
    const to = await store(guidance(), { id: 'Tea_SRG', kind: 'srg', release: '2', rules: 3 })
    const { bytes } = await admin.call('GET', `/api/srgs/${to}/diff.csv`)
    expect(csvRows(bytes.toString()).map(([status]) => status)).toEqual(['Status', 'unchanged', 'unchanged', 'added'])
  })
})

function findId(body: unknown): number {
  const [, id] = /"stig_rules":\[\{"id":(\d+)/.exec(JSON.stringify(body)) ?? []
  return Number(id)
}
