import { describe, expect, it } from 'vitest'
import { OWL } from '../../../src/graph/vocabulary.ts'
import { joinRow, results, type PartialRow, type Results } from '../../../src/ontology/views/rows.ts'
import { valuesOf } from '../../support/answers.ts'
import { d3fIri, openFixture, openTurtle } from '../../support/release.ts'

/** Rows of an index as results, so that they can be looked at like any answer. */
function asResults(rows: readonly PartialRow[] = []): Results {
  return results(
    [],
    rows.map((row) => joinRow(Object.keys(row), row)),
  )
}

describe('Offensive rows', async () => {
  const { offensiveByArtifact } = await openFixture('offensive-rows')
  const rows = (artifact: string): Results => asResults(offensiveByArtifact.get(d3fIri(artifact)))

  it('have a technique below several tactic classes once per class, with its tactic only', () => {
    expect(valuesOf(rows('Memory'), 'off_tech_id', 'off_tech_parent', 'off_tactic')).toStrictEqual([
      'T9001 AccessTechnique Access',
      'T9001 StealthTechnique Stealth',
    ])
  })

  it('have a sub-technique once per tactic of its parent', () => {
    expect(valuesOf(rows('Heap'), 'off_tech_id', 'off_tech_parent', 'off_tactic')).toStrictEqual([
      'T9001.001 Dumping Access',
      'T9001.001 Dumping Stealth',
    ])
  })

  it('say whether the parent is a tactic class', () => {
    const column = 'off_tech_parent_is_toplevel'
    expect(valuesOf(rows('Memory'), column)).toStrictEqual(['true', 'true'])
    expect(valuesOf(rows('Heap'), column)).toStrictEqual(['false', 'false'])
  })

  it('name relation, tactic relation and labels', () => {
    const columns = ['off_artifact_rel', 'off_artifact_rel_label', 'off_tactic_rel'] as const
    expect(valuesOf(rows('Heap'), ...columns)[0]).toBe('reads reads enables')
    const labels = ['off_tech_label', 'off_artifact_label', 'off_tactic_label'] as const
    expect(valuesOf(rows('Heap'), ...labels)[0]).toBe('Heap Dumping Heap Access')
  })

  it('leave out techniques without an identifier', () => {
    const techniques = [...valuesOf(rows('Memory'), 'off_tech'), ...valuesOf(rows('Heap'), 'off_tech')]
    expect(new Set(techniques)).toStrictEqual(new Set(['Dumping', 'HeapDumping']))
  })

  it('leave out artifacts and relations without a label, and relations of other namespaces', () => {
    expect(offensiveByArtifact.has(d3fIri('Nameless'))).toBe(false)
    const relations = [...valuesOf(rows('Memory'), 'off_artifact_rel')]
    expect(new Set(relations)).toStrictEqual(new Set(['reads']))
    expect(new Set(valuesOf(rows('Heap'), 'off_artifact_rel'))).toStrictEqual(new Set(['reads']))
  })
})

describe('Defensive rows', async () => {
  const { defensiveByArtifact } = await openFixture('defensive-rows')
  const rows = asResults(defensiveByArtifact.get(d3fIri('Diary')))

  it('have a technique once per tactic of its own and of all above it', () => {
    expect(valuesOf(rows, 'def_tech', 'def_tactic')).toStrictEqual([
      'Lurking Detect',
      'Lurking Harden',
      'NightWatching Detect',
      'NightWatching Harden',
      'Watching Detect',
    ])
  })

  it('call a parent top only when it is right below the root and not the root', () => {
    const columns = ['def_tech', 'def_tech_parent_label', 'def_tech_parent_is_toplevel'] as const
    expect(new Set(valuesOf(rows, ...columns))).toStrictEqual(
      new Set(['Lurking Night Watching false', 'NightWatching Watching true', 'Watching Defensive Technique false']),
    )
  })

  it('have techniques without an identifier, unbound', () => {
    expect(new Set(valuesOf(rows, 'def_tech', 'def_tech_id'))).toStrictEqual(
      new Set(['Lurking D3-L', 'NightWatching -', 'Watching D3-W']),
    )
  })

  it('leave out relations without a label, and relations of other namespaces', () => {
    expect(new Set(valuesOf(rows, 'def_artifact_rel'))).toStrictEqual(new Set(['watches']))
  })

  it('are not limited to digital artifacts', () => {
    const wall = asResults(defensiveByArtifact.get(d3fIri('Wall')))
    expect(valuesOf(wall, 'def_tech', 'def_tactic')).toStrictEqual(['NightWatching Detect', 'NightWatching Harden'])
  })
})

describe('Catalogs', () => {
  it('of one name are the first by their IRI', async () => {
    const { catalogs } = await openTurtle(`
      :CatalogB a :ControlCorrelationIdentifierCatalog ; :version "1" .
      :CatalogA a :ControlCorrelationIdentifierCatalog ; :version "1" .
      :One :member-of :CatalogB ; :broader :Watching .
      :Two :member-of :CatalogA ; :broader :Watching .
      :Watching :d3fend-id "D3-W" .
    `)
    expect([...catalogs]).toStrictEqual([['cci.1', d3fIri('CatalogA')]])
  })
})

describe('Reference counts', () => {
  it('count asserted references of any kind', async () => {
    const { referenceCounts } = await openTurtle(`
      :Watching :kb-reference :One , "two" , [ a owl:Thing ] .
      :Idling rdfs:label "Idling" .
    `)
    expect(referenceCounts.get(d3fIri('Watching'))).toBe(3)
    expect(referenceCounts.has(d3fIri('Idling'))).toBe(false)
  })
})

describe('A release', () => {
  it('knows named subjects, named classes and the statements of each blank node', async () => {
    const release = await openTurtle(`
      :Lonely a owl:Class .
      :Diary rdfs:subClassOf :DigitalArtifact , [ a owl:Restriction ; owl:onProperty :reads ] .
    `)
    expect([...release.subjects]).toStrictEqual([d3fIri('Diary'), d3fIri('Lonely')])
    expect([...release.classes]).toStrictEqual([d3fIri('Diary'), d3fIri('DigitalArtifact'), d3fIri('Lonely')])
    const ends = [...release.blankStatements]
    const [, statements = []] = ends.find(([end]) => end.startsWith('bnode ')) ?? []
    const predicates = statements.map(({ predicate }) => predicate.value)
    expect(predicates).toHaveLength(3)
    expect(predicates).toContain(`${OWL}onProperty`)
  })

  it('reads the prefixes of its manifest', async () => {
    const release = await openTurtle(':A rdfs:label "A" .')
    expect(release.names.compact(d3fIri('A'))).toBe('d3f:A')
    expect(release.manifest.version).toBe('1.2.3')
  })
})
