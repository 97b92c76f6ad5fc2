// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import type { SearchFeed } from '../../../src/contracts/search-feed.ts'
import { openFeed } from '../../../src/guidance/search-feed/feed-module.ts'
import { makeComponent } from '../../support/authoring.ts'
import { store } from '../../support/catalogue.ts'
import { addRow, setRows } from '../../support/guidance-records.ts'
import { guidanceService } from '../../support/guidance.ts'

const service = guidanceService()

let feed: SearchFeed

beforeAll(async () => {
  feed = await openFeed(service().service.guidance.searchFeed.data)
  return () => feed.close()
})

const RULE = {
  id: 'SV-257777r9_rule',
  group: 'V-257777',
  version: 'RHEL-09-211010',
  severity: 'high',
  requirement: 'SRG-OS-000480-GPOS-00227',
  title: 'Kettles whistle',
  discussion: 'Because.',
  cci: ['CCI-000366', 'CCI-000015'],
  legacy: ['V-71849'],
  fix: 'Set PermitRootLogin no.',
  checks: ['Verify the lid.', 'Boil twice.'],
}

describe('The feed', () => {
  it('has rules and requirements of the catalogue with all their names', async () => {
    const owner = await store(service(), { id: 'Kettle_STIG', title: 'Kettle', rules: [RULE] })
    const srg = await store(service(), {
      id: 'Kettle_SRG',
      kind: 'srg',
      title: 'Kettles',
      rules: [{ id: 'SV-1r1_rule', version: 'SRG-APP-000001-KET-000002', requirement: 'Kettles' }],
    })
    const [[id = 0], [required = 0]] = [await feed.rulesOf(owner), await feed.rulesOf(srg)]
    const records = await feed.records([
      { kind: 'rule', id },
      { kind: 'requirement', id: required },
      { kind: 'rule', id: 9999 },
    ])
    expect(records).toHaveLength(2)
    expect(records[0]).toEqual({
      kind: 'rule',
      id,
      owner,
      severity: 'high',
      title: 'Kettles whistle',
      context: 'Kettle',
      names: ['SV-257777r9_rule', 'SV-257777r9', 'SV-257777', 'V-257777', '257777', 'RHEL-09-211010', 'V-71849'],
      cites: ['CCI-000366', 'CCI-000015', 'SRG-OS-000480-GPOS-00227', 'SRG-OS-000480'],
      fixes: ['Set PermitRootLogin no.'],
      checks: ['Verify the lid.', 'Boil twice.'],
      texts: ['Because.'],
    })
    expect(records[1]).toMatchObject({ kind: 'requirement', owner: srg })
    expect(records[1]?.names).toEqual(expect.arrayContaining(['SRG-APP-000001-KET-000002', 'SRG-APP-000001']))
    expect(await feed.rulesOf(9999)).toEqual([])
  })

  it('has authored rules and components that are not deleted', async () => {
    const person = await service().signUp('Owner')
    const projectId = await service().project(person)
    const made = await makeComponent(service(), person, { projectId, rules: 2, name: 'Photon', prefix: 'PHTN-30' })
    const [first = 0, second = 0] = made.rules
    const texts = {
      title: 'Lids',
      rule_severity: 'low',
      vuln_id: 'V-12345',
      fixtext: 'Fix.',
      ident: 'CCI-000015, CCI-000366',
      legacy_ids: 'V-9, SV-9',
      mitigations: 'None.',
      version: 'SRG-APP-000001-KET-000002',
      vuln_discussion: '',
      vendor_comments: 'Ours',
    } as const
    await setRows(service(), 'rules', texts, { id: first })
    await setRows(service(), 'rules', { deleted_at: '2026-01-01T00:00:00.000Z' }, { id: second })
    await setRows(service(), 'rule_checks', { content: 'One.' }, { rule_id: first })
    for (const content of [null, 'Two.']) await addRow(service(), 'rule_checks', { rule_id: first, content })
    const about = { description: 'Of steam', metadata: '{"team":"tea"}' }
    await setRows(service(), 'components', about, { id: made.id })
    const records = await feed.records([
      ...made.rules.map((id) => ({ kind: 'authored-rule' as const, id })),
      { kind: 'component', id: made.id },
    ])
    expect(records).toEqual([
      {
        kind: 'authored-rule',
        id: first,
        owner: made.id,
        severity: 'low',
        title: 'Lids',
        context: 'Photon Photon Guide',
        names: ['PHTN-30-000001', 'V-12345', 'SRG-APP-000001-KET-000002', 'SRG-APP-000001', 'V-9', 'SV-9'],
        cites: ['CCI-000015', 'CCI-000366'],
        fixes: ['Fix.'],
        checks: ['One.', 'Two.'],
        texts: ['None.', 'Ours'],
      },
      {
        kind: 'component',
        id: made.id,
        owner: made.id,
        severity: null,
        title: 'Photon',
        names: ['PHTN-30', 'Photon'],
        cites: [],
        fixes: [],
        checks: [],
        context: '',
        texts: ['Photon Guide', 'Of steam'],
      },
    ])
    const owners = await feed.owners()
    expect(owners.find(({ kind, id }) => kind === 'component' && id === made.id)).toEqual({
      kind: 'component',
      id: made.id,
      title: 'Photon',
      names: ['PHTN-30', 'Photon Guide'],
      benchmark: null,
    })
  })
})

describe('The list of owners', () => {
  it('marks the newest release of each line, across renamed benchmarks', async () => {
    const newest = await store(service(), { id: 'New_STIG', title: 'Pot', release: '10' })
    const older = await store(service(), { id: 'New_STIG', title: 'Pot', release: '9' })
    const called = await store(service(), { id: 'Old_STIG', title: 'Jug', version: '0' })
    const others = await store(service(), { id: 'New_STIG', title: 'Pot', kind: 'srg', version: '7' })
    await addRow(service(), 'benchmark_aliases', {
      alias: 'Old_STIG',
      benchmark_id: 'New_STIG',
      created_at: '2026-01-01T00:00:00.000Z',
    })
    const owners = new Map((await feed.owners()).map((owner) => [owner.id, owner]))
    expect(owners.get(called)).toEqual({
      kind: 'benchmark',
      id: called,
      title: 'Jug',
      names: ['Old_STIG', 'New_STIG', 'Old STIG - Ver 0, Rel 1'],
      benchmark: { kind: 'stig', line: 'stig New_STIG', version: 'V0R1', isNewest: false, releaseDate: '2026-01-05' },
    })
    const ownerFacts = [newest, older, others].map((id) => {
      const { kind, line, isNewest } = owners.get(id)?.benchmark ?? {}
      return [kind, line, isNewest]
    })
    expect(ownerFacts).toEqual([
      ['stig', 'stig New_STIG', true],
      ['stig', 'stig New_STIG', false],
      ['srg', 'srg New_STIG', true],
    ])
  })
})
