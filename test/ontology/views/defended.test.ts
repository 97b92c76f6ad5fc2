import { describe, expect, it } from 'vitest'
import { defensesOf } from '../../../src/ontology/views/defended.ts'
import { d3fIri, openTurtle } from '../../support/release.ts'

describe('defensesOf', async () => {
  const release = await openTurtle(`
    :enables rdfs:label "enables" . :guards rdfs:label "guards" . :Detect rdfs:label "Detect" .
    :Thing rdfs:label "Thing" .
    :DigitalArtifact rdfs:subClassOf :Thing ; rdfs:label "Digital Artifact" .
    :Store rdfs:subClassOf :DigitalArtifact ; rdfs:label "Store" .
    :Memory rdfs:subClassOf :Store ; rdfs:label "Memory" .
    :Heap rdfs:subClassOf :Memory ; rdfs:label "Heap" .
    :DefensiveTechnique rdfs:label "Defensive Technique" .
    :Guarding rdfs:subClassOf :DefensiveTechnique ; rdfs:label "Guarding" ; :enables :Detect ;
      :guards :Thing , :DigitalArtifact , :Store , :Memory , :Heap .
  `)
  const defended = defensesOf(release, d3fIri('Memory')).map((row) => row.def_artifact.value)

  it('finds the defenses of an artifact and of those above it', () => {
    expect(defended).toContain(d3fIri('Memory'))
    expect(defended).toContain(d3fIri('Store'))
  })

  it('leaves out defenses of artifacts below it', () => {
    expect(defended).not.toContain(d3fIri('Heap'))
  })

  it('leaves out classes outside the tree of artifacts', () => {
    expect(defended).not.toContain(d3fIri('Thing'))
  })

  it('leaves out the root of the tree, which is not a digital artifact itself', () => {
    expect(defended).not.toContain(d3fIri('DigitalArtifact'))
  })
})
