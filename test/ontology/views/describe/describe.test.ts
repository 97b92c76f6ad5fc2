import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { OWL, rdf, RDFS, rdfs } from '../../../../src/graph/vocabulary.ts'
import { describe as describeView, inbound } from '../../../../src/ontology/views/describe/describe.ts'
import { rowsOf, varsOf } from '../../../support/answers.ts'
import { d3fIri, openFixture, openTurtle } from '../../../support/release.ts'

const nodes = z.array(z.record(z.string(), z.unknown()))

describe('describe', async () => {
  const release = await openFixture('describe')
  const door = nodes.parse(await describeView.answer(release, d3fIri('Door')))
  const named = door.filter((node) => !String(node['@id']).startsWith('_:'))
  const text = JSON.stringify(door)

  it('answers for any named subject and any named object', () => {
    const names = [...describeView.members(release).keys()]
    expect(names).toStrictEqual(expect.arrayContaining(['d3f:Door', 'd3f:DoorBell', 'd3f:Room']))
    expect(names).toStrictEqual(expect.arrayContaining(['d3f:FrontDoor', 'owl:Class', 'rdf:nil']))
  })

  it('answers for a named object that is the subject of no statement', async () => {
    const name = 'https://example.org/door.html'
    const small = await openTurtle(`:Door rdfs:seeAlso <${name}> ; rdfs:label "Door" .`)
    expect([...describeView.members(small).keys()]).toStrictEqual(['d3f:Door', name])
    const seeAlso = `${RDFS}seeAlso`
    expect(await describeView.answer(small, name)).toStrictEqual([
      { '@id': d3fIri('Door'), [seeAlso]: [{ '@id': name }] },
    ])
    expect(rowsOf(await inbound.answer(small, name))).toStrictEqual([
      {
        subject: { type: 'uri', value: d3fIri('Door') },
        predicate: { type: 'uri', value: seeAlso },
        object: { type: 'uri', value: name },
      },
    ])
  })

  it('leaves a time without a zone unchanged, and writes one with a zone as an instant', async () => {
    const small = await openTurtle(
      ':Door :seen "2020-08-05T00:00:00"^^xsd:dateTime ; :built "2020-08-05T02:00:00+02:00"^^xsd:dateTime .',
    )
    const text = JSON.stringify(await describeView.answer(small, d3fIri('Door')))
    expect(text).toContain('"@value":"2020-08-05T00:00:00"')
    expect(text).toContain('"@value":"2020-08-05T00:00:00.000Z"')
  })

  it('has all statements of the subject, expanded', () => {
    const node = door.find((candidate) => candidate['@id'] === d3fIri('Door'))
    expect(node?.['@type']).toStrictEqual([`${OWL}Class`])
    expect(node?.[rdfs.label]).toStrictEqual([{ '@value': 'Door' }])
    expect(node?.[rdfs.subClassOf]).toHaveLength(2)
  })

  it('has only the statements about the subject of other named nodes', () => {
    expect(named.map((node) => node['@id'])).toStrictEqual([d3fIri('Door'), d3fIri('DoorBell'), d3fIri('Room')])
    expect(named[2]).toStrictEqual({ '@id': d3fIri('Room'), [d3fIri('has')]: [{ '@id': d3fIri('Door') }] })
  })

  it('spells out restrictions of the subject', () => {
    const restriction = door.find((node) => {
      const fillers = JSON.stringify(node[`${OWL}someValuesFrom`] ?? '')
      return fillers.includes(d3fIri('Room'))
    })
    expect(restriction?.['@type']).toStrictEqual([`${OWL}Restriction`])
    expect(restriction?.[`${OWL}onProperty`]).toStrictEqual([{ '@id': d3fIri('leads-to') }])
  })

  it('walks back through a restriction that points at the subject', () => {
    expect(named[1]?.['@id']).toBe(d3fIri('DoorBell'))
    expect(Object.keys(named[1] ?? {})).toStrictEqual(['@id', d3fIri('monitors'), rdfs.subClassOf])
    expect(named[1]?.[rdfs.subClassOf]).toHaveLength(1)
  })

  it('follows lists to their end', () => {
    const rest = rdf.type.replace('type', 'rest')
    expect(text).toContain(JSON.stringify({ '@id': d3fIri('FrontDoor') }))
    expect(text).toContain(JSON.stringify({ '@id': d3fIri('BackDoor') }))
    expect(text).toContain(`"${rest}":[{"@id":"${rest.replace('rest', 'nil')}"}]`)
  })

  it('follows a blank subject and its blank nodes', () => {
    expect(text).toContain(`"${RDFS}label":[{"@value":"a remark on a remark"}]`)
  })

  it('stops at a named node', () => {
    expect(text).not.toContain('a chair')
    expect(text).not.toContain(d3fIri('Sensor'))
  })

  it('puts blank nodes first and sorts by identifier', () => {
    const ids = door.map((node) => String(node['@id']))
    expect(ids).toStrictEqual([...ids].sort())
    expect(ids[0]).toMatch(/^_:/)
  })
})

describe('inbound', async () => {
  const release = await openFixture('describe')
  const results = await inbound.answer(release, d3fIri('Door'))

  it('has every statement that points at the subject, blank subjects first', () => {
    expect(varsOf(results)).toStrictEqual(['subject', 'predicate', 'object'])
    const rows = rowsOf(results).map(({ subject, predicate }) => [
      subject?.type === 'bnode' ? '_:' : subject?.value,
      predicate?.value,
    ])
    const blank = rows.filter(([subject]) => subject === '_:').map(([, predicate]) => predicate)
    expect(blank.sort()).toStrictEqual([`${OWL}annotatedSource`, `${OWL}someValuesFrom`])
    expect(rows.slice(2)).toStrictEqual([
      [d3fIri('DoorBell'), d3fIri('monitors')],
      [d3fIri('Room'), d3fIri('has')],
    ])
  })

  it('has the requested subject in every row', () => {
    const objects = rowsOf(results).map((row) => row['object'])
    expect(new Set(objects.map((term) => JSON.stringify(term)))).toStrictEqual(
      new Set([JSON.stringify({ type: 'uri', value: d3fIri('Door') })]),
    )
  })

  it('is empty for a subject that nothing points at', async () => {
    const lonely = await openTurtle(':Lonely rdfs:label "Lonely" .')
    expect(rowsOf(await inbound.answer(lonely, d3fIri('Lonely')))).toStrictEqual([])
  })
})
