// @module-tag database

import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { emptyCatalogue, sendGood, store, LID } from '../../../support/catalogue.ts'
import { csvRows } from '../../../support/csv.ts'
import { guidanceService, signedIn, type Answer } from '../../../support/guidance.ts'
import { containing, matching } from '../../../support/matchers.ts'
import { storeCciList } from '../../../support/reference-data.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'

const guidance = guidanceService()
const BENCHMARKS = '/api/catalogue/benchmarks'

function ask(path: string): Promise<Answer> {
  return guidance().nobody.call('GET', path)
}

const admin = signedIn(guidance, 'Root', { admin: true })

beforeEach(() => emptyCatalogue(guidance()))

describe('The open list of benchmarks', () => {
  const names = z.object({ benchmarks: z.array(z.object({ benchmark_id: z.string(), version: z.string() })) })
  const listed = async (query: string): Promise<readonly string[]> =>
    names
      .parse((await ask(`${BENCHMARKS}.json${query}`)).body)
      .benchmarks.map(({ benchmark_id, version }) => `${benchmark_id} ${version}`)

  beforeEach(async () => {
    await store(guidance(), { id: 'Teapot_STIG', title: 'Teapot STIG', date: '05 Jan 2026' })
    await store(guidance(), { id: 'Teapot_STIG', title: 'Teapot STIG', release: '2', date: '05 Mar 2026' })
    await store(guidance(), { id: 'Kettle_STIG', title: 'Kettle STIG', date: '05 Feb 2026' })
    await store(guidance(), { id: 'Hot_SRG', title: 'Hot Drinks Security Requirements Guide', kind: 'srg' })
  })

  it('has the newest release of each, by title', async () => {
    expect(await listed('')).toEqual(['Hot_SRG V1R1', 'Kettle_STIG V1R1', 'Teapot_STIG V1R2'])
  })

  it('can have the newest release first', async () => {
    expect(await listed('?sort=date')).toEqual(['Teapot_STIG V1R2', 'Kettle_STIG V1R1', 'Hot_SRG V1R1'])
  })

  it('can be limited to a kind and to words', async () => {
    expect(await listed('?kind=srg')).toEqual(['Hot_SRG V1R1'])
    expect(await listed('?kind=stig&q=kettle')).toEqual(['Kettle_STIG V1R1'])
  })

  it('says how many rules there are, and where the releases are', async () => {
    const { body } = await ask(`${BENCHMARKS}.json?q=teapot`)
    expect(body).toMatchObject({
      benchmarks: [
        {
          kind: 'stig',
          title: 'Teapot STIG',
          product: 'Teapot',
          date: '2026-03-05',
          rule_count: 2,
          release_count: 2,
          releases: `${BENCHMARKS}/Teapot_STIG.json`,
          address: `${BENCHMARKS}/Teapot_STIG/V1R2.json`,
        },
      ],
    })
  })

  it('is open to pages of any origin and not sent again while it is the same', async () => {
    const { headers } = await ask(`${BENCHMARKS}.json`)
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache' })
    const again = await guidance().nobody.call('GET', `${BENCHMARKS}.json`, {
      headers: { 'If-None-Match': String(headers.etag) },
    })
    expect(again.status).toBe(304)
  })
})

