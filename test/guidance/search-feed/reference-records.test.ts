// @module-tag database

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ReferenceRecord, SearchFeed } from '../../../src/contracts/search-feed.ts'
import { openFeed } from '../../../src/guidance/search-feed/feed-module.ts'
import { attackBundle, collection, storeAttack, technique } from '../../support/attack-bundle.ts'
import { cweCatalog, storeCwe } from '../../support/cwe.ts'
import { guidanceService } from '../../support/guidance.ts'
import { cciList, storeCciList, storeOscal } from '../../support/reference-data.ts'

const service = guidanceService()
const database = () => service().service.guidance.database

let feed: SearchFeed

beforeAll(async () => {
  feed = await openFeed(service().service.guidance.searchFeed.data)
  return () => feed.close()
})

beforeEach(async () => {
  await database().transact((writer) => writer.deleteFrom('reference_sources').execute())
})

async function recordsOf(): Promise<readonly ReferenceRecord[]> {
  const found: ReferenceRecord[] = []
  for await (const record of feed.referenceRecords()) found.push(record)
  return found
}

async function recordNamed(id: string): Promise<ReferenceRecord | undefined> {
  return (await recordsOf()).find((record) => record.id === id)
}

describe('The feed of reference data', () => {
  it('has CCIs with their definitions', async () => {
    await storeCciList(database(), cciList([{ id: 'CCI-000017', status: 'deprecated', definition: 'Rinse the pot.' }]))
    expect(await recordsOf()).toEqual([
      {
        kind: 'cci',
        id: 'CCI-000017',
        label: 'CCI-000017',
        synonyms: [],
        tactics: [],
        domain: null,
        deprecated: true,
        texts: [{ field: 'definition', text: 'Rinse the pot.' }],
        path: '/api/catalogue/ccis/CCI-000017.json',
      },
    ])
  })

  it('has controls by the ids that the ontology writes, with statement and guidance', async () => {
    await storeOscal(database())
    const record = await recordNamed('AC-2(1)')
    expect(record).toMatchObject({ kind: 'control', label: 'Automated Management', deprecated: false })
    expect(record?.texts[0]?.text).toContain('Manage using')
  })

  it('has attacks with tactics, definition and procedure examples, without those that are out of use', async () => {
    await storeAttack(database())
    expect(await recordNamed('T9001')).toMatchObject({
      kind: 'offensive-technique',
      label: 'Pour Over',
      tactics: ['TA9001'],
      domain: 'enterprise-attack',
      path: '/api/catalogue/attack/T9001.json',
    })
    const { texts = [] } = (await recordNamed('T9001')) ?? {}
    expect(texts.filter(({ field }) => field === 'procedure').map(({ text }) => text)).toEqual([
      'They pour at night.',
      'The Kettle pours by itself.',
    ])
    expect((await recordsOf()).map(({ id }) => id)).toEqual(['T9001', 'T9001.001'])
  })

  it('has texts without markup', async () => {
    const pour = technique('T9001', 'Pour', {
      description: 'Uses [Kettle](https://x.example).(Citation: Pot 1) **Hot**',
    })
    await storeAttack(database(), attackBundle([collection('18.1'), pour]))
    expect((await recordNamed('T9001'))?.texts).toEqual([{ field: 'definition', text: 'Uses Kettle. Hot' }])
  })

  it('has weaknesses with alternate terms and observed examples', async () => {
    await storeCwe(database())
    expect(await recordNamed('CWE-901')).toMatchObject({
      kind: 'weakness',
      label: 'Tea Without Water',
      synonyms: ['Dry Tea'],
      texts: [
        { field: 'definition', text: 'The pot has no water.' },
        { field: 'definition' },
        { field: 'observed', text: 'CVE-2026-0001: A pot.' },
      ],
    })
    expect((await recordsOf()).map(({ id }) => id)).toEqual(['CWE-901', 'CWE-902'])
  })

  it('uses the newest version of each list, and has another version of its own then', async () => {
    expect(await feed.referenceVersion()).toBe('')
    await storeCciList(database(), cciList([{ id: 'CCI-000017' }], '2026-01-05'))
    const before = await feed.referenceVersion()
    await storeCciList(database(), cciList([{ id: 'CCI-000018' }], '2016-06-27'))
    expect(await feed.referenceVersion()).toBe(before)
    await storeCciList(database(), cciList([{ id: 'CCI-000019' }], '2026-07-01'))
    expect(await feed.referenceVersion()).not.toBe(before)
    expect((await recordsOf()).map(({ id }) => id)).toEqual(['CCI-000019'])
  })

  it('has entries of CWE that the newest file lacks', async () => {
    await storeCwe(database())
    const newer = cweCatalog({ version: '4.18', date: '2025-09-09' })
    await storeCwe(database(), newer.replace(/<Weakness ID="901"[\s\S]*?<\/Weakness>/, ''))
    const records = await recordsOf()
    expect(records.map(({ id }) => id).sort()).toEqual(['CWE-901', 'CWE-902'])
  })

  it('has each domain of ATT&CK', async () => {
    await storeAttack(database())
    const mobile = attackBundle([collection('18.1'), technique('T9404', 'Tilt')])
    await storeAttack(database(), mobile.replaceAll('"mitre-attack"', '"mitre-mobile-attack"'))
    expect((await recordsOf()).map(({ id, domain }) => [id, domain])).toEqual([
      ['T9001', 'enterprise-attack'],
      ['T9001.001', 'enterprise-attack'],
      ['T9404', 'mobile-attack'],
    ])
  })
})
