import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Hierarchy } from '../../../src/ontology/release/hierarchy.ts'

describe('Hierarchy', () => {
  //      root
  //     /    \
  //    b      a
  //     \    /
  //      leaf      alone → other
  const tree = new Hierarchy([
    ['leaf', 'b'],
    ['b', 'root'],
    ['leaf', 'a'],
    ['a', 'root'],
    ['alone', 'other'],
  ])

  it('lists every class with an edge, sorted', () => {
    expect(tree.classes()).toStrictEqual(['a', 'alone', 'b', 'leaf', 'other', 'root'])
  })

  it('knows direct parents and children, sorted', () => {
    expect(tree.parents('leaf')).toStrictEqual(['a', 'b'])
    expect(tree.children('root')).toStrictEqual(['a', 'b'])
    expect(tree.parents('root')).toStrictEqual([])
    expect(tree.children('leaf')).toStrictEqual([])
  })

  it('closes upwards and downwards, the class included, sorted', () => {
    expect([...tree.up('leaf')]).toStrictEqual(['a', 'b', 'leaf', 'root'])
    expect([...tree.down('root')]).toStrictEqual(['a', 'b', 'leaf', 'root'])
    expect([...tree.up('other')]).toStrictEqual(['other'])
  })

  it('closes over a class that it does not know as over a class alone', () => {
    expect([...tree.up('stranger')]).toStrictEqual(['stranger'])
    expect([...tree.down('stranger')]).toStrictEqual(['stranger'])
    expect(tree.below('stranger')).toStrictEqual([])
  })

  it('does not list a class among its own subclasses', () => {
    expect(tree.below('root')).toStrictEqual(['a', 'b', 'leaf'])
  })

  it('sorts by code units', () => {
    const mixed = new Hierarchy([
      ['b', 'top'],
      ['Z', 'top'],
      ['é', 'top'],
    ])
    expect(mixed.children('top')).toStrictEqual(['Z', 'b', 'é'])
    expect(mixed.below('top')).toStrictEqual(['Z', 'b', 'é'])
  })

  it('stops at cycles', () => {
    const ring = new Hierarchy([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['self', 'self'],
    ])
    expect([...ring.up('a')]).toStrictEqual(['a', 'b', 'c'])
    expect([...ring.down('a')]).toStrictEqual(['a', 'b', 'c'])
    expect(ring.below('a')).toStrictEqual(['b', 'c'])
    expect(ring.below('self')).toStrictEqual([])
  })

  it('has a class below another exactly when the other is above it', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name)), name, name, (edges, x, y) => {
        const random = new Hierarchy(edges)
        expect(random.up(x).has(y)).toBe(random.down(y).has(x))
        for (const parent of random.parents(x)) {
          expect([...random.up(x)]).toEqual(expect.arrayContaining([...random.up(parent)]))
        }
      }),
    )
  })
})