describe('A benchmark of the open catalogue', () => {
  it('lists its releases with their files and changes, the newest first', async () => {
    await store(guidance(), {})
    await store(guidance(), { release: '2' })
    const { body } = await ask(`${BENCHMARKS}/Teapot_STIG.json`)
    const folder = `${BENCHMARKS}/Teapot_STIG`
    expect(body).toMatchObject({
      benchmark_id: 'Teapot_STIG',
      product: 'Teapot',
      former_ids: [],
      releases: [
        {
          version: 'V1R2',
          files: {
            xccdf: `${folder}/V1R2/Teapot_STIG.xml`,
            csv: `${folder}/V1R2/Teapot_STIG.csv`,
            ckl: `${folder}/V1R2/Teapot_STIG.ckl`,
            cklb: `${folder}/V1R2/Teapot_STIG.cklb`,
          },
          changes: `${folder}/V1R1/changes/V1R2.json`,
        },
        { version: 'V1R1', changes: null },
      ],
    })
  })

  it('is found by its former id, whose releases keep their addresses', async () => {
    await store(guidance(), { id: 'Old_Teapot_STIG' })
    await store(guidance(), { release: '2' })
    const alias = { benchmark_alias: { alias: 'Old_Teapot_STIG', benchmark_id: 'Teapot_STIG' } }
    await admin.call('POST', '/api/benchmark_aliases', { body: alias })
    const { body } = await ask(`${BENCHMARKS}/Old_Teapot_STIG.json`)
    expect(body).toMatchObject({
      benchmark_id: 'Teapot_STIG',
      former_ids: ['Old_Teapot_STIG'],
      releases: [{ version: 'V1R2' }, { version: 'V1R1', address: `${BENCHMARKS}/Old_Teapot_STIG/V1R1.json` }],
    })
    expect((await ask(`${BENCHMARKS}/Teapot_STIG/V1R1/changes/V1R2.json`)).status).toBe(200)
  })

  it('has releases of the same version under its former id and its own', async () => {
    const ids = ['Old_Teapot_STIG', 'Teapot_STIG']
    for (const id of ids) await store(guidance(), { id })
    const alias = { benchmark_alias: { alias: 'Old_Teapot_STIG', benchmark_id: 'Teapot_STIG' } }
    await admin.call('POST', '/api/benchmark_aliases', { body: alias })
    for (const benchmark_id of ids)
      expect((await ask(`${BENCHMARKS}/${benchmark_id}/V1R1.json`)).body).toMatchObject({ benchmark_id })
  })

  it('returns 404 with its name if there is none', async () => {
    const { status, body } = await ask(`${BENCHMARKS}/Samovar_STIG.json`)
    expect(status).toBe(404)
    expect(body).toMatchObject({ code: 'not_found', detail: containing('Samovar_STIG') })
  })
})

