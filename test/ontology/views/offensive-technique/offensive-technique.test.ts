import { describe, expect, it } from 'vitest'
import {
  offensiveTechnique,
  offensiveTechniqueList,
} from '../../../../src/ontology/views/offensive-technique/offensive-technique.ts'
import { nodesOf, rowsOf, sectionOf, valuesOf, varsOf } from '../../../support/answers.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

const SIDE = ['off_artifact_rel', 'off_artifact', 'off_tactic'] as const

async function answer(fixture: string, name: string): Promise<unknown> {
  return offensiveTechnique.answer(await openFixture(fixture), d3fIri(name))
}

async function offToDef(fixture: string, name: string): Promise<unknown> {
  return sectionOf(await answer(fixture, name), 'off_to_def')
}

describe('The offensive technique view', () => {
  it('answers for techniques with an ATT&CK identifier, under that', async () => {
    const release = await openFixture('off-to-def')
    expect([...offensiveTechnique.members(release)]).toStrictEqual([
      ['T9001', d3fIri('Dumping')],
      ['T9001.001', d3fIri('HeapDumping')],
      ['T9001.002', d3fIri('SlowDumping')],
      ['T9002', d3fIri('Waiting')],
    ])
  })

  it('has its sections in their fixed order', async () => {
    expect(Object.keys((await answer('off-to-def', 'Waiting')) ?? {})).toStrictEqual([
      'off_to_def',
      'description',
      'subtechniques',
    ])
  })

  it('describes the technique, single values as scalars', async () => {
    expect(nodesOf(sectionOf(await answer('off-to-def', 'Waiting'), 'description'))).toStrictEqual([
      {
        '@id': 'd3f:Waiting',
        'd3f:attack-id': 'T9002',
        'd3f:definition': 'Doing nothing.',
        'rdfs:label': 'Waiting',
        'rdfs:subClassOf': { '@id': 'd3f:ImpactTechnique' },
      },
    ])
  })

  it('has sub-techniques in two levels, always as arrays, the identifier doubled', async () => {
    const section = sectionOf(await answer('off-to-def', 'Dumping'), 'subtechniques')
    expect(nodesOf(section)).toStrictEqual([
      {
        '@id': 'd3f:Dumping',
        'd3f:d3f:attack-id': ['T9001'],
        'd3f:top-level': ['true'],
        'rdfs:hasSubClass': [{ '@id': 'd3f:HeapDumping' }, { '@id': 'd3f:SlowDumping' }],
        'rdfs:label': ['Dumping'],
      },
      {
        '@id': 'd3f:HeapDumping',
        'd3f:attack-id': ['T9001.001'],
        'rdfs:label': ['Heap Dumping'],
        'rdfs:subClassOf': [{ '@id': 'd3f:Dumping' }],
      },
      {
        '@id': 'd3f:SlowDumping',
        'd3f:attack-id': ['T9001.002'],
        'rdfs:label': ['Slow Dumping'],
        'rdfs:subClassOf': [{ '@id': 'd3f:Dumping' }],
      },
    ])
  })

  it('has an empty graph of sub-techniques for a technique without any', async () => {
    const section = sectionOf(await answer('off-to-def', 'SlowDumping'), 'subtechniques')
    expect(nodesOf(section)).toStrictEqual([])
  })
})

describe('off_to_def', () => {
  it('announces its columns in their fixed order', async () => {
    expect(varsOf(await offToDef('off-to-def', 'Dumping')).join(' ')).toBe(
      'def_tactic_label def_tactic_rel_label def_tech_parent_is_toplevel def_tech_parent_label ' +
        'def_tech_label def_tech_id def_artifact_rel_label def_artifact_label sc ' +
        'off_artifact_label off_artifact_rel_label off_tech_label off_tactic_rel_label ' +
        'off_tactic_label def_tactic def_tactic_rel def_tech def_artifact_rel def_artifact ' +
        'off_artifact off_artifact_rel off_tech off_tech_id off_tactic_rel off_tactic',
    )
  })

  it('combines its relations and those below it with every labelled offensive tactic', async () => {
    expect(valuesOf(await offToDef('off-to-def', 'Dumping'), ...SIDE)).toStrictEqual([
      'reads Heap Access',
      'reads Heap Impact',
      'reads Memory Access',
      'reads Memory Impact',
    ])
  })

  it('adds relations of a direct parent with the tactics above that parent', async () => {
    expect(valuesOf(await offToDef('off-to-def', 'HeapDumping'), ...SIDE)).toStrictEqual([
      'reads Heap Access',
      'reads Heap Impact',
      'reads Memory Access',
    ])
  })

  it('adds nothing from a grandparent or a tactic class', async () => {
    expect(valuesOf(await offToDef('off-to-def', 'SlowDumping'), ...SIDE)).toStrictEqual(['reads Heap Access'])
    expect(valuesOf(await offToDef('off-to-def', 'Dumping'), 'off_artifact')).not.toContain('Secret')
  })

  it('ignores the root of the artifacts and other classes', async () => {
    const touched = valuesOf(await offToDef('off-to-def', 'Dumping'), 'off_artifact')
    expect(new Set(touched)).toStrictEqual(new Set(['Heap', 'Memory']))
  })

  it('names the requested technique, even if a technique below it touches the artifact', async () => {
    const rows = await offToDef('off-to-def', 'Dumping')
    const named = valuesOf(rows, 'off_tech', 'off_tech_id', 'off_tech_label', 'sc')
    expect(new Set(named)).toStrictEqual(new Set(['Dumping T9001 Dumping -<-']))
  })

  it('is empty without relations', async () => {
    expect(rowsOf(await offToDef('off-to-def', 'Waiting'))).toStrictEqual([])
  })
})

describe('The defenses of off_to_def', async () => {
  const section = await offToDef('off-to-def-defended', 'Dumping')

  it('come after the bare row', () => {
    expect(Object.keys(rowsOf(section)[0] ?? {})).toStrictEqual([
      'sc',
      'off_artifact_label',
      'off_artifact_rel_label',
      'off_tech_label',
      'off_tactic_rel_label',
      'off_tactic_label',
      'off_artifact',
      'off_artifact_rel',
      'off_tech',
      'off_tech_id',
      'off_tactic_rel',
      'off_tactic',
    ])
  })

  it('defend the artifact or one above it, not below it or outside the tree, and no drafts', () => {
    expect(valuesOf(section, 'def_tech', 'def_artifact', 'off_artifact')).toStrictEqual([
      '- - Memory',
      'StoreGuarding Store Memory',
    ])
  })

  it('bind every column', () => {
    expect(Object.keys(rowsOf(section)[1] ?? {})).toStrictEqual(varsOf(section))
  })
})

describe('The list of offensive techniques', () => {
  it('has identifier, definition and label of each, and no type', async () => {
    const list = nodesOf(await offensiveTechniqueList.answer(await openFixture('off-to-def')))
    expect(list).toHaveLength(4)
    expect(list[3]).toStrictEqual({
      '@id': 'd3f:Waiting',
      'd3f:attack-id': 'T9002',
      'd3f:definition': 'Doing nothing.',
      'rdfs:label': 'Waiting',
    })
  })
})
