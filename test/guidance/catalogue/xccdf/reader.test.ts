import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBenchmarks } from '../../../../src/guidance/catalogue/xccdf/reader.ts'
import { Refusal } from '../../../../src/platform/errors.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { bytesOf, documentOf, groupOf, read, readRule, ruleContent, ruleOf } from './document.ts'

function refusalOfDocument(document: string): Promise<Refusal> {
  return refusalOf(() => read(document))
}

describe('A benchmark', () => {
  it('is read completely', () => {
    expect(read(documentOf({ extra: '<description>About  pots.\r\n</description>' }))).toEqual({
      benchmark: {
        xccdf: '1.1',
        kind: 'stig',
        benchmarkId: 'Tea_Pot_STIG',
        title: 'Tea Pot Security Technical Implementation Guide',
        version: 'V2R3',
        releaseDate: '2026-01-05',
        status: 'accepted',
        statusDate: '2026-01-02',
        description: 'About  pots.\n',
        language: 'en',
        publisher: 'DISA',
        source: 'TEA',
        rules: [
          {
            ruleId: 'SV-1_rule',
            groupId: 'V-1',
            groupTitle: 'SRG-APP-000001',
            version: 'TEAP-00-000001',
            title: 'The pot must be warm.',
            severity: 'high',
            weight: '10.0',
            status: null,
            discussion: {
              vuln_discussion: 'Cold pots.',
              false_positives: null,
              false_negatives: null,
              documentable: null,
              mitigations: null,
              rationale: null,
              severity_override_guidance: null,
              potential_impacts: null,
              third_party_tools: null,
              mitigation_control: null,
              responsibility: null,
              ia_controls: null,
            },
            checks: [{ system: 'C-1_chk', contentRefName: 'M', contentRefHref: 'a.xml', content: 'Touch the pot.' }],
            fixes: [{ fixref: 'F-1_fix', fixId: 'F-1_fix', text: 'Warm the pot.' }],
            idents: [{ system: 'http://cyber.mil/cci', value: 'CCI-000366' }],
            references: [],
          },
        ],
      },
      warnings: [],
    })
  })

  it('is read with any prefix and in XCCDF 1.2', () => {
    const document =
      '<x:Benchmark xmlns:x="http://checklists.nist.gov/xccdf/1.2" id="P_STIG">' +
      '<x:plain-text>Release: 1</x:plain-text><x:version>1</x:version>' +
      '<x:Rule id="r"><x:title> two\n words </x:title></x:Rule></x:Benchmark>'
    const { benchmark } = read(document)
    expect(benchmark).toMatchObject({ xccdf: '1.2', version: 'V1R1', title: 'P_STIG' })
    expect(benchmark.rules).toMatchObject([{ ruleId: 'r', groupId: null, title: 'two words' }])
  })

  it('shortens ids of DISA to those of XCCDF 1.1 and keeps ids of others', () => {
    const [disa, other] = ['xccdf_mil.disa.stig', 'xccdf_org.example']
    const rule = (id: string): string => ruleOf(ruleContent(), `id="${id}" severity="low"`)
    const body =
      groupOf(rule(`${disa}_rule_SV-1r2_rule`), `${disa}_group_V-1`) +
      groupOf(rule(`${other}_rule_a`), `${other}_group_G`) +
      // The ids have the prefix of a group on a rule, and a prefix without a name.
      groupOf(rule(`${disa}_group_V-3`), `${disa}_group_`)
    const long = { xccdf: '1.2', attributes: `id="${disa}_benchmark_Tea_Pot_STIG"`, body }
    const { benchmarkId, rules } = read(documentOf(long)).benchmark
    expect(benchmarkId).toBe('Tea_Pot_STIG')
    expect(rules.map(({ ruleId, groupId }) => [ruleId, groupId])).toEqual([
      ['SV-1r2_rule', 'V-1'],
      [`${other}_rule_a`, `${other}_group_G`],
      [`${disa}_group_V-3`, `${disa}_group_`],
    ])
  })

  it('keeps rules of nested groups in document order, each with its nearest group', () => {
    const rule = (id: string): string => ruleOf(ruleContent(), `id="${id}" severity="low"`)
    const body = `${rule('a')}<Group id="G"><Group id="H">${rule('b')}<title>Inner</title></Group>
      ${rule('c')}<title>Outer</title></Group><Unknown>${rule('d')}</Unknown>`
    const { rules } = read(documentOf({ body })).benchmark
    expect(rules.map(({ ruleId, groupId, groupTitle }) => [ruleId, groupId, groupTitle])).toEqual([
      ['a', null, null],
      ['b', 'H', 'Inner'],
      ['c', 'G', 'Outer'],
      ['d', null, null],
    ])
  })

  it.each([
    ['Benchmark id', documentOf({ attributes: 'id=" "' })],
    ['Rule id', documentOf({ body: groupOf(ruleOf('', 'severity="low"')) })],
    ['no Rule', documentOf({ body: '<Group id="V-1"><title>t</title></Group>' })],
  ])('requires ids and a rule: %s', async (words, document) => {
    const refusal = await refusalOfDocument(document)
    expect([refusal.code, refusal.message]).toEqual(['missing_field', expect.stringContaining(words)])
  })

  it('identifies a rule without id by its position', async () => {
    const { message } = await refusalOfDocument(documentOf({ body: `${groupOf()}\n${ruleOf('', '')}` }))
    expect(message).toContain('rule 2 (line 8)')
  })

  it('requires unique rule ids', async () => {
    const { code, message } = await refusalOfDocument(documentOf({ body: groupOf() + groupOf() }))
    expect([code, message]).toEqual(['duplicate_rule_id', expect.stringContaining('"SV-1_rule"')])
  })

  it.each([
    ['field_too_long', 'Rule id', `id="${'x'.repeat(256)}"`],
    ['field_too_long', 'Rule id', `id="${'x'.repeat(70_000)}"`],
    ['invalid_id', 'dots', 'id=".."'],
    ['invalid_id', 'control', 'id="a&#10;b"'],
    ['too_large', 'attributes', Array.from({ length: 300 }, (_, n) => `a${n}=""`).join(' ')],
  ])('refuses %s: %s', async (code, words, attributes) => {
    const refusal = await refusalOfDocument(documentOf({ body: ruleOf(ruleContent(), attributes) }))
    expect([refusal.code, refusal.message]).toEqual([code, expect.stringContaining(words)])
    expect(refusal.message.length).toBeLessThan(300)
  })

  it.each([
    ['Rule title', { title: `<title>${'t'.repeat(10_001)}</title>` }],
    ['Rule description', { description: `<description>${'t'.repeat(1_000_001)}</description>` }],
    ['Rule fixtext', { fixtext: `<fixtext>${'t'.repeat(1_000_001)}</fixtext>` }],
  ])('refuses a %s beyond the limit without quoting it', async (field, part) => {
    const document = documentOf({ body: ruleOf(ruleContent(part)) })
    const { code, message } = await refusalOfDocument(document)
    expect([code, message]).toEqual(['field_too_long', expect.stringContaining(`${field} is longer`)])
    expect(message.length).toBeLessThan(200)
  })

  it.each(['a b', '<&">', "it's", 'a/../b', 'ü', '%2e'])('keeps the unusual id %s', (id) => {
    const escaped = id.replace(/[<&"]/g, (character) => `&#${character.charCodeAt(0)};`)
    const { rule } = readRule(ruleContent(), `id="${escaped}" severity="low"`)
    expect(rule.ruleId).toBe(id)
  })

  it('ignores other elements of XCCDF and related formats', async () => {
    const xccdf = 'xmlns="http://checklists.nist.gov/xccdf/1.2"'
    const cases = [
      [documentOf({ extra: '<TestResult id="r"/>' }), 'TestResult'],
      [`<TestResult ${xccdf}/>`, 'scan results, not a benchmark'],
      [`<Tailoring ${xccdf}/>`, 'Tailoring'],
      ['<CHECKLIST/>', 'CKL checklist'],
      ['<Benchmark/>', 'no namespace'],
      ['<Benchmark xmlns="http://checklists.nist.gov/xccdf/1.0"/>', 'xccdf/1.0'],
      [`<Benchmarks ${xccdf}/>`, 'root element Benchmarks; expected Benchmark'],
      ['<data-stream-collection xmlns="http://scap.nist.gov/schema/scap/source/1.2"/>', 'hold no'],
    ]
    for (const [document = '', words] of cases) {
      const { code, message } = await refusalOfDocument(document)
      expect([code, message]).toEqual(['not_a_benchmark', expect.stringContaining(words ?? '')])
    }
  })

  it('may be one of several in an SCAP data stream', () => {
    const [first, second] = ['A_STIG', 'B_STIG'].map((id) => documentOf({ prolog: '', attributes: `id="${id}"` }))
    const collection =
      '<d:data-stream-collection xmlns:d="http://scap.nist.gov/schema/scap/source/1.2">' +
      `<d:component>${first}</d:component><d:component><oval/></d:component>` +
      `<d:component>${second}</d:component></d:data-stream-collection>`
    const ids = readBenchmarks(() => [bytesOf(collection)], {}).map(({ benchmark: { benchmarkId } }) => benchmarkId)
    expect(ids).toEqual(['A_STIG', 'B_STIG'])
  })

  it('uses the values of the request if the file has none', async () => {
    const document = documentOf({
      attributes: 'id="pots"',
      title: '<title>Pots</title>',
      reference: '',
      version: '',
      body: ruleOf('<title>t</title>', 'id="r"'),
    })
    const kind = await refusalOfDocument(document)
    expect([kind.code, kind.message]).toEqual(['unknown_benchmark_kind', expect.stringContaining('document_type')])
    const documentType = 'srg'
    for (const version of [undefined, '1.2', 'v1r2']) {
      const { code } = await refusalOf(() => read(document, { documentType, version }))
      expect(code).toBe('version_unknown')
    }
    const { benchmark } = read(document, { documentType, version: 'V1R0.5' })
    expect(benchmark).toMatchObject({ kind: 'srg', version: 'V1R0.5' })
  })

  it('uses its own kind and version instead of those of the sender, with a warning', () => {
    const { benchmark, warnings } = read(documentOf(), { documentType: 'srg', version: 'V9R9' })
    expect(benchmark).toMatchObject({ kind: 'stig', version: 'V2R3' })
    expect(warnings.map(({ code }) => code)).toEqual(['document_type_ignored', 'version_ignored'])
  })

  it('quotes five positions of an irregularity and counts all', () => {
    const rules = Array.from({ length: 7 }, (_, n) => ruleOf(ruleContent(), `id="r${n}"`)).join('')
    const { warnings } = read(documentOf({ body: rules }))
    expect(warnings.find(({ code }) => code === 'severity_missing')).toEqual({
      code: 'severity_missing',
      where: 'r0',
      message: '7 places (r0, r1, r2, r3, r4, …): there is no severity; "medium" is used.',
    })
  })
})

describe('Any input', () => {
  it('is refused if it is truncated', () => {
    const document = documentOf()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: document.length - 1 }), (length) => {
        expect(() => read(document.slice(0, length))).toThrow(Refusal)
      }),
    )
  })

  it('is either read or refused', () => {
    const document = bytesOf(documentOf())
    const position = fc.integer({ min: 0, max: document.length - 1 })
    const spoilt = fc.array(fc.tuple(position, fc.nat(255)), { minLength: 1, maxLength: 4 }).map((edits) => {
      const bytes = document.slice()
      for (const [index, byte] of edits) bytes[index] = byte
      return bytes
    })
    const anything = fc.oneof(fc.uint8Array({ maxLength: 200 }), spoilt)
    fc.assert(
      fc.property(anything, (bytes) => {
        try {
          readBenchmarks(() => [bytes], {})
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
        }
      }),
      { numRuns: 500 },
    )
  })
})
