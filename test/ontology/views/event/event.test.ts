import { describe, expect, it } from 'vitest'
import { artifact } from '../../../../src/ontology/views/artifact/artifact.ts'
import { event, eventList } from '../../../../src/ontology/views/event/event.ts'
import { nodesOf, sectionOf, valuesOf, varsOf } from '../../../support/answers.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

describe('The event view', async () => {
  const release = await openFixture('families')
  const participants = async (name: string): Promise<unknown> =>
    sectionOf(await event.answer(release, d3fIri(name)), 'event_to_da')

  it('answers for the digital events, the root included', () => {
    expect([...event.members(release).keys()]).toStrictEqual(
      ['Alarm', 'Burglary', 'DigitalEvent', 'ForcedOpening', 'Opening'].map((name) => `d3f:${name}`),
    )
  })

  it('lists the participants, those of events above, and all artifacts below them', async () => {
    const rows = await participants('Burglary')
    expect(varsOf(rows).join(' ')).toBe('event event_rel artifact event_label event_rel_label artifact_label')
    expect(valuesOf(rows, 'event_label', 'event_rel', 'event_rel_label', 'artifact', 'artifact_label')).toStrictEqual([
      'Burglary has-participant has-participant BackDoor Back Door',
      'Burglary has-participant has-participant Door Door',
      'Burglary has-participant has-participant Keyhole Keyhole',
    ])
  })

  it('leaves out participants of events beside it or below it', async () => {
    expect(valuesOf(await participants('Alarm'), 'artifact')).toStrictEqual([])
    expect(valuesOf(await participants('DigitalEvent'), 'artifact')).toStrictEqual([])
  })

  it('describes the event without its restrictions', async () => {
    expect(nodesOf(sectionOf(await event.answer(release, d3fIri('Opening')), 'description'))).toStrictEqual([
      {
        '@id': 'd3f:Opening',
        '@type': 'owl:Class',
        'd3f:definition': 'A door opens.',
        'rdfs:label': 'Opening',
        'rdfs:subClassOf': { '@id': 'd3f:DigitalEvent' },
      },
    ])
  })
})

describe('The list of events', async () => {
  const nodes = nodesOf(await eventList.answer(await openFixture('families')))

  it('has the events above inside each, and of the root only the label', () => {
    expect(nodes.find((node) => node['@id'] === 'd3f:ForcedOpening')).toStrictEqual({
      '@id': 'd3f:ForcedOpening',
      'rdfs:label': 'Forced Opening',
      'rdfs:subClassOf': {
        '@id': 'd3f:Opening',
        'd3f:definition': 'A door opens.',
        'rdfs:label': 'Opening',
        'rdfs:subClassOf': { '@id': 'd3f:DigitalEvent', 'rdfs:label': 'Digital Event' },
      },
    })
    expect(nodes.find((node) => node['@id'] === 'd3f:DigitalEvent')).toStrictEqual({
      '@id': 'd3f:DigitalEvent',
      'rdfs:label': 'Digital Event',
    })
  })

  it('shows an event that two parents share once, then its name', () => {
    expect(nodes.find((node) => node['@id'] === 'd3f:Burglary')).toMatchObject({
      'rdfs:subClassOf': [
        { '@id': 'd3f:Alarm', 'rdfs:subClassOf': { '@id': 'd3f:DigitalEvent', 'rdfs:label': 'Digital Event' } },
        { '@id': 'd3f:ForcedOpening', 'rdfs:subClassOf': { 'rdfs:subClassOf': { '@id': 'd3f:DigitalEvent' } } },
      ],
    })
    expect(JSON.stringify(nodes.find((node) => node['@id'] === 'd3f:Burglary')).match(/Digital Event/g)).toHaveLength(1)
  })

  it('is empty where the ontology has no events', async () => {
    expect(nodesOf(await eventList.answer(await openFixture('weaknesses')))).toStrictEqual([])
    expect(event.members(await openFixture('weaknesses')).size).toBe(0)
  })
})

describe('The events of an artifact', async () => {
  const release = await openFixture('families')
  const answer = async (name: string): Promise<unknown> => artifact.answer(release, d3fIri(name))

  it('are those that it or an artifact above it takes part in, with all events below', async () => {
    const rows = sectionOf(await answer('BackDoor'), 'da_to_events')
    expect(valuesOf(rows, 'event', 'event_rel', 'artifact', 'artifact_parent', 'artifact_parent_label')).toStrictEqual([
      'Burglary has-participant BackDoor Door Door',
      'ForcedOpening has-participant BackDoor Door Door',
      'Opening has-participant BackDoor Door Door',
    ])
  })

  it('come with the relations of the classes right above, as D3FEND shows them since it has events', async () => {
    expect(nodesOf(sectionOf(await answer('BackDoor'), 'neighbors'))).toStrictEqual([
      { '@id': 'd3f:BackDoor', 'rdfs:label': ['Back Door'], 'rdfs:subClassOf': [{ '@id': 'd3f:Door' }] },
      {
        '@id': 'd3f:Door',
        'd3f:opens': [{ '@id': 'd3f:Place' }],
        'd3f:outbound': [{ '@id': 'd3f:opens' }],
        'rdfs:label': ['Door'],
      },
      { '@id': 'd3f:Place', 'rdfs:label': ['Place'] },
    ])
    expect(nodesOf(sectionOf(await answer('Keyhole'), 'neighbors'))).toStrictEqual([])
  })

  it('are left out if the release states no participants', async () => {
    const before = await artifact.answer(await openFixture('weaknesses'), d3fIri('Door'))
    expect(before).not.toHaveProperty('da_to_events')
  })
})
