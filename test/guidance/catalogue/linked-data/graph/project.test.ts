import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuads, type PlainQuad } from '../../../../../src/graph/store.ts'
import { rdf } from '../../../../../src/graph/vocabulary.ts'
import { irisOf } from '../../../../../src/guidance/catalogue/linked-data/graph/iris.ts'
import { projector } from '../../../../../src/guidance/catalogue/linked-data/graph/project.ts'
import { dcterms, skos } from '../../../../../src/guidance/catalogue/linked-data/graph/terms.ts'
import type { Benchmark } from '../../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import { BASE, benchmarkOf, GUIDANCE, ruleOf } from '../sample.ts'

const iris = irisOf(BASE)
const HOSTILE = 'SV-1> <urn:p> <urn:o> . <urn:x'

function quadsOf(benchmark: Benchmark): readonly PlainQuad[] {
  return parseQuads(projector(benchmark, iris)(benchmark.rules))
}

/** Objects of a property, of one subject or of all. */
function objects(quads: readonly PlainQuad[], predicate: string, subject?: string): string[] {
  return quads
    .filter((quad) => quad.predicate.value === predicate)
    .filter((quad) => subject === undefined || quad.subject.value === subject)
    .map((quad) => quad.object.value)
}

describe('A benchmark as RDF', () => {
  const quads = quadsOf(benchmarkOf())
  const iri = `${BASE}/benchmarks/Test_STIG/V1R1`

  it('is one named graph with the IRI of the benchmark', () => {
    expect(new Set(quads.map((quad) => quad.graph.value))).toStrictEqual(new Set([iri]))
  })

  it('has the title and release date', () => {
    expect(objects(quads, rdf.type, iri)).toStrictEqual([
      `${GUIDANCE}Benchmark`,
      `${GUIDANCE}SecurityTechnicalImplementationGuide`,
    ])
    expect(objects(quads, dcterms.identifier, iri)).toStrictEqual(['Test_STIG'])
    expect(objects(quads, 'https://schema.org/version')).toStrictEqual(['V1R1'])
    const issued = quads.find((quad) => quad.predicate.value === dcterms.issued)
    expect(issued?.object).toMatchObject({
      value: '2026-01-31',
      datatype: { value: 'http://www.w3.org/2001/XMLSchema#date' },
    })
  })

  it('has each rule with its position and without its texts', () => {
    const rule = `${iri}/rules/SV-2_rule`
    const said = (name: string): string[] => objects(quads, GUIDANCE + name, rule)
    expect(said('position')).toStrictEqual(['2'])
    for (const text of ['discussion', 'check', 'fix']) expect(said(text)).toStrictEqual([])
    expect(said('severity')).toStrictEqual(['medium'])
    expect(said('stigId')).toStrictEqual(['TEST-00-000001'])
    expect(objects(quads, dcterms.isPartOf, rule)).toStrictEqual([iri])
  })

  it('links rules to CCIs and describes each CCI once', () => {
    const several = quadsOf(benchmarkOf({ rules: ['SV-1', 'SV-2', 'SV-3'].map((id) => ruleOf(id, ['CCI-000015'])) }))
    const cci = `${BASE}/ccis/CCI-000015`
    expect(objects(several, `${GUIDANCE}cci`)).toStrictEqual([cci, cci, cci])
    expect(objects(several, skos.notation, cci)).toStrictEqual(['CCI-000015'])
  })

  it('finds several CCIs in one ident and none in others', () => {
    const idents = [
      { system: 'http://iase.disa.mil/cci', value: 'CCI-000015, CCI-000016' },
      { system: 'http://cce.mitre.org', value: 'CCE-83450-1' },
      { system: 'http://cyber.mil/cci', value: 'CCI-15' },
      { system: 'http://cyber.mil/legacy', value: 'V-56571' },
    ]
    const mixed = quadsOf(benchmarkOf({ rules: [ruleOf('SV-1', [], { idents })] }))
    const links = objects(mixed, `${GUIDANCE}cci`)
    expect(links).toStrictEqual([`${BASE}/ccis/CCI-000015`, `${BASE}/ccis/CCI-000016`])
    expect(objects(mixed, `${GUIDANCE}legacyId`)).toStrictEqual(['V-56571'])
  })

  it('links rules of an SRG by states, and rules of a STIG by satisfies', () => {
    const requirement = `${BASE}/requirements/SRG-OS-000001-GPOS-00001`
    expect(new Set(objects(quads, `${GUIDANCE}satisfies`))).toStrictEqual(new Set([requirement]))
    const rules = [ruleOf('SV-1', [], { version: 'SRG-OS-000001-GPOS-00001', groupTitle: 'SRG-OS-000001' })]
    const guide = quadsOf(benchmarkOf({ kind: 'srg', rules }))
    expect(objects(guide, `${GUIDANCE}states`)).toStrictEqual([requirement])
    expect(objects(guide, `${GUIDANCE}satisfies`)).toStrictEqual([])
    expect(objects(guide, `${GUIDANCE}stigId`)).toStrictEqual([])
  })

  it.each([null, 'Another title', ''])('does not treat %j as a requirement', (groupTitle) => {
    const rules = [ruleOf('SV-1', [], { groupTitle })]
    expect(objects(quadsOf(benchmarkOf({ rules })), `${GUIDANCE}satisfies`)).toStrictEqual([])
  })

  it('omits values that are absent, blank or not a date', () => {
    const bare = { releaseDate: 'soon', description: '', publisher: null, rules: [] }
    const predicates = quadsOf(benchmarkOf(bare)).map((quad) => quad.predicate.value)
    expect(predicates).not.toContain(dcterms.issued)
    expect(predicates).not.toContain(dcterms.description)
  })

  it('is the same text for portions of any size', () => {
    const benchmark = benchmarkOf()
    const whole = projector(benchmark, iris)(benchmark.rules)
    const write = projector(structuredClone(benchmark), iris)
    const parts = benchmark.rules.map((rule) => write([rule]))
    expect(parts.join('')).toBe(whole)
  })
})

