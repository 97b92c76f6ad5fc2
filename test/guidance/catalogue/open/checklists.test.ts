// @module-tag database

import { beforeEach, describe, expect, it } from 'vitest'
import { emptyCatalogue, sendGood, store, LID } from '../../../support/catalogue.ts'
import { readCkl, readCklb } from '../../../support/checklist-readers.ts'
import { guidanceService, signedIn, type Answer } from '../../../support/guidance.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'

const guidance = guidanceService()
const BENCHMARKS = '/api/catalogue/benchmarks'

function ask(path: string): Promise<Answer> {
  return guidance().nobody.call('GET', path)
}

const admin = signedIn(guidance, 'Root', { admin: true })

beforeEach(() => emptyCatalogue(guidance()))

describe('A blank checklist of a release', () => {
  const folder = `${BENCHMARKS}/Teapot_STIG/V2R7`
  const READERS = [
    ['ckl', readCkl],
    ['cklb', readCklb],
  ] as const
  const SAMPLE = {
    version: '2',
    release: '7',
    title: 'Pots <& pans> STIG',
    rules: [LID, { id: 'SV-8r1_rule', group: 'V-8', version: 'TEAP-08', severity: 'low', cci: [] }],
  } as const

  it.each(READERS)('is read by STIG Manager as %s, with no rule reviewed', async (ending, readIt) => {
    await store(guidance(), SAMPLE)
    const { bytes } = await ask(`${folder}/Teapot_STIG.${ending}`)
    const text = bytes.toString('utf8')
    expect(readIt(text)).toMatchObject({
      target: { name: 'Teapot_STIG' },
      checklists: [
        {
          benchmarkId: 'Teapot_STIG',
          revisionStr: 'V2R7',
          stats: { notchecked: 2, pass: 0, fail: 0, notapplicable: 0 },
          reviews: [
            { ruleId: 'SV-7r2_rule', result: 'notchecked', detail: null, comment: null },
            { ruleId: 'SV-8r1_rule', result: 'notchecked' },
          ],
        },
      ],
    })
    expect(text).toContain('Release: 7 Benchmark Date: 05 Jan 2026')
  })

  it('has the texts, CCIs and legacy ids of each rule for STIG Viewer 3', async () => {
    await store(guidance(), SAMPLE)
    const { headers, body } = await ask(`${folder}/Teapot_STIG.cklb`)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename=Teapot_STIG-V2R7.cklb',
    })
    expect(body).toMatchObject({
      stigs: [
        {
          stig_name: 'Pots <& pans> STIG',
          version: 2,
          size: 2,
          rules: [
            {
              group_id: 'V-7',
              rule_id: 'SV-7r2',
              rule_id_src: 'SV-7r2_rule',
              rule_version: 'TEAP-07',
              group_title: 'SRG-TEA-000007',
              severity: 'high',
              rule_title: 'Shut the lid.',
              discussion: 'Steam escapes.',
              check_content: 'Look at the lid.',
              fix_text: 'Shut it.',
              ccis: ['CCI-000366', 'CCI-000015'],
              legacy_ids: ['V-70007', 'SV-80007'],
              status: 'not_reviewed',
            },
            { rule_id_src: 'SV-8r1_rule', ccis: [] },
          ],
        },
      ],
    })
  })

  it('has the texts, CCIs and legacy ids of each rule for STIG Viewer 2', async () => {
    await store(guidance(), SAMPLE)
    const { headers, bytes } = await ask(`${folder}/Teapot_STIG.ckl`)
    expect(headers['content-type']).toBe('application/xml')
    const pairs = [
      ...bytes
        .toString('utf8')
        .matchAll(/<VULN_ATTRIBUTE>(\w+)<\/VULN_ATTRIBUTE><ATTRIBUTE_DATA>([^<]*)<\/ATTRIBUTE_DATA>/g),
    ].map(([, name, value]) => `${name}: ${value}`)
    expect(pairs).toEqual(
      expect.arrayContaining([
        'Vuln_Num: V-7',
        'Group_Title: SRG-TEA-000007',
        'Rule_Ver: TEAP-07',
        'Vuln_Discuss: Steam escapes.',
        'Check_Content: Look at the lid.',
        'Fix_Text: Shut it.',
        'STIGRef: Pots &lt;&amp; pans&gt; STIG :: Version 2, Release: 7 Benchmark Date: 05 Jan 2026',
        'LEGACY_ID: V-70007',
        'LEGACY_ID: SV-80007',
        'CCI_REF: CCI-000366',
        'CCI_REF: CCI-000015',
      ]),
    )
  })

  it.each(READERS)('is the same as %s after the release was removed and imported again', async (ending) => {
    const file = xccdfDocument(SAMPLE)
    const { imported } = await sendGood(admin, file)
    const path = `${folder}/Teapot_STIG.${ending}`
    const before = await ask(path)
    await admin.call('DELETE', `/stigs/${imported[0]?.id ?? 0}`)
    await store(guidance(), { id: 'Other_STIG' })
    await sendGood(admin, file)
    const after = await ask(path)
    expect(after.headers.etag).toBe(before.headers.etag)
    expect(after.bytes.equals(before.bytes)).toBe(true)
  })
})
