import { describe, expect, it } from 'vitest'
import type { Defense } from '../../../src/contracts/sources.ts'
import { findDefenses } from '../../../src/ontology/documents/defenses.ts'
import { d3fIri, openTurtle } from '../../support/release.ts'

const CELLAR = `
  :enables rdfs:label "enables" . :guards rdfs:label "guards" . :opens rdfs:label "opens" .
  :weakness-of rdfs:label "weakness-of" .
  :Harden rdfs:label "Harden" . :Entry rdfs:label "Entry" .
  :Door rdfs:subClassOf :DigitalArtifact ; rdfs:label "Door" .
  :CellarDoor rdfs:subClassOf :Door ; rdfs:label "Cellar Door" .
  :DefensiveTechnique rdfs:label "Defensive Technique" .
  :Guarding rdfs:subClassOf :DefensiveTechnique ; rdfs:label "Guarding" ; :d3fend-id "D3-G" ;
    :enables :Harden ; :guards :Door .
  :Draft rdfs:subClassOf :DefensiveTechnique ; rdfs:label "Draft" ;
    :enables :Harden ; :guards :Door .
  :EntryTechnique rdfs:subClassOf :OffensiveTechnique ; rdfs:label "Entry Technique" ;
    :enables :Entry ; :opens :Door .
  :Picking rdfs:subClassOf :EntryTechnique ; rdfs:label "Picking" ; :attack-id "T1" .
  :SlowPicking rdfs:subClassOf :Picking ; rdfs:label "Slow Picking" ; :attack-id "T1.1" ;
    :opens :CellarDoor .
  :Rust rdfs:subClassOf :Weakness ; rdfs:label "Rust" ; :cwe-id "CWE-2" ; :weakness-of :CellarDoor .`

async function defensesOf(...names: readonly string[]): Promise<readonly Defense[]> {
  return findDefenses(await openTurtle(CELLAR), names.map(d3fIri), Infinity)
}

const CELLAR_DOOR = { iri: d3fIri('CellarDoor'), label: 'Cellar Door' }
const GUARDED = {
  technique: d3fIri('Guarding'),
  relation: 'guards',
  artifact: { iri: d3fIri('Door'), label: 'Door', is: 'above' },
}

describe('Defenses', () => {
  it('against an offensive technique touch its artifact or one above it', async () => {
    const attackingTechnique = { iri: d3fIri('SlowPicking'), label: 'Slow Picking', is: 'itself' }
    expect(await defensesOf('SlowPicking')).toStrictEqual([
      {
        subject: d3fIri('SlowPicking'),
        ...GUARDED,
        attack: { by: attackingTechnique, relation: 'opens', artifact: CELLAR_DOOR },
      },
    ])
  })

  it('include those against techniques below it, not those against the class of its tactic', async () => {
    const defenses = await defensesOf('Picking')
    expect(defenses.map(({ attack }) => [attack?.by.label, attack?.by.is])).toStrictEqual([['Slow Picking', 'below']])
  })

  it('against a weakness touch its artifact', async () => {
    const attackingWeakness = { iri: d3fIri('Rust'), label: 'Rust', is: 'itself' }
    expect(await defensesOf('Rust')).toStrictEqual([
      {
        subject: d3fIri('Rust'),
        ...GUARDED,
        attack: { by: attackingWeakness, relation: 'weakness-of', artifact: CELLAR_DOOR },
      },
    ])
  })

  it('of an artifact touch it, a superclass or a subclass', async () => {
    const subject = d3fIri('CellarDoor')
    expect(await defensesOf('CellarDoor')).toStrictEqual([{ subject, ...GUARDED, attack: null }])
    const [defense] = await defensesOf('Door')
    expect(defense?.artifact.is).toBe('itself')
  })

  it('of several subjects are sorted by technique and subject, and limited', async () => {
    const defenses = await defensesOf('SlowPicking', 'Rust', 'Rust', 'Door')
    expect(defenses.map(({ subject }) => subject)).toStrictEqual(['Door', 'Rust', 'SlowPicking'].map(d3fIri))
    const release = await openTurtle(CELLAR)
    const subjects = defenses.map(({ subject }) => subject)
    expect(findDefenses(release, subjects, 2)).toStrictEqual(defenses.slice(0, 2))
  })

  it.each(['Guarding', 'Harden', 'Nothing', 'DefensiveTechnique'])('are empty for other subjects: %s', async (name) => {
    expect(await defensesOf(name)).toStrictEqual([])
  })
})
