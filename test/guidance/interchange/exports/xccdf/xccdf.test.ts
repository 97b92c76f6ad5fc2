import { beforeAll, describe, expect, it } from 'vitest'
import type { Benchmark } from '../../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import { contentDigest } from '../../../../../src/guidance/catalogue/xccdf/digest.ts'
import { readBenchmarks } from '../../../../../src/guidance/catalogue/xccdf/reader.ts'
import type { ExportedComponent } from '../../../../../src/guidance/interchange/exports/component/component.ts'
import type { XccdfOptions } from '../../../../../src/guidance/interchange/exports/xccdf/xccdf.ts'
import { recordOf } from '../../../../../src/platform/records.ts'
import { DISCUSSION_TEXTS, ELEMENT_FIELDS, namesOf } from '../../../../../src/tables/field-lists.ts'
import { guidanceService } from '../../../../support/guidance.ts'
import { writeXccdf } from '../../../../support/write-xccdf.ts'
import { faultsOf, hasOscap } from '../oscap.ts'
import { HARD, hasGpos, makeGpos, makeTeapot, read } from '../teapot.ts'

const guidance = guidanceService()

const DATE = new Date('2026-01-05T10:00:00.000Z')
const STIG = { version: '1.1', mode: 'published_stig', date: DATE } as const
const SRG = { version: '1.1', mode: 'published_srg', date: DATE } as const
const VERSIONS = ['1.1', '1.2'] as const

let stig: ExportedComponent
let srg: ExportedComponent

beforeAll(async () => {
  const owner = await guidance().signUp('Owner', { admin: true })
  const projectId = await guidance().project(owner)
  const made = await makeTeapot(guidance(), owner, { projectId, name: '3 Pots & <Lids>' })
  stig = await read(guidance(), made.id)
  const requirements = await makeTeapot(guidance(), owner, { projectId, kind: 'srg' })
  srg = await read(guidance(), requirements.id)
})

function written(exported: ExportedComponent, options: XccdfOptions): Benchmark {
  const document = Buffer.from(writeXccdf(exported, options))
  const [found] = readBenchmarks(() => [new Uint8Array(document)], {})
  if (found === undefined) throw new Error('There is no benchmark')
  return found.benchmark
}

