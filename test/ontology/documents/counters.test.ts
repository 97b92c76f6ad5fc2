import { beforeAll, describe, expect, it } from 'vitest'
import type { CounterPath } from '../../../src/contracts/sources.ts'
import { findCounters } from '../../../src/ontology/documents/counters.ts'
import { openTurtle, d3fIri } from '../../support/release.ts'

const CELLAR = `
  :enables rdfs:label "enables" . :guards rdfs:label "guards" . :opens rdfs:label "opens" .
  :Harden rdfs:label "Harden" . :Entry rdfs:label "Entry" .
  :Door rdfs:subClassOf :DigitalArtifact ; rdfs:label "Door" .
  :CellarDoor rdfs:subClassOf :Door ; rdfs:label "Cellar Door" .
  :Guarding rdfs:subClassOf :DefensiveTechnique ; rdfs:label "Guarding" ; :d3fend-id "D3-G" ;
    :enables :Harden ; :guards :Door .
  :NightGuarding rdfs:subClassOf :Guarding ; rdfs:label "Night Guarding" ; :d3fend-id "D3-NG" .
  :EntryTechnique rdfs:subClassOf :OffensiveTechnique ; rdfs:label "Entry Technique" ;
    :enables :Entry .
  :Picking rdfs:subClassOf :EntryTechnique ; rdfs:label "Picking" ; :attack-id "T1" ;
    :opens :CellarDoor .
  :Flaw rdfs:subClassOf :Weakness ; rdfs:label "Flaw" ; :cwe-id "CWE-1" .
  :Rust rdfs:subClassOf :Flaw ; rdfs:label "Rust" ; :cwe-id "CWE-2" ; :weakness-of :CellarDoor .`

const DOOR = { iri: d3fIri('Door'), label: 'Door' }
const BELOW = { iri: d3fIri('CellarDoor'), label: 'Cellar Door', is: 'below' }
const RUST = { iri: d3fIri('Rust'), label: 'Rust' }

async function countersOf(techniques: readonly string[], limit = Infinity): Promise<readonly CounterPath[]> {
  return findCounters(await openTurtle(CELLAR), techniques.map(d3fIri), limit)
}

describe('The attacks and weaknesses that a technique counters', () => {
  let counters: readonly CounterPath[] = []

  beforeAll(async () => {
    counters = await countersOf(['Guarding'])
  })

  const side = {
    technique: d3fIri('Guarding'),
    by: { iri: d3fIri('Guarding'), label: 'Guarding', is: 'itself' },
    relation: 'guards',
    artifact: DOOR,
    otherArtifact: BELOW,
  }

  it('include attacks on the artifacts that it touches and on their subclasses', () => {
    const picking = { iri: d3fIri('Picking'), label: 'Picking' }
    expect(counters.filter(({ other }) => other.kind === 'offensive-technique')).toStrictEqual([
      {
        ...side,
        otherRelation: 'opens',
        otherBy: { ...picking, is: 'itself' },
        other: { ...picking, kind: 'offensive-technique', id: 'T1' },
      },
    ])
  })

  it('include weaknesses of these artifacts, with those above and below them', () => {
    const otherRelation = 'weakness-of'
    expect(counters.filter(({ other }) => other.kind === 'weakness')).toStrictEqual([
      {
        ...side,
        otherRelation,
        otherBy: { ...RUST, is: 'below' },
        other: { iri: d3fIri('Flaw'), label: 'Flaw', kind: 'weakness', id: 'CWE-1' },
      },
      { ...side, otherRelation, otherBy: { ...RUST, is: 'itself' }, other: { ...RUST, kind: 'weakness', id: 'CWE-2' } },
    ])
  })

  it('include attacks countered by its superclasses', async () => {
    const inherited = await countersOf(['NightGuarding'])
    expect(inherited.map(({ by, other }) => [by.label, by.is, other.id])).toStrictEqual([['Guarding', 'above', 'T1']])
  })

  it('are sorted, unique and limited', async () => {
    const sorted = await countersOf(['NightGuarding', 'Guarding', 'Guarding'])
    expect(sorted.map(({ technique, other }) => [technique, other.id])).toStrictEqual([
      [d3fIri('Guarding'), 'CWE-1'],
      [d3fIri('Guarding'), 'T1'],
      [d3fIri('Guarding'), 'CWE-2'],
      // A second way to the same comes after the first ways to all.
      [d3fIri('NightGuarding'), 'T1'],
    ])
    expect(await countersOf(['NightGuarding', 'Guarding'], 3)).toStrictEqual(sorted.slice(0, 3))
  })

  it.each(['Door', 'Picking', 'Rust', 'Harden', 'Nothing'])(
    'are empty for a record that is not a technique: %s',
    async (name) => {
      expect(await countersOf([name])).toStrictEqual([])
    },
  )
})
