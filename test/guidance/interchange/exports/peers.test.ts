import { Control, getExistingDescribeFromControl, processXCCDF } from '@mitre/inspec-objects'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cklPieces } from '../../../../src/guidance/catalogue/checklists/ckl.ts'
import { cklbPieces } from '../../../../src/guidance/catalogue/checklists/cklb.ts'
import { componentChecklist } from '../../../../src/guidance/interchange/exports/checklists/component-checklist.ts'
import type { ExportedComponent } from '../../../../src/guidance/interchange/exports/component/component.ts'
import { FORMATS } from '../../../../src/guidance/interchange/exports/formats.ts'
import { inspecProfile } from '../../../../src/guidance/interchange/exports/inspec/inspec-file.ts'
import type { Mode } from '../../../../src/tables/export-formats.ts'
import { readCkl, readCklb } from '../../../support/checklist-readers.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { writeXccdf } from '../../../support/write-xccdf.ts'
import { HARD, hasGpos, makeGpos, makeTeapot, read } from './teapot.ts'

const guidance = guidanceService()

const DATE = new Date('2026-01-05T10:00:00.000Z')

let stig: ExportedComponent
let gpos: ExportedComponent | null = null

beforeAll(async () => {
  const owner = await guidance().signUp('Owner', { admin: true })
  const projectId = await guidance().project(owner)
  const { id } = await makeTeapot(guidance(), owner, { projectId, name: 'Red <Pot> & 9' })
  stig = await read(guidance(), id)
  if (hasGpos) gpos = await read(guidance(), (await makeGpos(guidance(), owner, projectId)).id)
})

type Written = (exported: ExportedComponent, mode?: Mode) => string

const ckl: Written = (exported, mode = 'working_copy') =>
  [...cklPieces(componentChecklist(exported, { mode, date: DATE }))].join('')

const cklb: Written = (exported, mode = 'working_copy') =>
  [...cklbPieces(componentChecklist(exported, { mode, date: DATE }))].join('')

const CHECKLISTS = [
  ['CKL', (...written: Parameters<Written>) => readCkl(ckl(...written))],
  ['CKLB', (...written: Parameters<Written>) => readCklb(cklb(...written))],
] as const

const found = z.object({
  checklists: z.array(
    z.object({ stats: z.record(z.string(), z.unknown()), reviews: z.array(z.object({ ruleId: z.string() })) }),
  ),
})

describe('STIG Manager', () => {
  it.each(CHECKLISTS)('reads a %s', (_name, readIt) => {
    expect(readIt(stig)).toMatchObject({
      target: { name: 'Red <Pot> & 9', noncomputing: false },
      checklists: [
        {
          benchmarkId: 'Red_Pot_9',
          revisionStr: 'V1R2',
          stats: { notchecked: 3, pass: 1, fail: 1, notapplicable: 1 },
          reviews: [
            {
              ruleId: 'SV-TEAP-00-000001',
              result: 'notchecked',
              detail: null,
              comment: '=HYPERLINK("http://example.org")',
            },
            { ruleId: 'SV-TEAP-00-000002', result: 'pass', detail: 'A photograph.' },
            { ruleId: 'SV-TEAP-00-000003', result: 'fail', detail: 'No lid.' },
            { ruleId: 'SV-TEAP-00-000004', result: 'notapplicable', detail: 'There is no tea.' },
            { ruleId: 'SV-TEAP-00-000005', result: 'notchecked', detail: null },
            {
              ruleId: 'SV-TEAP-00-000006',
              result: 'notchecked',
              detail: null,
              comment: 'Satisfied by TEAP-00-000001.',
            },
          ],
        },
      ],
    })
  })

  it.each(CHECKLISTS)('finds the same rules in %s and XCCDF in their default modes', (name, readIt) => {
    const usual = (type: string): Mode => FORMATS.get(type)?.modes[0] ?? 'working_copy'
    const options = { version: '1.1', mode: usual('xccdf'), date: DATE } as const
    const { controls } = processXCCDF(writeXccdf(stig, options), false, 'rule')
    const [checklist] = found.parse(readIt(stig, usual(name.toLowerCase()))).checklists
    expect(checklist?.stats).toMatchObject({ notchecked: 1, pass: 0, fail: 0, notapplicable: 0 })
    expect(checklist?.reviews.map(({ ruleId }) => ruleId)).toEqual(controls.map(({ id }) => id))
  })

  it.skipIf(!hasGpos).each(CHECKLISTS)('reads a %s of the published GPOS SRG', (_name, readIt) => {
    if (gpos === null) throw new Error('There is no component')
    const count = gpos.rules.length
    expect(readIt(gpos)).toMatchObject({ checklists: [{ stats: { notchecked: count } }] })
  })
})

