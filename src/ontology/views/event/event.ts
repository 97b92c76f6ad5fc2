import { CONTEXT, type JsonLdDocument, type JsonLdNode } from '../../../graph/json-ld.ts'
import { d3f, rdfs } from '../../../graph/vocabulary.ts'
import type { Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { findDescription } from '../statements.ts'
import { summaryProperty } from '../summary-property.ts'
import { byName, type DocumentView, type RecordView } from '../view.ts'
import { events, findParticipants } from './participants.ts'

export const eventList: DocumentView = {
  kind: 'document',
  path: '/api/event/all.json',
  operation: 'listEvents',
  summary: 'All digital events, each with the events above it',
  responseType: 'Events',
  format: JSON_FORMAT,
  answer: (release) => Promise.resolve(shapeEvents(release)),
}

export const event: RecordView = {
  kind: 'record',
  path: '/api/event/{event}.json',
  operation: 'getEvent',
  summary: 'A digital event, and the artifacts that take part in it',
  responseType: 'Event',
  parameter: { name: 'event', description: 'Name of a digital event', example: 'd3f:LogonEvent' },
  format: JSON_FORMAT,
  members: (release) => byName(release, listedEvents(release)),
  answer: async (release, iri) => ({
    event_to_da: findParticipants(release, iri),
    description: await findDescription(release, iri),
  }),
}

/** Empty if the release has no events: then the root is not a class either. */
function listedEvents(release: Release): readonly string[] {
  return [...events(release)].filter((iri) => release.classes.has(iri))
}

function shapeEvents(release: Release): JsonLdDocument {
  const listed = listedEvents(release)
  return { '@context': CONTEXT, '@graph': listed.map((iri) => embedRecord(release, iri, new Set())) }
}

/**
 * An event that contains the events above it, as JSON-LD 1.1 Framing (W3C) embeds them: each once in a tree, then only by
 * name. The root has only its label.
 */
function embedRecord(release: Release, iri: string, embedded: Set<string>): JsonLdNode {
  const { hierarchy, names } = release
  const family = events(release)
  const id = names.compact(iri)
  if (embedded.has(iri)) return { '@id': id }
  embedded.add(iri)
  const isRoot = iri === d3f.DigitalEvent
  const above = isRoot ? [] : hierarchy.parents(iri).filter((parent) => family.has(parent))
  const parents = above.map((parent) => embedRecord(release, parent, embedded))
  return {
    '@id': id,
    ...(!isRoot && summaryProperty(release, iri, d3f.definition)),
    ...summaryProperty(release, iri, rdfs.label),
    ...(parents.length > 0 && { 'rdfs:subClassOf': parents.length === 1 ? parents[0] : parents }),
  }
}