describe('XCCDF of a STIG component', () => {
  it('has the configurable rules that no other rule satisfies', () => {
    const { rules } = written(stig, STIG)
    expect(rules.map(({ ruleId }) => ruleId)).toEqual(['SV-TEAP-00-000001'])
  })

  it('has all rules as a working copy', () => {
    const { rules } = written(stig, { ...STIG, mode: 'working_copy' })
    expect(rules.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6].map((number) => `TEAP-00-00000${number}`))
    const reversed = { ...stig, rules: stig.rules.toReversed() }
    expect(written(reversed, { ...STIG, mode: 'working_copy' }).rules).toEqual(rules)
  })

  it('describes the component', () => {
    expect(written(stig, STIG)).toMatchObject({
      xccdf: '1.1',
      kind: 'stig',
      benchmarkId: '_3_Pots_Lids_',
      title: '3 Pots & <Lids> Guide',
      description: '3 Pots & <Lids> Guide',
      version: 'V1R2',
      releaseDate: '2026-01-05',
      status: 'draft',
      statusDate: '2026-01-05',
      language: 'en',
    })
  })

  it('keeps every text and separates CCIs', () => {
    const [rule] = written(stig, STIG).rules
    expect(rule).toEqual({
      ruleId: 'SV-TEAP-00-000001',
      groupId: 'V-TEAP-00-000001',
      groupTitle: 'SRG-TEA-000001-POT-000001',
      version: 'TEAP-00-000001',
      title: 'The lid must be shut & kept <shut>.',
      severity: 'medium',
      weight: '10.0',
      status: null,
      discussion: {
        vuln_discussion: `${HARD} </VulnDiscussion><Mitigations>none</Mitigations>\n\nSatisfies: SRG-TEA-000006-POT-000006`,
        false_positives: 'A false positive.',
        false_negatives: null,
        documentable: true,
        mitigations: 'A mitigation.',
        rationale: null,
        severity_override_guidance: 'Hot tea is worse.',
        potential_impacts: 'Tea may be spilt.',
        third_party_tools: 'A spoon',
        mitigation_control: null,
        responsibility: 'The host',
        ia_controls: 'ECSC-1',
      },
      checks: [{ system: 'N/A', contentRefName: null, contentRefHref: null, content: 'Check of the SRG 1' }],
      fixes: [{ fixref: 'F-TEAP-00-000001_fix', fixId: 'F-TEAP-00-000001_fix', text: HARD }],
      idents: [
        { system: 'http://cyber.mil/legacy', value: 'V-1001' },
        { system: 'http://cyber.mil/legacy', value: 'SV-1002' },
        { system: 'http://cyber.mil/cci', value: 'CCI-000015' },
        { system: 'http://cyber.mil/cci', value: 'CCI-000366' },
      ],
      references: [],
    })
  })

  it('marks characters that XML cannot contain and keeps line ends', () => {
    const [rule] = stig.rules
    if (rule === undefined) throw new Error('There is no rule')
    const odd = { ...rule, fixtext: 'a\u0001b\u{d800}c\r\nd\ufffee' }
    const [found] = written({ ...stig, rules: [odd] }, STIG).rules
    expect(found?.fixes[0]?.text).toBe('a\ufffdb\ufffdc\r\nd\ufffde')
  })

  it('names the system of each ident', () => {
    const [rule] = stig.rules
    if (rule === undefined) throw new Error('There is no rule')
    const idents = { ident: 'CCE-1, CCI-000001, X-1', ident_system: 'http://cce.example.org' }
    const [found] = written({ ...stig, rules: [{ ...rule, ...idents, legacy_ids: null }] }, STIG).rules
    expect(found?.idents).toEqual([
      { system: 'http://cce.example.org', value: 'CCE-1' },
      { system: 'http://cyber.mil/cci', value: 'CCI-000001' },
      { system: 'http://cce.example.org', value: 'X-1' },
    ])
  })

  it('replaces an invalid weight by the default and absent version numbers by 0', () => {
    const component = { ...stig.component, version: null, release: null }
    const rules = stig.rules.map((rule) => ({ ...rule, rule_weight: 'heavy' }))
    const found = written({ ...stig, component, rules }, STIG)
    expect([found.version, found.rules[0]?.weight]).toEqual(['V0R0', '10.0'])
  })
})

describe('XCCDF of an SRG component', () => {
  it('has the applicable requirements with their final ids', () => {
    const { kind, rules } = written(srg, SRG)
    expect(kind).toBe('srg')
    expect(rules.map(({ version, groupTitle }) => [version, groupTitle])).toEqual([
      ['SRG-TEA-000001-TEAP-000001', 'SRG-TEA-000001-POT-000001'],
      ['SRG-TEA-000003-POT-000003', 'SRG-TEA-000003-POT-000003'],
    ])
    expect(rules[0]?.checks[0]?.system).toBe('C-TEAP-00-000001_chk')
  })

  it('has nine profiles that select every group', () => {
    const document = writeXccdf(srg, SRG)
    const profiles = [...document.matchAll(/<Profile id="([^"]+)">(.*?)<\/Profile>/gs)]
    expect(profiles.map(([, id]) => id)).toEqual(
      ['MAC-1', 'MAC-2', 'MAC-3'].flatMap((category) =>
        ['Classified', 'Public', 'Sensitive'].map((level) => `${category}_${level}`),
      ),
    )
    for (const [, , content = ''] of profiles)
      expect([...content.matchAll(/<select idref="([^"]+)"/g)].map(([, id]) => id)).toEqual([
        'V-TEAP-00-000001',
        'V-TEAP-00-000003',
      ])
  })
})

