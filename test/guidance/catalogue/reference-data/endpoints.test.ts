// @module-tag database

import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { emptyCatalogue, store } from '../../../support/catalogue.ts'
import { csvRows } from '../../../support/csv.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { matching } from '../../../support/matchers.ts'
import { CCIS, cciList, oscalCatalog, storeCciList, storeOscal } from '../../../support/reference-data.ts'

const guidance = guidanceService()

function ask(path: string, headers: Readonly<Record<string, string>> = {}) {
  return guidance().nobody.call('GET', `/api/catalogue/${path}`, { headers })
}

const database = () => guidance().service.guidance.database

const cited = z.object({ ccis: z.array(z.looseObject({ id: z.string() })), benchmarks: z.array(z.unknown()) })

beforeEach(async () => {
  await emptyCatalogue(guidance())
  await database().transact((writer) => writer.deleteFrom('reference_sources').execute())
})

/** Two releases of one product, and an SRG. */
async function storeRules(): Promise<void> {
  const rule = (id: string, cci: readonly string[], severity: string) => ({ id, cci, severity })
  await store(guidance(), { id: 'Pot_STIG', release: '1', rules: [rule('SV-1_rule', ['CCI-000366'], 'high')] })
  await store(guidance(), {
    id: 'Pot_STIG',
    release: '2',
    rules: [
      rule('SV-2_rule', ['CCI-000366', 'CCI-000015'], 'high'),
      rule('SV-3_rule', ['CCI-000366'], 'low'),
      rule('SV-4_rule', [], 'low'),
    ],
  })
}

describe('Without reference data', () => {
  it.each(['ccis/all.json', 'ccis/CCI-000366.json', 'controls/AC-2.json', 'controls/AC-2.csv'])(
    '%s returns a 404 that names the command that loads it',
    async (path) => {
      const { status, body } = await ask(path)
      expect([status, body]).toMatchObject([
        404,
        { code: 'reference_data_absent', detail: matching(/npm run import -- U_CCI_List\.xml/) },
      ])
    },
  )

  it('the list of lists is empty', async () => {
    expect((await ask('reference-data.json')).body).toEqual({ sources: [] })
  })
})

describe('The CCI list', () => {
  it('is held in several versions, of which the newest answers', async () => {
    expect(await storeCciList(database(), cciList(CCIS, '2026-01-05'))).toBe('imported')
    expect(await storeCciList(database(), cciList([...CCIS, { id: 'CCI-000018' }], '2026-01-10'))).toBe('imported')
    expect(await storeCciList(database(), cciList(CCIS.slice(0, 1), '2025-12-01'))).toBe('imported')
    expect(await storeCciList(database(), cciList(CCIS, '2026-01-05'))).toBe('already_imported')
    await storeOscal(database())
    const { body } = await ask('reference-data.json')
    const { sources } = z.object({ sources: z.array(z.looseObject({ version: z.string() })) }).parse(body)
    expect(sources.map(({ version }) => version)).toEqual(['2026-01-10', '2026-01-05', '2025-12-01', '5.1.1'])
    expect(sources[0]).toEqual({
      kind: 'cci_list',
      title: 'Control Correlation Identifier (CCI) list',
      version: '2026-01-10',
      published: '2026-01-10',
      digest: matching(/^[0-9a-f]{64}$/),
      file_name: 'cci_list.txt',
      item_count: 4,
      imported_at: matching(/^\d{4}-.*Z$/),
    })
    const count = async (path: string) => cited.pick({ ccis: true }).parse((await ask(path)).body).ccis.length
    expect(await count('ccis/all.json')).toBe(4)
    expect(await count('ccis/all.json?version=2025-12-01')).toBe(1)
    expect((await ask('ccis/all.json?version=1999')).body).toMatchObject({
      code: 'not_found',
      detail: 'There is no version 1999 of the CCI list. There is: 2026-01-10, 2026-01-05, 2025-12-01.',
    })
  })

  it.each([
    ['what asks', ['CCI-000015', 'CCI-000366', 'CCI-000017']],
    ['366', ['CCI-000366']],
    ['cci-17', ['CCI-000017']],
    ['ac-2', ['CCI-000015', 'CCI-000017']],
    ['asks nothing', []],
  ])('is searched for all words of "%s", deprecated ones last', async (q, ids) => {
    await storeCciList(database(), cciList(CCIS.toReversed()))
    const { body } = await ask(`ccis/search.json?q=${encodeURIComponent(q)}`)
    const found = cited
      .pick({ ccis: true })
      .parse(body)
      .ccis.map(({ id }) => id)
    expect(found.toSorted()).toEqual(ids.toSorted())
    expect(found.at(-1)).toBe(ids.at(-1))
  })

  it('is answered whole, with an ETag', async () => {
    await storeCciList(database())
    const { status, headers, body } = await ask('ccis/all.json')
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
    expect(cited.pick({ ccis: true }).parse(body).ccis[0]).toEqual({
      id: 'CCI-000015',
      definition: 'What CCI-000015 asks for.',
      deprecated: false,
      types: ['policy', 'technical'],
      status: 'draft',
      controls: [3, 4, 5].map((revision) => ({ revision, control: 'AC-2 (1)', index: 'AC-2 (1)' })),
    })
    const again = await ask('ccis/all.json', { 'If-None-Match': headers.etag ?? '' })
    expect(again.status).toBe(304)
  })
})

