import { expect, it } from 'vitest'
import { nearestNames } from '../../src/graph/nearest.ts'

it('Similar names come in the order of their differences, then of their letters, five at most', () => {
  const names = ['teapots', 'teapox', 'teapoz', 'teapoy', 'teapot', 'teapo', 'kettle', 'teapoa']
  const spellings = names.map((name) => ({ name, folded: name }))
  expect(nearestNames('teapot', spellings).map(({ name }) => name)).toEqual([
    'teapot',
    'teapo',
    'teapoa',
    'teapots',
    'teapox',
  ])
  expect(nearestNames('t'.repeat(101), [{ name: 'long', folded: 't'.repeat(101) }])).toEqual([])
})
