import { describe, expect, it } from 'vitest'
import { domainsIn } from '../../../src/ontology/release/domains.ts'
import { attacks } from '../../../src/ontology/release/release.ts'
import { artifact } from '../../../src/ontology/views/artifact/artifact.ts'
import { attackTactics } from '../../../src/ontology/views/offensive-technique/attack-tactics.ts'
import {
  offensiveTechnique,
  offensiveTechniqueList,
} from '../../../src/ontology/views/offensive-technique/offensive-technique.ts'
import { attackPairs } from '../../../src/ontology/views/pairs/attack-pairs.ts'
import { technique } from '../../../src/ontology/views/technique/technique.ts'
import { nodesOf, rowsOf, sectionOf, valuesOf } from '../../support/answers.ts'
import { d3fIri, openFixture, openTurtle } from '../../support/release.ts'

describe('The domain of an attack', () => {
  it('is stated by the class above it, regardless of its identifier', async () => {
    const release = await openFixture('domains')
    const domains = domainsIn(release.hierarchy)
    const ids = attacks(release).map((iri) => [iri.replace(d3fIri(''), ''), domains.of(iri)])
    expect(Object.fromEntries(ids)).toStrictEqual({
      T9201: 'enterprise-attack',
      Scalding: 'enterprise-attack',
      T9404: 'mobile-attack',
      'T9404.001': 'mobile-attack',
      T0900: 'ics-attack',
      T0901: 'atlas',
      'DE-9001': 'sparta',
    })
  })

  it('of a tactic is that of the class above it', async () => {
    const { hierarchy } = await openFixture('domains')
    const tactics = ['TA0002', 'TA0041', 'TA0104', 'AML.TA0005', 'ST0004'].map(d3fIri)
    expect(tactics.map((iri) => domainsIn(hierarchy).of(iri))).toStrictEqual([
      'enterprise-attack',
      'mobile-attack',
      'ics-attack',
      'atlas',
      'sparta',
    ])
  })

  it('is enterprise in a release that states none', async () => {
    const { hierarchy } = await openTurtle(':T9201 rdfs:subClassOf :OffensiveTechnique ; :attack-id "T9201" .')
    expect(domainsIn(hierarchy).of(d3fIri('T9201'))).toBe('enterprise-attack')
    expect(domainsIn(hierarchy).of(d3fIri('Kettle'))).toBeNull()
  })

  it('is unknown for an attack without one in a release that states some', async () => {
    const { hierarchy } = await openTurtle(`:T1 rdfs:subClassOf :OffensiveTechnique .
      :T2 rdfs:subClassOf :ATLASTechnique .`)
    expect(domainsIn(hierarchy).of(d3fIri('T1'))).toBeNull()
  })
})

describe('Views of a release with attacks of several domains', () => {
  it('list attacks below d3f:OffensiveTechnique, like D3FEND', async () => {
    const nodes = nodesOf(await offensiveTechniqueList.answer(await openFixture('domains')))
    expect(nodes.map((node) => node['@id'])).toStrictEqual(['d3f:Scalding', 'd3f:T9201'])
  })

  it('answer for an attack of each domain, with the tactics of its domain alone', async () => {
    const release = await openFixture('domains')
    const members = offensiveTechnique.members(release)
    expect([...members.keys()]).toContain('DE-9001')
    const answer = await offensiveTechnique.answer(release, members.get('T9404') ?? '')
    const tactics = new Set(rowsOf(sectionOf(answer, 'off_to_def')).map((row) => row['off_tactic']?.value))
    expect(tactics).toStrictEqual(new Set([d3fIri('TA0041')]))
  })

  it('have a column for the framework in mappings', async () => {
    const release = await openFixture('domains')
    const mapped = rowsOf(sectionOf(await technique.answer(release, d3fIri('Lidding')), 'def_to_off'))
    const frameworks = mapped.map((row) => [row['off_tech_id']?.value, row['framework_root_iri']?.value])
    expect(frameworks).toContainEqual(['T0901', d3fIri('ATLASTechnique')])
    expect(frameworks).toContainEqual(['SCALD', d3fIri('ATTACKEnterpriseTechnique')])
    const touched = rowsOf(sectionOf(await artifact.answer(release, d3fIri('Kettle')), 'da_to_off'))
    expect(touched.map((row) => row['framework_root_iri']?.value)).toContain(d3fIri('ATTACKICSTechnique'))
  })

  it('have the tactics of each domain in the matrix, even with equal labels', async () => {
    const release = await openTurtle(`
      :R a owl:ObjectProperty ; rdfs:label "changes" . :enables rdfs:label "enables" .
      :Kettle rdfs:subClassOf :DigitalArtifact ; rdfs:label "Kettle" .
      :Harden rdfs:subClassOf :DefensiveTactic ; rdfs:label "Harden" .
      :Lidding rdfs:subClassOf :DefensiveTechnique ; rdfs:label "Lidding" ; :d3fend-id "D3-L" ;
        :enables :Harden ; :R :Kettle .
      :TA1 rdfs:label "Execution" . :TA2 rdfs:label "Execution" .
      :E rdfs:subClassOf :ATTACKEnterpriseTechnique ; rdfs:label "E" ; :enables :TA1 .
      :M rdfs:subClassOf :ATTACKMobileTechnique ; rdfs:label "M" ; :enables :TA2 .
      :T1 rdfs:subClassOf :E ; rdfs:label "Spilling" ; :attack-id "T1" ; :R :Kettle .
      :T2 rdfs:subClassOf :M ; rdfs:label "Spilling" ; :attack-id "T2" ; :R :Kettle .`)
    const answer = await technique.answer(release, d3fIri('Lidding'))
    expect(Object.keys(sectionOf(answer, 'related_offensive_matrix') ?? {})).toEqual(['Execution', 'Execution (TA2)'])
  })

  it('have the domain of each pair', async () => {
    const pairs = attackPairs(await openFixture('domains'))
    expect(valuesOf(pairs, 'off_tech_id', 'off_tech_domain')).toContain('DE-9001 sparta')
  })

  it('name the tactics of attacks of every domain', async () => {
    const nodes = nodesOf(await attackTactics.answer(await openFixture('domains')))
    const attack = nodes.find((node) => node['@id'] === 'd3f:T0900')
    expect(attack?.['d3f:enables']).toStrictEqual({ '@id': 'd3f:TA0104' })
  })
})