describe('A CKL', () => {
  it('has separate elements for each legacy id and each CCI', () => {
    const named = (name: string): readonly (string | undefined)[] =>
      [
        ...ckl(stig).matchAll(
          new RegExp(`<VULN_ATTRIBUTE>${name}</VULN_ATTRIBUTE><ATTRIBUTE_DATA>([^<]*)</ATTRIBUTE_DATA>`, 'g'),
        ),
      ].map(([, value]) => value)
    expect(named('LEGACY_ID')).toEqual(['V-1001', 'SV-1002'])
    expect(named('CCI_REF').slice(0, 2)).toEqual(['CCI-000015', 'CCI-000366'])
  })
})

describe('A CKLB', () => {
  it('is JSON with all texts and is identical each time', () => {
    const text = cklb(stig)
    expect(JSON.parse(text)).toMatchObject({
      stigs: [
        {
          stig_id: 'Red_Pot_9',
          version: 1,
          size: 6,
          release_info: 'Release: 2 Benchmark Date: 05 Jan 2026',
          rules: [
            {
              group_id: 'V-TEAP-00-000001',
              rule_version: 'TEAP-00-000001',
              fix_text: HARD,
              check_content: 'Check of the SRG 1',
              documentable: 'true',
              legacy_ids: ['V-1001', 'SV-1002'],
              ccis: ['CCI-000015', 'CCI-000366'],
              status: 'not_reviewed',
              potential_impacts: 'Tea may be spilt.',
            },
            { status: 'not_a_finding' },
            { status: 'open' },
            { status: 'not_applicable' },
            { status: 'not_reviewed' },
            { status: 'not_reviewed' },
          ],
        },
      ],
    })
    expect(cklb(stig)).toBe(text)
  })
})

describe("MITRE's inspec-objects", () => {
  it.each(['1.1', '1.2'] as const)('reads XCCDF %s', (version) => {
    const document = writeXccdf(stig, { version, mode: 'published_stig', date: DATE })
    const profile = processXCCDF(document, false, 'version')
    // It does not decode what stands for a character.
    expect(profile.title).toBe('Red &lt;Pot&gt; &amp; 9 Guide')
    expect(profile.controls).toHaveLength(1)
    expect(profile.controls[0]).toMatchObject({
      id: 'TEAP-00-000001',
      title: 'The lid must be shut & kept <shut>.',
      impact: 0.5,
      tags: {
        cci: ['CCI-000015', 'CCI-000366'],
        gtitle: 'SRG-TEA-000001-POT-000001',
        gid: `${version === '1.1' ? '' : 'xccdf_mil.disa.stig_group_'}V-TEAP-00-000001`,
        legacy: ['V-1001', 'SV-1002'],
      },
    })
  })

  it.skipIf(!hasGpos)('reads every rule of the published GPOS SRG', () => {
    if (gpos === null) throw new Error('There is no component')
    const options = { version: '1.1', mode: 'published_stig', date: DATE } as const
    const { controls } = processXCCDF(writeXccdf(gpos, options), false, 'version')
    expect(controls.map(({ id }) => id).sort()).toEqual(
      gpos.rules.map(({ number }) => `GPOS-00-${String(number).padStart(6, '0')}`).sort(),
    )
  })

  it("finds the author's code in a control of the profile", () => {
    const file = [...inspecProfile(stig, 'working_copy')].find(({ path }) => path === 'controls/TEAP-00-000001.rb')
    const control = new Control({ id: 'TEAP-00-000001', code: file?.text ?? '' })
    expect(getExistingDescribeFromControl(control)).toContain("describe file('/lid') do")
  })
})