describe('A release of the open catalogue', () => {
  it('has its rules with all their texts, and no number of the database', async () => {
    await store(guidance(), { rules: [LID] })
    const { body } = await ask(`${BENCHMARKS}/Teapot_STIG/V1R1.json`)
    expect(body).toMatchObject({
      kind: 'stig',
      version: 'V1R1',
      description: 'How to keep tea safe.',
      newest: { version: 'V1R1' },
      rules: [
        {
          rule_id: 'SV-7r2_rule',
          group_id: 'V-7',
          version: 'TEAP-07',
          requirement: 'SRG-TEA-000007',
          severity: 'high',
          vuln_discussion: 'Steam escapes.',
          checks: [{ content: 'Look at the lid.' }],
          fixes: [{ text: 'Shut it.' }],
          ccis: ['CCI-000366', 'CCI-000015'],
          legacy_ids: ['V-70007', 'SV-80007'],
          address: `${BENCHMARKS}/Teapot_STIG/V1R1/rules/SV-7r2_rule.json`,
        },
      ],
    })
    expect(JSON.stringify(body)).not.toMatch(/"id":/)
  })

  it('has an ETag, a length and its form for each coding, however many rules there are', async () => {
    await store(guidance(), { rules: 300 })
    const path = `${BENCHMARKS}/Teapot_STIG/V1R1.json`
    const { headers, bytes } = await ask(path)
    expect(headers).toMatchObject({ 'content-length': String(bytes.length), vary: 'Accept-Encoding' })
    const again = await guidance().nobody.call('GET', path, { headers: { 'If-None-Match': headers.etag ?? '' } })
    expect(again.status).toBe(304)
    const packed = await guidance().service.get(path, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(packed.headers.etag).toBe(headers.etag?.replace(/"$/, '-gzip"'))
    expect(gunzipSync(packed.body).equals(bytes)).toBe(true)
    expect(packed.body.length).toBeLessThan(bytes.length / 5)
  })

  it('is the same after it was removed and imported again', async () => {
    const file = xccdfDocument({ rules: [LID] })
    const { imported } = await sendGood(admin, file)
    const before = await ask(`${BENCHMARKS}/Teapot_STIG/V1R1.json`)
    await admin.call('DELETE', `/stigs/${imported[0]?.id ?? 0}`)
    await store(guidance(), { id: 'Other_STIG' })
    await sendGood(admin, file)
    const after = await ask(`${BENCHMARKS}/Teapot_STIG/V1R1.json`)
    expect(after.headers.etag).toBe(before.headers.etag)
    expect(after.body).toEqual(before.body)
  })

  it('returns 404 with the existing versions', async () => {
    await store(guidance(), {})
    const { status, body } = await ask(`${BENCHMARKS}/Teapot_STIG/V9R9.json`)
    expect(status).toBe(404)
    expect(body).toMatchObject({ detail: containing('It has: V1R1.') })
  })

  it('gives the file byte by byte, and a table', async () => {
    const file = xccdfDocument({ rules: [LID] })
    await sendGood(admin, file)
    const xml = await ask(`${BENCHMARKS}/Teapot_STIG/V1R1/Teapot_STIG.xml`)
    expect(xml.headers).toMatchObject({
      'content-type': 'application/xml',
      'content-disposition': 'attachment; filename=Teapot_STIG-V1R1.xml',
    })
    expect(xml.bytes.toString('utf8')).toBe(file)
    const csv = await ask(`${BENCHMARKS}/Teapot_STIG/V1R1/Teapot_STIG.csv`)
    expect(csvRows(csv.bytes.toString('utf8'))[1]).toContain('SV-7r2_rule')
    expect((await ask(`${BENCHMARKS}/Teapot_STIG/V1R1/Kettle_STIG.csv`)).status).toBe(404)
  })
})

describe('The rules of a release', () => {
  it('are listed with their names and without their texts', async () => {
    await store(guidance(), { rules: [LID, { id: 'SV-8r1_rule' }] })
    await store(guidance(), { release: '2', rules: [LID] })
    const { body } = await ask(`${BENCHMARKS}/Teapot_STIG/V1R1/rules.json`)
    expect(body).toMatchObject({
      benchmark_id: 'Teapot_STIG',
      version: 'V1R1',
      newest: { version: 'V1R2' },
      releases: `${BENCHMARKS}/Teapot_STIG.json`,
      files: { ckl: `${BENCHMARKS}/Teapot_STIG/V1R1/Teapot_STIG.ckl` },
      rules: [
        {
          rule_id: 'SV-7r2_rule',
          group_id: 'V-7',
          version: 'TEAP-07',
          requirement: 'SRG-TEA-000007',
          title: 'Shut the lid.',
          severity: 'high',
          ccis: ['CCI-000366', 'CCI-000015'],
          legacy_ids: ['V-70007', 'SV-80007'],
        },
        { rule_id: 'SV-8r1_rule' },
      ],
    })
    expect(JSON.stringify(body)).not.toContain('Steam escapes.')
  })

  it('return 404 for an unknown release', async () => {
    await store(guidance(), {})
    expect((await ask(`${BENCHMARKS}/Teapot_STIG/V9R9/rules.json`)).status).toBe(404)
  })
})

describe('A rule of the open catalogue', () => {
  const folder = `${BENCHMARKS}/Teapot_STIG/V1R1/rules`

  const NAMES = ['SV-7r2_rule', 'xccdf_mil.disa.stig_rule_SV-7r2_rule', 'SV-7', 'SV-7r1_rule', 'V-7', 'TEAP-07']
  it.each(NAMES)('is found as %s', async (name) => {
    await store(guidance(), { rules: [{ id: 'SV-1r1_rule' }, { id: 'SV-77r1_rule' }, LID] })
    await store(guidance(), { release: '2', rules: [LID] })
    const { body } = await ask(`${folder}/${name}.json`)
    expect(body).toMatchObject({
      release: { benchmark_id: 'Teapot_STIG', version: 'V1R1', newest: { version: 'V1R2' } },
      rule: { rule_id: 'SV-7r2_rule', title: 'Shut the lid.' },
      links: [],
    })
  })

  it('returns 404 with its name if there is none', async () => {
    await store(guidance(), {})
    const { status, body } = await ask(`${folder}/V-9.json`)
    expect(status).toBe(404)
    expect(body).toMatchObject({ detail: 'Teapot_STIG V1R1 has no rule V-9.' })
  })

  it('has its CCIs without definitions as long as no list of them is loaded', async () => {
    await store(guidance(), { rules: [LID] })
    const { body } = await ask(`${folder}/V-7.json`)
    expect(body).toMatchObject({
      cci_list: null,
      ccis: [
        { id: 'CCI-000366', control: 'CM-6 b', definition: null, controls: [] },
        { id: 'CCI-000015', control: 'AC-2 (1)', definition: null, controls: [] },
      ],
    })
  })

  it('has the definitions and the controls of its CCIs in the newest list', async () => {
    await store(guidance(), { rules: [LID] })
    await storeCciList(guidance().service.guidance.database)
    const { body } = await ask(`${folder}/V-7.json`)
    expect(body).toMatchObject({
      cci_list: { version: '2026-01-05', digest: matching(/^[0-9a-f]{64}$/) },
      ccis: [
        {
          id: 'CCI-000366',
          definition: 'What CCI-000366 asks for.',
          controls: [
            { revision: 3, control: 'CM-6', index: 'CM-6 b' },
            { revision: 5, control: 'CM-6', index: 'CM-6 b' },
          ],
        },
        { id: 'CCI-000015' },
      ],
    })
  })

  it('names the other requirements that it satisfies', async () => {
    const discussion = 'Steam escapes.\n\nSatisfies: SRG-TEA-000007, SRG-TEA-000011-GEN-00001,\nSRG-TEA-000012'
    await store(guidance(), { rules: [{ ...LID, discussion }] })
    expect((await ask(`${folder}/V-7.json`)).body).toMatchObject({
      satisfies: ['SRG-TEA-000011-GEN-00001', 'SRG-TEA-000012'],
    })
  })

  it('says which of its requirements can be looked up', async () => {
    const discussion = 'Satisfies: SRG-TEA-000011, SRG-TEA-000012, SRG-TEA-000013'
    const older = [
      { ...LID, discussion },
      { id: 'SV-9r1_rule', group: 'V-9', requirement: 'SRG-TEA-000011' },
    ]
    await store(guidance(), { rules: older })
    await store(guidance(), { release: '2', rules: [{ id: 'SV-9r1_rule', requirement: 'SRG-TEA-000012' }] })
    const { body } = await ask(`${folder}/V-7.json`)
    const { known_requirements: known } = z.object({ known_requirements: z.array(z.string()) }).parse(body)
    expect(known).toEqual(['SRG-TEA-000012'])
    expect((await ask('/api/catalogue/requirements/SRG-TEA-000012.json')).status).toBe(200)
    expect((await ask('/api/catalogue/requirements/SRG-TEA-000011.json')).status).toBe(404)
  })

  it.each(['%00', 'x'.repeat(600), '%ff', '..%2f..%2fetc'])('answers 4xx for the name %s', async (name) => {
    await store(guidance(), {})
    const { status } = await ask(`${folder}/${name}.json`)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })
})

describe('The changes of a benchmark', () => {
  it('are given rule by rule, and as a table', async () => {
    await store(guidance(), { rules: [LID, { id: 'SV-8r1_rule' }] })
    await store(guidance(), { release: '2', rules: [{ ...LID, title: 'Shut the lid well.' }] })
    const path = `${BENCHMARKS}/Teapot_STIG/V1R1/changes/V1R2`
    const { body } = await ask(`${path}.json`)
    expect(body).toMatchObject({
      from: { version: 'V1R1' },
      to: { version: 'V1R2' },
      counts: { added: 0, removed: 1, changed: 1, unchanged: 0 },
      rules: [
        {
          status: 'changed',
          before: { address: `${BENCHMARKS}/Teapot_STIG/V1R1/rules/SV-7r2_rule.json` },
          after: { address: `${BENCHMARKS}/Teapot_STIG/V1R2/rules/SV-7r2_rule.json` },
          changes: [{ field: 'title', before: 'Shut the lid.', after: 'Shut the lid well.' }],
        },
        { status: 'removed', after: null },
      ],
    })
    const table = await ask(`${path}.csv`)
    expect(csvRows(table.bytes.toString('utf8'))[1]?.slice(-2)).toEqual(['Shut the lid.', 'Shut the lid well.'])
  })
})

describe('A requirement of the open catalogue', () => {
  it('names the rules of each product that meet it', async () => {
    await store(guidance(), { rules: [LID] })
    const { body } = await ask('/api/catalogue/requirements/SRG-TEA-000007.json')
    expect(body).toMatchObject({
      requirement: 'SRG-TEA-000007',
      benchmarks: [{ benchmark_id: 'Teapot_STIG', rule_count: 1, rules: [{ rule_id: 'SV-7r2_rule' }] }],
    })
  })

  it('returns 404 with its name if no rule has it', async () => {
    const { status, body } = await ask('/api/catalogue/requirements/SRG-TEA-000099.json')
    expect(status).toBe(404)
    expect(body).toMatchObject({ detail: containing('SRG-TEA-000099') })
  })
})

describe('The feed of releases', () => {
  it('has the newest release first, with the same id on every instance', async () => {
    await store(guidance(), { title: 'Tea & Co STIG', date: '05 Jan 2026' })
    await store(guidance(), { title: 'Tea & Co STIG', release: '2', date: '05 Mar 2026' })
    const { headers, bytes } = await ask(`${BENCHMARKS}.atom`)
    const text = bytes.toString('utf8')
    expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8')
    expect(text.match(/<title>.*<\/title>/g)).toEqual([
      '<title>Releases of SRGs and STIGs</title>',
      '<title>Tea &amp; Co STIG V1R2</title>',
      '<title>Tea &amp; Co STIG V1R1</title>',
    ])
    expect(text).toContain('<updated>2026-03-05T00:00:00Z</updated>')
    expect(text.match(/<id>urn:sha256:[0-9a-f]{64}<\/id>/g)).toHaveLength(2)
  })
})
