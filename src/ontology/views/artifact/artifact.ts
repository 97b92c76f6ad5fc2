import { jsonLdDocument, type JsonLdDocument } from '../../../graph/json-ld.ts'
import type { Statement } from '../../../graph/term.ts'
import { rdf, rdfs, skos } from '../../../graph/vocabulary.ts'
import { artifacts, type Release } from '../../release/release.ts'
import { findEvents, hasParticipants } from '../event/participants.ts'
import { JSON_FORMAT } from '../json.ts'
import { findStatements, statement, summaryStatements } from '../statements.ts'
import { byName, type DocumentView, type RecordView } from '../view.ts'
import { findClassGraph } from './class-graph.ts'
import { findDefenses, findOffenses } from './mappings.ts'
import { findNeighbors, findSensors, findWeaknesses } from './neighbors.ts'

export const artifactList: DocumentView = {
  kind: 'document',
  path: '/api/dao/artifacts.json',
  operation: 'listArtifacts',
  summary: 'All digital artifacts with their direct subclasses',
  responseType: 'ArtifactsGraph',
  format: JSON_FORMAT,
  answer: (release) => {
    const labelled = [...artifacts(release)].filter((iri) => isLabelled(release, iri))
    const statements = labelled.flatMap((iri) => [
      ...summaryStatements(release, iri, [rdfs.label, skos.altLabel]),
      ...release.hierarchy
        .children(iri)
        .filter((child) => isLabelled(release, child))
        .map((child) => statement(iri, rdfs.hasSubClass, child)),
    ])
    return Promise.resolve(jsonLdDocument(statements, { values: 'arrays' }))
  },
}

/** Answers for any class, because other records also link to classes outside the artifact tree. */
export const artifact: RecordView = {
  kind: 'record',
  path: '/api/dao/artifact/{artifact}.json',
  operation: 'getArtifact',
  summary: 'A digital artifact: the techniques that attack and defend it, and its relations',
  responseType: 'DAOArtifact',
  parameter: {
    name: 'artifact',
    description: 'Name of an artifact, or of any other class',
    example: 'd3f:Credential',
  },
  format: JSON_FORMAT,
  members: (release) => byName(release, release.classes),
  answer: async (release, iri) => {
    const offenses = findOffenses(release, iri)
    const description = shapeDescription(await findStatements(release, [iri]))
    return {
      da_to_off: offenses,
      da_to_def: findDefenses(release, iri),
      neighbors: arrays(await findNeighbors(release, iri)),
      da_to_weak: arrays(findWeaknesses(release, iri)),
      sensors: arrays(findSensors(release, iri)),
      ...(hasParticipants(release) && { da_to_events: findEvents(release, iri) }),
      artifactld: description,
      da_graph: jsonLdDocument(findClassGraph(release, iri, offenses), { values: 'compact' }),
      description,
    }
  },
}

/** The statements, and an empty node for each of their objects except types. */
function shapeDescription(statements: readonly Statement[]): JsonLdDocument {
  const alsoNodes = statements
    .filter(({ predicate, object }) => object.type === 'uri' && predicate.value !== rdf.type)
    .map(({ object }) => object.value)
  return jsonLdDocument(statements, { values: 'compact', alsoNodes })
}

function arrays(statements: readonly Statement[]): JsonLdDocument {
  return jsonLdDocument(statements, { values: 'arrays' })
}

function isLabelled(release: Release, iri: string): boolean {
  return release.summaries.labels(iri).length > 0
}
