import { describe, expect, it } from 'vitest'
import { d3f } from '../../../src/graph/vocabulary.ts'
import { byIdentifier, byName } from '../../../src/ontology/views/view.ts'
import { d3fIri, openTurtle } from '../../support/release.ts'

describe('byName', () => {
  it('lists IRIs under their prefixed names, or whole where no prefix fits', async () => {
    const release = await openTurtle(':A rdfs:label "A" .')
    expect([...byName(release, [d3fIri('A'), 'http://example.org/b'])]).toStrictEqual([
      ['d3f:A', d3fIri('A')],
      ['http://example.org/b', 'http://example.org/b'],
    ])
  })
})

describe('byIdentifier', async () => {
  const release = await openTurtle(`
    :A :attack-id "T1" . :B :attack-id "T1" , "T2" . :C :cwe-id "T3" .
  `)
  const iris = ['A', 'B', 'C'].map(d3fIri)

  it('lists IRIs under every identifier that they have', () => {
    expect(byIdentifier(release, iris, d3f.attackId).get('T2')).toBe(d3fIri('B'))
  })

  it('gives an identifier that two share to the first', () => {
    expect(byIdentifier(release, iris, d3f.attackId).get('T1')).toBe(d3fIri('A'))
    expect(byIdentifier(release, iris.toReversed(), d3f.attackId).get('T1')).toBe(d3fIri('B'))
  })

  it('leaves out those without one', () => {
    expect(byIdentifier(release, iris, d3f.attackId).size).toBe(2)
  })
})
