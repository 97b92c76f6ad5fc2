import { describe, expect, it } from 'vitest'
import { D3F } from '../../../../src/graph/vocabulary.ts'
import { ControlLinks } from '../../../../src/guidance/catalogue/linked-data/countermeasures/control-links.ts'
import { shapeLinked } from '../../../../src/guidance/catalogue/reference-data/linked-techniques.ts'
import { controlsOf } from '../linked-data/sample.ts'

describe('The techniques of a CCI', () => {
  it('have their names, their tactics and their relations', () => {
    const { ontology, techniques } = shapeLinked(new ControlLinks(controlsOf()), (links) => links.from('CCI-000044'))
    expect(ontology).toEqual({ version: '1.0.0', digest: 'a'.repeat(64) })
    expect(techniques).toEqual([
      {
        iri: `${D3F}AccountLocking`,
        id: 'd3f:AccountLocking',
        d3fend_id: 'D3-AL',
        label: 'Account Locking',
        tactics: [{ iri: `${D3F}Evict`, label: 'Evict' }],
        relations: ['exactly'],
      },
    ])
  })

  it('are none without a release of the ontology', () => {
    expect(shapeLinked(null, (links) => links.from('CCI-000044'))).toEqual({ ontology: null, techniques: [] })
  })
})
