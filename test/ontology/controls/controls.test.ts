import { describe, expect, it } from 'vitest'
import { findControls } from '../../../src/ontology/controls/controls.ts'
import { d3fIri, openTurtle } from '../../support/release.ts'

const TECHNIQUES = `
  :enables rdfs:label "enables" . :Evict rdfs:subClassOf :DefensiveTactic ; rdfs:label "Evict" .
  :Locking rdfs:subClassOf :DefensiveTechnique ; rdfs:label "Locking" ; :d3fend-id "D3-L" ; :enables :Evict .
  :SlowLocking rdfs:subClassOf :Locking ; rdfs:label "Slow Locking" .
  :Unnamed rdfs:subClassOf :DefensiveTechnique .
  :Picking rdfs:subClassOf :OffensiveTechnique ; rdfs:label "Picking" .`

async function assertionsOf(turtle: string): Promise<readonly unknown[]> {
  const { assertions } = await findControls(await openTurtle(`${TECHNIQUES}\n${turtle}`))
  return assertions
}

describe('The controls of a release', () => {
  it('come with its version, its digest and all techniques but the root', async () => {
    const controls = await findControls(await openTurtle(TECHNIQUES))
    const tactics = [{ iri: d3fIri('Evict'), label: 'Evict' }]
    expect(controls).toStrictEqual({
      version: '1.2.3',
      digest: '0123456789abcdef'.repeat(4),
      releaseDate: '2026-01-31T00:00:00',
      techniques: [
        { iri: d3fIri('Locking'), label: 'Locking', d3fendId: 'D3-L', tactics },
        { iri: d3fIri('SlowLocking'), label: 'Slow Locking', d3fendId: null, tactics },
        { iri: d3fIri('Unnamed'), label: null, d3fendId: null, tactics: [] },
      ],
      assertions: [],
    })
  })

  it('have all statements about techniques, sorted', async () => {
    const assertions = await assertionsOf(`
      :N a :NISTControl ; rdfs:label "AC-2(1)" ; <urn:other:relation> :Locking .
      :C a :CCIControl, owl:NamedIndividual ; rdfs:label "CCI-000015" ;
        :narrower :SlowLocking ; :broader :SlowLocking, :Locking .`)
    const cci = { kind: d3fIri('CCIControl'), control: d3fIri('C'), label: 'CCI-000015' }
    expect(assertions).toStrictEqual([
      { ...cci, relation: d3fIri('broader'), technique: d3fIri('Locking') },
      { ...cci, relation: d3fIri('broader'), technique: d3fIri('SlowLocking') },
      { ...cci, relation: d3fIri('narrower'), technique: d3fIri('SlowLocking') },
      {
        kind: d3fIri('NISTControl'),
        control: d3fIri('N'),
        label: 'AC-2(1)',
        relation: 'urn:other:relation',
        technique: d3fIri('Locking'),
      },
    ])
  })

  it.each([
    ['of other things than techniques', ':C a :CCIControl ; rdfs:label "CCI-1" ; :broader :Picking .'],
    ['without a name', ':C a :CCIControl ; :broader :Locking .'],
    ['of another kind', ':C a :OtherControl ; rdfs:label "X" ; :broader :Locking .'],
    ['without an IRI', '[] a :CCIControl ; rdfs:label "CCI-1" ; :broader :Locking .'],
    ['of what they are', ':C a :CCIControl, :Locking ; rdfs:label "CCI-1" .'],
  ])('have no statements %s', async (_what, turtle) => {
    expect(await assertionsOf(turtle)).toStrictEqual([])
  })
})
