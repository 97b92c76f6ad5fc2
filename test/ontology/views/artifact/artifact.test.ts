import { describe, expect, it } from 'vitest'
import { artifact, artifactList } from '../../../../src/ontology/views/artifact/artifact.ts'
import { idsOf, nodeOf, nodesOf, rowsOf, sectionOf, valuesOf, varsOf } from '../../../support/answers.ts'
import { d3fIri, openFixture, openTurtle } from '../../../support/release.ts'

describe('The artifact view', async () => {
  const release = await openFixture('surroundings')
  const door = await artifact.answer(release, d3fIri('Door'))

  it('answers for any class, artifact or not', () => {
    const names = [...artifact.members(release).keys()]
    expect(names).toContain('d3f:Door')
    expect(names).toContain('d3f:Nameless')
    expect(names).toContain('d3f:CatBell')
    expect(names).not.toContain('d3f:Dog')
  })

  it('has its sections in their fixed order', () => {
    expect(Object.keys(door ?? {})).toStrictEqual([
      'da_to_off',
      'da_to_def',
      'neighbors',
      'da_to_weak',
      'sensors',
      'artifactld',
      'da_graph',
      'description',
    ])
  })

  it('describes the artifact twice, with a bare node for each object except types', () => {
    const description = sectionOf(door, 'description')
    expect(sectionOf(door, 'artifactld')).toStrictEqual(description)
    expect(nodesOf(description)).toStrictEqual([
      { '@id': 'd3f:DigitalArtifact' },
      {
        '@id': 'd3f:Door',
        '@type': 'owl:Class',
        'd3f:leads-to': [
          { '@id': 'd3f:DigitalArtifact' },
          { '@id': 'd3f:Nameless' },
          { '@id': 'd3f:Person' },
          { '@id': 'd3f:Room' },
        ],
        'skos:altLabel': 'Gate',
        'rdfs:label': 'Door',
        'rdfs:seeAlso': { '@id': 'd3f:Room' },
        'rdfs:subClassOf': { '@id': 'd3f:DigitalArtifact' },
      },
      { '@id': 'd3f:Nameless' },
      { '@id': 'd3f:Person' },
      { '@id': 'd3f:Room' },
    ])
  })
})

describe('da_to_off', async () => {
  const release = await openFixture('artifact-mappings')
  const sectionFor = async (name: string): Promise<unknown> =>
    sectionOf(await artifact.answer(release, d3fIri(name)), 'da_to_off')

  it('announces its columns in their fixed order', async () => {
    expect(varsOf(await sectionFor('Store')).join(' ')).toBe(
      'off_artifact_label off_artifact_rel_label off_tech_label off_tech_id ' +
        'off_tactic_rel_label off_tactic_label off_artifact off_artifact_rel off_tech ' +
        'off_tactic_rel off_tactic',
    )
  })

  it('has the attacks on the artifact and on all below it, not above', async () => {
    expect(valuesOf(await sectionFor('Store'), 'off_artifact', 'off_tech_id')).toStrictEqual([
      'Memory T9001',
      'Store T9001',
    ])
    expect(rowsOf(await sectionFor('Door'))).toStrictEqual([])
  })

  it('counts attacks on the root and outside the tree', async () => {
    expect(valuesOf(await sectionFor('Object'), 'off_artifact')).toStrictEqual([
      'DigitalArtifact',
      'Memory',
      'Object',
      'Store',
    ])
  })

  it('is ordered by the label of the artifact', async () => {
    const labels = rowsOf(await sectionFor('Object')).map((row) => row['off_artifact_label']?.value)
    expect(labels).toStrictEqual(['Any Object', 'Digital Artifact', 'Memory', 'Store'])
  })

  it('repeats no row where only the parent of the attack differs', async () => {
    const attacked = await openTurtle(`
      :enables rdfs:label "enables" . :reads rdfs:label "reads" . :Access rdfs:label "Access" .
      :Diary rdfs:subClassOf :DigitalArtifact ; rdfs:label "Diary" .
      :Near rdfs:subClassOf :OffensiveTechnique ; rdfs:label "Near" ; :enables :Access .
      :Far rdfs:subClassOf :OffensiveTechnique ; rdfs:label "Far" ; :enables :Access .
      :Reading rdfs:subClassOf :Near , :Far ; rdfs:label "Reading" ; :attack-id "T9001" ;
        :reads :Diary .
    `)
    expect(attacked.offensiveByArtifact.get(d3fIri('Diary'))).toHaveLength(2)
    const answer = await artifact.answer(attacked, d3fIri('Diary'))
    expect(rowsOf(sectionOf(answer, 'da_to_off'))).toHaveLength(1)
  })
})

describe('da_to_def', async () => {
  const release = await openFixture('artifact-mappings')
  const sectionFor = async (name: string): Promise<unknown> =>
    sectionOf(await artifact.answer(release, d3fIri(name)), 'da_to_def')

  it('announces its columns in their fixed order', async () => {
    expect(varsOf(await sectionFor('Store')).join(' ')).toBe(
      'def_tactic_label def_tactic_rel_label def_tech_parent_is_toplevel def_tech_parent_label ' +
        'def_tech_label def_artifact_rel_label def_artifact_label def_tactic def_tactic_rel ' +
        'def_tech def_artifact_rel def_artifact',
    )
  })

  it('has the defenses of the artifact, of those above and of those below it', async () => {
    expect(valuesOf(await sectionFor('Store'), 'def_tech', 'def_artifact')).toStrictEqual([
      'Guarding Memory',
      'Guarding Object',
      'Guarding Store',
    ])
  })

  it('leaves out the defenses of siblings', async () => {
    expect(valuesOf(await sectionFor('Door'), 'def_artifact')).toStrictEqual(['Door', 'Object'])
  })

  it('is ordered by the label of the artifact and binds every column', async () => {
    const section = await sectionFor('Object')
    const labels = rowsOf(section).map((row) => row['def_artifact_label']?.value)
    expect(labels).toStrictEqual(['Any Object', 'Door', 'Memory', 'Store'])
    for (const row of rowsOf(section)) expect(Object.keys(row)).toStrictEqual(varsOf(section))
  })
})

describe('The list of artifacts', () => {
  it('has labelled artifacts, the root too, with labelled direct subclasses only', async () => {
    const list = await artifactList.answer(await openFixture('surroundings'))
    expect(idsOf(list)).toStrictEqual(['d3f:BackDoor', 'd3f:DigitalArtifact', 'd3f:Door', 'd3f:Room'])
    expect(nodeOf(list, 'd3f:DigitalArtifact')).toStrictEqual({
      '@id': 'd3f:DigitalArtifact',
      'rdfs:hasSubClass': [{ '@id': 'd3f:Door' }, { '@id': 'd3f:Room' }],
      'rdfs:label': ['Digital Artifact'],
    })
    expect(nodeOf(list, 'd3f:Door')).toStrictEqual({
      '@id': 'd3f:Door',
      'rdfs:hasSubClass': [{ '@id': 'd3f:BackDoor' }],
      'rdfs:label': ['Door'],
      'skos:altLabel': ['Gate'],
    })
  })
})