describe('A CCI', () => {
  it('has its references, its controls and the rules of the newest releases that cite it', async () => {
    await storeCciList(database())
    await storeRules()
    const { status, body } = await ask('ccis/cci-366.json')
    expect([status, body]).toMatchObject([
      200,
      {
        id: 'CCI-000366',
        notes: ['Warm the pot.', 'Twice.'],
        deprecated: false,
        in_revision_5: true,
        controls: [3, 5].map((revision) => ({ revision, control: 'CM-6', index: 'CM-6 b' })),
        source: { version: '2026-01-05', item_count: 3 },
        benchmarks: [
          {
            benchmark_id: 'Pot_STIG',
            version: 'V1R2',
            rule_count: 2,
            severity_counts: { high: 1, medium: 0, low: 1 },
            rules: [{ rule_id: 'SV-2_rule' }, { rule_id: 'SV-3_rule' }],
          },
        ],
      },
    ])
    expect(body).toMatchObject({ references: [{ creator: 'NIST', version: '3' }, { version: '5' }] })
  })

  it('says that it is deprecated, and not in revision 5', async () => {
    await storeCciList(database())
    expect((await ask('ccis/CCI-000017.json')).body).toMatchObject({
      status: 'deprecated',
      deprecated: true,
      in_revision_5: false,
      benchmarks: [],
    })
  })

  it('returns a 404 that names it, if the list does not have it', async () => {
    await storeCciList(database())
    for (const [id, name] of [
      ['CCI-999999', 'CCI-999999'],
      ['tea', 'tea'],
    ])
      expect((await ask(`ccis/${id}.json`)).body).toMatchObject({
        code: 'not_found',
        detail: `The CCI list 2026-01-05 has no ${name}.`,
      })
  })
})

