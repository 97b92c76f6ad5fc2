import { describe, expect, it } from 'vitest'
import type { Defense } from '../../../src/contracts/sources.ts'
import { strengthOfDefense } from '../../../src/search/knowledge/links.ts'

type Relative = Defense['artifact']['is']

function strengthOf(artifact: Relative, attack: Relative, relation = 'accesses'): number {
  const named = { iri: 'urn:x', label: 'X' }
  const effect = { by: { ...named, is: attack }, relation, artifact: named }
  return strengthOfDefense({ artifact: { ...named, is: artifact }, attack: effect })
}

describe('The strength of a defense', () => {
  it('decreases with each class on the path and with a merely possible effect', () => {
    expect(strengthOf('itself', 'itself')).toBe(1)
    expect(strengthOf('itself', 'below')).toBeCloseTo(0.7)
    expect(strengthOf('above', 'below')).toBeCloseTo(0.49)
    expect(strengthOf('above', 'below', 'may-create')).toBeCloseTo(0.343)
    expect(strengthOfDefense({ artifact: { iri: 'urn:x', label: 'X', is: 'itself' }, attack: null })).toBe(1)
  })
})