describe('A value from a file', () => {
  it('cannot break out of its IRI or literal', () => {
    const rule = ruleOf(HOSTILE, ['CCI-000015'], {
      groupTitle: `SRG-${HOSTILE}`,
      title: `" . <urn:s> <urn:p> "`,
      version: 'back\\slash\n\r\t\b\f\u0001\u007f"',
    })
    const hostile = benchmarkOf({ benchmarkId: 'a b/..%2e', version: HOSTILE, rules: [rule] })
    const quads = quadsOf(hostile)
    const values = quads.flatMap(({ subject, predicate, graph }) => [subject.value, predicate.value, graph.value])
    expect(values.filter((value) => value.startsWith('urn:'))).toStrictEqual([])
    expect(quads).toHaveLength(quadsOf(benchmarkOf({ rules: [ruleOf('SV-1', ['CCI-000015'])] })).length)
    expect(objects(quads, `${GUIDANCE}stigId`)).toStrictEqual([rule.version])
    expect(objects(quads, dcterms.title)).toContain(rule.title)
    expect(objects(quads, dcterms.identifier)).toContain(HOSTILE)
    expect(objects(quads, skos.notation)).toContain(`SRG-${HOSTILE}`)
  })

  it('is read back unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        const rules = [ruleOf(text, [], { title: text, groupId: text })]
        const quads = quadsOf(benchmarkOf({ benchmarkId: text, rules }))
        expect(objects(quads, `${GUIDANCE}groupId`)).toStrictEqual([text])
        expect(objects(quads, dcterms.identifier)).toStrictEqual([text, text])
      }),
    )
  })

  it('replaces half of a surrogate pair by U+FFFD and keeps similar texts', () => {
    const quads = quadsOf(benchmarkOf({ rules: [ruleOf('SV-1', [], { title: 'a\ud800b', groupId: 'C:\\ud800' })] }))
    expect(objects(quads, dcterms.title)).toContain('a\ufffdb')
    expect(objects(quads, `${GUIDANCE}groupId`)).toStrictEqual(['C:\\ud800'])
  })
})
