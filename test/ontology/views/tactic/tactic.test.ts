import { describe, expect, it } from 'vitest'
import type { Release } from '../../../../src/ontology/release/release.ts'
import { tactic, tactics } from '../../../../src/ontology/views/tactic/tactic.ts'
import { idsOf, nodeOf, nodesOf, sectionOf } from '../../../support/answers.ts'
import { d3fIri, openFixture, openTurtle } from '../../../support/release.ts'

async function techniquesOf(release: Release, name: string): Promise<unknown> {
  return sectionOf(await tactic.answer(release, d3fIri(name)), 'techniques')
}

describe('The tactic view', async () => {
  const release = await openFixture('subtechniques')

  it('answers for the named classes below the root of tactics, not for the root', () => {
    expect([...tactic.members(release)]).toStrictEqual([
      ['d3f:Detect', d3fIri('Detect')],
      ['d3f:Harden', d3fIri('Harden')],
    ])
  })

  it('answers for tactics at any depth', async () => {
    const deep = await openTurtle(':Low rdfs:subClassOf :High . :High rdfs:subClassOf :DefensiveTactic .')
    expect([...tactic.members(deep).keys()]).toStrictEqual(['d3f:High', 'd3f:Low'])
  })

  it('describes the tactic without its restrictions', async () => {
    const group = sectionOf(await tactic.answer(release, d3fIri('Detect')), 'group')
    expect(nodesOf(group)).toStrictEqual([
      {
        '@id': 'd3f:Detect',
        '@type': 'owl:Class',
        'd3f:definition': 'To notice.',
        'rdfs:label': 'Detect',
        'rdfs:subClassOf': { '@id': 'd3f:DefensiveTactic' },
      },
    ])
  })

  it('has the top techniques that enable it, each with all below it in two levels', async () => {
    const section = await techniquesOf(release, 'Detect')
    expect(idsOf(section)).toStrictEqual([
      'd3f:DayWatching',
      'd3f:Guarding',
      'd3f:NoonWatching',
      'd3f:PairGuarding',
      'd3f:Watching',
    ])
    expect(nodeOf(section, 'd3f:NoonWatching')['rdfs:subClassOf']).toStrictEqual({ '@id': 'd3f:Watching' })
  })

  it('merges a technique that hangs below two of them', async () => {
    const pair = nodeOf(await techniquesOf(release, 'Detect'), 'd3f:PairGuarding')
    expect(pair['rdfs:subClassOf']).toStrictEqual([{ '@id': 'd3f:Guarding' }, { '@id': 'd3f:Watching' }])
  })

  it('leaves out a top technique below which nothing has an identifier', async () => {
    expect(idsOf(await techniquesOf(release, 'Detect'))).not.toContain('d3f:Dreaming')
  })

  it('has a technique that enables two tactics under both', async () => {
    expect(idsOf(await techniquesOf(release, 'Harden'))).toStrictEqual(['d3f:Guarding', 'd3f:PairGuarding'])
  })

  it('leaves out tactics that only a lower technique enables', async () => {
    const matrix = await openFixture('matrix')
    expect(nodesOf(await techniquesOf(matrix, 'Gamma'))).toStrictEqual([])
  })
})

describe('The list of tactics', () => {
  it('has all statements about each tactic, numbers by their lexical form', async () => {
    const list = await tactics.answer(await openFixture('matrix'))
    const integer = 'http://www.w3.org/2001/XMLSchema#integer'
    expect(idsOf(list)).toStrictEqual(['d3f:Alpha', 'd3f:Beta', 'd3f:Delta', 'd3f:Gamma'])
    expect(nodeOf(list, 'd3f:Alpha')).toStrictEqual({
      '@id': 'd3f:Alpha',
      'd3f:display-order': { '@type': integer, '@value': '10' },
      'd3f:display-priority': { '@type': integer, '@value': '0' },
      'rdfs:label': 'Alpha',
      'rdfs:subClassOf': { '@id': 'd3f:DefensiveTactic' },
    })
  })
})
