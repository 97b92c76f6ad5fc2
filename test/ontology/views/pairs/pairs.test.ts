import { describe, expect, it } from 'vitest'
import { PAIR_VIEWS } from '../../../../src/ontology/views/pairs/views.ts'
import { rowsOf, valuesOf, varsOf } from '../../../support/answers.ts'
import { openTurtle, withPrefixes } from '../../../support/release.ts'
import { PlainPairs } from './plain-pairs.ts'

const TURTLE = `
:enables rdfs:label "enables" . :watches rdfs:label "watches" . :guards rdfs:label "guards" .
:reads rdfs:label "reads" . :weakness-of rdfs:label "weakness of" . :narrower rdfs:label "narrower" .
:Detect rdfs:label "Detect" . :Access rdfs:label "Access" .
:DefensiveTechnique rdfs:label "Defensive Technique" .
:Paper rdfs:subClassOf :DigitalArtifact ; rdfs:label "Paper" .
:Diary rdfs:subClassOf :Paper ; rdfs:label "Diary" .
:Letter rdfs:subClassOf :Paper ; rdfs:label "Letter" .
:Watching rdfs:subClassOf :DefensiveTechnique ; rdfs:label "Watching, all day" ; :d3fend-id "D3-W" ;
  :enables :Detect ; :watches :Paper ; :guards :Diary .
:Reading rdfs:subClassOf :Watching ; rdfs:label "Reading" ; :d3fend-id "D3-R" ; :reads :Letter .
:AccessTechnique rdfs:subClassOf :OffensiveTechnique ; rdfs:label "Access Technique" ; :enables :Access .
:Stealing rdfs:subClassOf :AccessTechnique ; rdfs:label "Stealing" ; :attack-id "T9001" ;
  :reads :Diary , :Letter , :Paper .
:Burning rdfs:subClassOf :AccessTechnique ; rdfs:label "Burning" ; :attack-id "T9002" ; :reads :Letter .
:Carelessness rdfs:subClassOf :Weakness ; rdfs:label "Carelessness" ; :cwe-id "CWE-9001" ;
  :weakness-of :Diary .
:Haste rdfs:subClassOf :Carelessness ; rdfs:label "Haste" ; :cwe-id "CWE-9002" ; :weakness-of :Letter .
:C1 a :CCIControl ; rdfs:label "CCI-000001" ; :definition "Nobody reads along." ;
  :narrower :Watching ; :broader :Watching , :Reading .
:N1 a :NISTControl ; rdfs:label "AC-99" ; :control-name "Discretion" ; :narrower :Reading .
`

describe('Pairs', async () => {
  const release = await openTurtle(TURTLE)
  const plain = await PlainPairs.of(new TextEncoder().encode(withPrefixes(TURTLE)))
  const answerOf = async (name: string): Promise<unknown> =>
    PAIR_VIEWS.find(({ json }) => json.path.endsWith(`-${name}.json`))?.json.answer(release)

  it.each([
    ['attack', 'off_tech', plain.withAttacks()],
    ['weakness', 'weak', plain.withWeaknesses()],
    ['control', 'control', plain.withControls()],
  ])('with each %s are those of plain loops over the triples', async (name, other, expected) => {
    expect(expected.length).toBeGreaterThan(1)
    expect(valuesOf(await answerOf(name), 'def_tech', other)).toStrictEqual(expected)
  })

  it('name both records and count their paths', async () => {
    const [, , first] = rowsOf(await answerOf('attack'))
    const shown = Object.entries(first ?? {}).map(([column, { value }]) => [column, value])
    expect(Object.fromEntries(shown)).toMatchObject({
      def_tech_id: 'D3-W',
      def_tech_label: 'Watching, all day',
      off_tech_id: 'T9002',
      off_tech_label: 'Burning',
      ways: '1',
      def_artifact_rels: 'd3f:watches',
      def_artifacts: 'd3f:Paper',
      off_artifact_rels: 'd3f:reads',
      off_artifacts: 'd3f:Letter',
    })
    const answer = await answerOf('attack')
    expect(valuesOf(answer, 'def_tech_id', 'off_tech_id', 'ways')).toContain('D3-W T9001 4')
    expect(valuesOf(answer, 'off_tech_id', 'def_artifacts')).toContain('T9001 d3f:Diary d3f:Paper')
  })

  it('name controls as people do', async () => {
    const answer = await answerOf('control')
    const columns = ['control_id', 'control_kind', 'control_label', 'def_tech_id', 'control_rels']
    expect(valuesOf(answer, ...columns)).toStrictEqual([
      'AC-99 nist Discretion D3-R d3f:narrower',
      'CCI-000001 cci Nobody reads along. D3-R d3f:broader',
      'CCI-000001 cci Nobody reads along. D3-W d3f:broader d3f:narrower',
    ])
  })

  it.each(PAIR_VIEWS)('have the same rows in $csv.path', async ({ json, csv }) => {
    const answer = await json.answer(release)
    const text = [...csv.format.write(await csv.answer(release))].join('')
    const lines = text.split('\r\n')
    expect(lines[0]).toBe(varsOf(answer).join(','))
    expect(lines).toHaveLength(rowsOf(answer).length + 2)
  })
})