describe('XCCDF 1.2', () => {
  it('has ids in the required form and is read as the same release', () => {
    const document = writeXccdf(stig, { ...STIG, version: '1.2' })
    const ids = [...document.matchAll(/<(?:Benchmark|Group|Rule)\b[^>]* id="([^"]+)"/g)]
    expect(ids.map(([, id]) => id)).toEqual([
      'xccdf_mil.disa.stig_benchmark__3_Pots_Lids_',
      'xccdf_mil.disa.stig_group_V-TEAP-00-000001',
      'xccdf_mil.disa.stig_rule_SV-TEAP-00-000001',
    ])
    for (const [exported, options] of [
      [stig, STIG],
      [srg, SRG],
    ] as const) {
      const later = written(exported, { ...options, version: '1.2' })
      const earlier = written(exported, options)
      expect(later).toEqual({ ...earlier, xccdf: '1.2' })
      expect(contentDigest(later)).toBe(contentDigest(earlier))
    }
  })
})

describe.skipIf(!hasOscap)('OpenSCAP', () => {
  it.each(VERSIONS)('finds XCCDF %s valid', async (version) => {
    expect(await faultsOf(writeXccdf(stig, { ...STIG, version }))).toBe('')
    expect(await faultsOf(writeXccdf(stig, { ...STIG, version, mode: 'working_copy' }))).toBe('')
    expect(await faultsOf(writeXccdf(srg, { ...SRG, version }))).toBe('')
    expect(await faultsOf(writeXccdf({ ...srg, rules: [] }, { ...SRG, version }))).toBe('')
  })

  it.each(VERSIONS)('finds XCCDF %s valid with a text in each field', async (version) => {
    const texts = recordOf(DISCUSSION_TEXTS, (name) => `Text of ${name}.`)
    const full = { ...stig, rules: stig.rules.map((rule) => ({ ...rule, ...texts })) }
    const document = writeXccdf(full, { ...STIG, version, mode: 'working_copy' })
    for (const name of namesOf(ELEMENT_FIELDS)) expect(document).toContain(`>Text of ${name}.<`)
    expect(await faultsOf(document)).toBe('')
  })

  it.each(VERSIONS)('has a valid id for any name in version %s', async (version) => {
    for (const name of ['µ ª ʰ ⁿ', '\u0301Тест-9 ꙁ', '½ K 試験 ﬁ', '​·-9', '𝔘ⅷ№'])
      expect([
        name,
        await faultsOf(writeXccdf({ ...stig, component: { ...stig.component, name } }, { ...STIG, version })),
      ]).toEqual([name, ''])
  })

  it('is reported as invalid if it has a fault', async () => {
    const document = writeXccdf(stig, STIG).replace('severity="medium"', 'severity="hot"')
    expect(await faultsOf(document)).toContain('severity')
  })
})

describe.skipIf(!hasGpos)('XCCDF of a component from the published GPOS SRG', () => {
  let gpos: ExportedComponent

  beforeAll(async () => {
    const owner = await guidance().signUp('Gpos', { admin: true })
    const projectId = await guidance().project(owner)
    gpos = await read(guidance(), (await makeGpos(guidance(), owner, projectId)).id)
  })

  it('has every requirement', () => {
    const { rules } = written(gpos, STIG)
    expect(rules).toHaveLength(gpos.rules.length)
    const byName = new Map(rules.map((rule) => [rule.groupTitle, rule]))
    for (const { version, title, fixtext, source } of gpos.rules)
      expect(byName.get(version)).toMatchObject({
        title,
        fixes: [{ text: fixtext }],
        checks: [{ content: source?.check }],
      })
  })

  it.skipIf(!hasOscap).each(VERSIONS)('is valid XCCDF %s', async (version) => {
    expect(await faultsOf(writeXccdf(gpos, { ...STIG, version }))).toBe('')
  })
})
