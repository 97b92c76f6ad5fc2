import { describe, expect, it } from 'vitest'
import { weakness, weaknesses } from '../../../../src/ontology/views/weakness/weakness.ts'
import { idsOf, nodeOf, nodesOf, rowsOf, sectionOf, valuesOf, varsOf } from '../../../support/answers.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

describe('The weakness view', async () => {
  const release = await openFixture('weaknesses')
  const sectionFor = async (name: string, section: string): Promise<unknown> =>
    sectionOf(await weakness.answer(release, d3fIri(name)), section)

  it('answers for CWE identifiers', () => {
    expect([...weakness.members(release)]).toStrictEqual([
      ['CWE-9004', d3fIri('Boredom')],
      ['CWE-9001', d3fIri('Carelessness')],
      ['CWE-9002', d3fIri('Haste')],
      ['CWE-9003', d3fIri('Panic')],
    ])
  })

  it('describes the weakness, single values as scalars', async () => {
    expect(nodesOf(await sectionFor('Haste', 'description'))).toStrictEqual([
      {
        '@id': 'd3f:Haste',
        'd3f:cwe-id': 'CWE-9002',
        'd3f:weakness-of': [{ '@id': 'd3f:DigitalArtifact' }, { '@id': 'd3f:Memory' }],
        'rdfs:label': 'Haste',
        'rdfs:subClassOf': { '@id': 'd3f:Carelessness' },
      },
    ])
  })

  it('lists all columns of weak_to_def, even those that are never bound', async () => {
    const section = await sectionFor('Haste', 'weak_to_def')
    expect(varsOf(section).join(' ')).toBe(
      'def_tactic_label def_tactic_rel_label def_tech_parent_is_toplevel def_tech_parent_label ' +
        'def_tech_label def_artifact_rel_label def_artifact_label sc weak_artifact_label ' +
        'weak_artifact_rel_label weak_label weak_tactic_rel_label weak_tactic_label def_tactic ' +
        'def_tactic_rel def_tech def_artifact_rel def_artifact weak_artifact weak_artifact_rel ' +
        'weak weak_id',
    )
    expect(rowsOf(section)).not.toHaveLength(0)
    for (const row of rowsOf(section)) {
      expect(row).not.toHaveProperty('weak_tactic_label')
      expect(row).not.toHaveProperty('weak_tactic_rel_label')
    }
  })

  it('includes relations of weaknesses above it', async () => {
    const section = await sectionFor('Panic', 'weak_to_def')
    expect(valuesOf(section, 'weak_artifact')).toContain('Memory')
  })

  it('includes relations of weaknesses below it', async () => {
    const section = await sectionFor('Carelessness', 'weak_to_def')
    expect(valuesOf(section, 'weak_artifact')).toContain('Door')
  })

  it('ignores the root of the artifacts, and has no duplicate row', async () => {
    const section = await sectionFor('Haste', 'weak_to_def')
    expect(valuesOf(section, 'weak_artifact', 'def_tech', 'def_artifact')).toStrictEqual([
      'Door - -',
      'Memory - -',
      'Memory Guarding Store',
    ])
  })

  it('names the requested weakness, even for inherited relations', async () => {
    const section = await sectionFor('Haste', 'weak_to_def')
    const names = valuesOf(section, 'weak', 'weak_id', 'weak_label', 'sc')
    expect(new Set(names)).toStrictEqual(new Set(['Haste CWE-9002 Haste -<-']))
  })

  it('counts defenses without an identifier, and does not show identifiers', async () => {
    const section = await sectionFor('Haste', 'weak_to_def')
    const defended = rowsOf(section).filter((row) => 'def_tech' in row)
    expect(defended).toHaveLength(1)
    expect(varsOf(section)).not.toContain('def_tech_id')
  })

  it('has no rows for a weakness without artifacts', async () => {
    expect(rowsOf(await sectionFor('Boredom', 'weak_to_def'))).toStrictEqual([])
  })
})

describe('The list of weaknesses', () => {
  it('has all statements about each, always as arrays', async () => {
    const list = await weaknesses.answer(await openFixture('weaknesses'))
    expect(idsOf(list)).toStrictEqual(['d3f:Boredom', 'd3f:Carelessness', 'd3f:Haste', 'd3f:Panic'])
    expect(nodeOf(list, 'd3f:Panic')).toStrictEqual({
      '@id': 'd3f:Panic',
      'd3f:cwe-id': ['CWE-9003'],
      'd3f:weakness-of': [{ '@id': 'd3f:Door' }],
      'rdfs:label': ['Panic'],
      'rdfs:subClassOf': [{ '@id': 'd3f:Haste' }],
    })
  })
})