describe('A control', () => {
  it.each(['AC-2%20(1)', 'ac-2.1', 'AC-02(01)'])('is found by %s', async (name) => {
    await storeCciList(database())
    await storeOscal(database(), oscalCatalog())
    await storeRules()
    const { status, body } = await ask(`controls/${name}.json`)
    expect([status, body]).toMatchObject([
      200,
      {
        id: 'AC-2 (1)',
        text: { title: 'Automated Management', enhances: 'AC-2' },
        source: { kind: 'sp800_53', version: '5.1.1' },
        cci_source: { kind: 'cci_list' },
        ccis: [{ id: 'CCI-000015', revisions: [3, 4, 5] }],
        severity_counts: { high: 1, medium: 0, low: 0 },
        benchmarks: [{ benchmark_id: 'Pot_STIG', version: 'V1R2', rule_count: 1 }],
      },
    ])
  })

  it('has its CCIs where no catalogue is loaded, and its text where no CCI list is', async () => {
    await storeCciList(database())
    expect((await ask('controls/CM-6.json')).body).toMatchObject({ text: null, source: null, ccis: [{}] })
    await database().transact((writer) => writer.deleteFrom('reference_sources').execute())
    await storeOscal(database())
    expect((await ask('controls/AC-2.json')).body).toMatchObject({
      text: { enhancements: ['AC-2 (1)'] },
      cci_source: null,
      ccis: [],
      benchmarks: [],
    })
  })

  it('has a table of all rules that cite its CCIs, one row for each CCI', async () => {
    await storeCciList(database())
    await storeRules()
    const rules = Array.from({ length: 30 }, (_, index) => ({
      id: `SV-${index}_rule`,
      cci: ['CCI-000366'],
      title: '=1+1',
    }))
    await store(guidance(), { id: 'Cup_STIG', rules })
    const { headers, bytes } = await ask('controls/cm-6.csv')
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename=CM-6.csv',
    })
    const [header, ...rows] = csvRows(bytes.toString('utf8'))
    expect(header).toEqual(['Control', 'Benchmark', 'Version', 'Rule ID', 'STIG ID', 'Severity', 'CCI', 'Title'])
    expect(rows).toHaveLength(32)
    expect(rows[0]?.slice(0, 4)).toEqual(['CM-6', 'Cup_STIG', 'V1R1', 'SV-0_rule'])
    expect(rows[0]?.at(-1)).toBe("'=1+1")
    expect(rows.slice(30).map(([, , ...row]) => [row[0], row[1], row[3], row[4]])).toEqual([
      ['V1R2', 'SV-2_rule', 'high', 'CCI-000366'],
      ['V1R2', 'SV-3_rule', 'low', 'CCI-000366'],
    ])
  })

  it('has no table where no CCI list is loaded', async () => {
    await storeOscal(database())
    expect((await ask('controls/AC-2.csv')).body).toMatchObject({ code: 'reference_data_absent' })
  })

  it('has the text of an earlier catalogue, if the newest lacks it', async () => {
    await storeOscal(database())
    await storeOscal(database(), oscalCatalog('5.1.1+u4').replaceAll('AC-13', 'AC-14'))
    expect((await ask('controls/AC-13.json')).body).toMatchObject({ source: { version: '5.1.1' } })
    expect((await ask('controls/AC-2.json')).body).toMatchObject({ source: { version: '5.1.1+u4' } })
  })

  it('returns a 404 that names it, if nothing has it', async () => {
    await storeCciList(database())
    await storeOscal(database())
    for (const [path, name] of [
      ['zz-9', 'ZZ-9'],
      ['tea', 'tea'],
    ])
      expect((await ask(`controls/${path}.json`)).body).toMatchObject({
        code: 'not_found',
        detail: `Neither the catalogue of controls nor the CCI list has ${name}.`,
      })
  })
})

describe('The IRI of a CCI or a control', () => {
  const turtle = async (path: string) => {
    const headers = { Accept: 'text/turtle' }
    const { status, body } = await guidance().nobody.call('GET', path, { headers })
    return { status, body: String(body) }
  }

  it('gives the definition and the controls of a CCI that no rule cites', async () => {
    expect((await turtle('/ccis/CCI-000366')).status).toBe(404)
    await storeCciList(database())
    const { status, body } = await turtle('/ccis/CCI-000366')
    expect([status, body]).toEqual([200, matching(/skos:definition "What CCI-000366 asks for\."/)])
    expect(body).toMatch(/skos:broadMatch <\S+\/controls\/CM-6>/)
  })

  it.each(['/controls/AC-2(1)', '/controls/AC-2%20%281%29', '/controls/ac-2.1'])(
    'gives the text of a control and the CCIs that refer to it at %s',
    async (path) => {
      expect((await turtle(path)).status).toBe(404)
      await storeCciList(database())
      await storeOscal(database())
      const { status, body } = await turtle(path)
      expect([status, body]).toEqual([200, matching(/skos:prefLabel "Automated Management"/)])
      expect(body).toMatch(/dcterms:identifier "ac-2\.1"/)
      expect(body).toMatch(/\/ccis\/CCI-000015>\s+skos:broadMatch/)
    },
  )
})
