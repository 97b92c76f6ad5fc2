import { describe, expect, it } from 'vitest'
import {
  catalogMappings,
  catalogMappingsCsv,
  catalogMappingsTsv,
} from '../../../../src/ontology/views/catalog/catalog.ts'
import type { RecordView } from '../../../../src/ontology/views/view.ts'
import { rowsOf, varsOf } from '../../../support/answers.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

const GUARDING = d3fIri('Guarding')

describe('The mappings of a catalog of controls', async () => {
  const release = await openFixture('families')
  const written = async (view: RecordView, catalog: string): Promise<string> =>
    [...view.format.write(await view.answer(release, d3fIri(catalog)))].join('')

  it('are named after the kind and version of the catalog, if it maps something', () => {
    expect([...catalogMappings.members(release)].sort()).toStrictEqual([
      ['cci.2022-04-05', d3fIri('CCIs')],
      ['nist.5', d3fIri('R5')],
    ])
  })

  it('have a row for each relation to a defensive technique', async () => {
    const answer = await catalogMappings.answer(release, d3fIri('CCIs'))
    expect(varsOf(answer)).toStrictEqual(['Catalog', 'Control', 'Relation', 'Defensive_Technique', 'Technique'])
    expect(rowsOf(answer)).toStrictEqual([
      {
        Catalog: { type: 'literal', value: 'CCI Catalog' },
        Control: { type: 'literal', value: 'CCI-000001' },
        Relation: { type: 'literal', value: 'narrower' },
        Defensive_Technique: { type: 'uri', value: GUARDING },
        Technique: { type: 'literal', value: 'Guarding' },
      },
    ])
  })

  it('are sorted CSV with plain values', async () => {
    expect(await written(catalogMappingsCsv, 'R5')).toBe(
      [
        'Catalog,Control,Relation,Defensive_Technique,Technique',
        `NIST R5,"AC-2 ""a""",broader,${d3fIri('Barring')},Barring`,
        `NIST R5,"AC-2 ""a""",broader,${GUARDING},Guarding`,
        `NIST R5,"AC-2 ""a""",narrower,${GUARDING},Guarding`,
        '',
      ].join('\r\n'),
    )
  })

  it('are TSV with terms as in Turtle', async () => {
    expect(await written(catalogMappingsTsv, 'R5')).toBe(
      [
        '?Catalog\t?Control\t?Relation\t?Defensive_Technique\t?Technique',
        `"NIST R5"\t"AC-2 \\"a\\""\t"broader"\t<${d3fIri('Barring')}>\t"Barring"`,
        `"NIST R5"\t"AC-2 \\"a\\""\t"broader"\t<${GUARDING}>\t"Guarding"`,
        `"NIST R5"\t"AC-2 \\"a\\""\t"narrower"\t<${GUARDING}>\t"Guarding"`,
        '',
      ].join('\n'),
    )
  })
})
