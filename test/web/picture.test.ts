import { describe, expect, it } from 'vitest'
import type { MetAttack } from '../../src/web/application/ontology/attacks.ts'
import { drawPicture, MAX_NODES } from '../../src/web/application/ontology/technique/picture.ts'

function attack(id: string, ...artifacts: readonly string[]): MetAttack {
  const touched = artifacts.map((label) => ({ name: `d3f:${label}`, label, relation: 'uses' }))
  return { id, label: `Attack ${id}`, parent: null, tactics: [], artifacts: touched }
}

describe('The picture of a technique', () => {
  it('joins it by artifacts to attacks, each next to its artifact', () => {
    const picture = drawPicture([
      attack('T3', 'File'),
      attack('T1', 'Account', 'File'),
      attack('T2', 'Account'),
      attack('T4', 'Account'),
    ])
    expect(picture.artifacts.map(({ name }) => name)).toEqual(['d3f:Account', 'd3f:File'])
    expect(picture.attacks.map(({ name }) => name)).toEqual(['T2', 'T4', 'T1', 'T3'])
    expect(picture.lines.map(({ from, to }) => `${from} ${to}`)).toEqual([
      ' d3f:Account',
      ' d3f:File',
      'd3f:Account T2',
      'd3f:Account T4',
      'd3f:Account T1',
      'd3f:File T1',
      'd3f:File T3',
    ])
    const bottoms = [...picture.artifacts, ...picture.attacks].map(({ y }) => y)
    expect(Math.max(...bottoms)).toBeLessThan(picture.height)
  })

  it('has a readable number of attacks for each artifact, and states the total', () => {
    const many = Array.from({ length: 200 }, (_, index) => attack(`T${index}`, `A${index % 40}`, 'Common'))
    const picture = drawPicture(many)
    expect(picture.artifacts).toHaveLength(MAX_NODES.artifacts)
    expect(picture.attacks).toHaveLength(MAX_NODES.attacks)
    expect(picture.all).toEqual({ artifacts: 41, attacks: 200 })
    const reached = new Set(picture.lines.map(({ from }) => from))
    expect(picture.artifacts.every(({ name }) => reached.has(name))).toBe(true)
  })

  it('is empty without attacks', () => {
    expect(drawPicture([])).toMatchObject({ artifacts: [], attacks: [], lines: [] })
  })
})
