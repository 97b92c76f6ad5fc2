import { jsonLdDocument } from '../../../graph/json-ld.ts'
import { iri } from '../../../graph/term.ts'
import { d3f, OWL, rdf, rdfs } from '../../../graph/vocabulary.ts'
import { JSON_FORMAT } from '../json.ts'
import { results } from '../rows.ts'
import { findDescription, statement, summaryStatements } from '../statements.ts'
import { byName, type DocumentView, type RecordView } from '../view.ts'
import { findMappings, MAPPING_COLUMNS, shapeOffensiveMatrix } from './mappings.ts'
import { countReferences, findReferences, shapeReferences } from './references.ts'
import { flatten, publishedTechniques } from './subtechniques.ts'

const LISTED = [d3f.d3fendId, d3f.synonym, rdfs.label]

export const techniques: DocumentView = {
  kind: 'document',
  path: '/api/technique/all.json',
  operation: 'listTechniques',
  summary: 'All defensive techniques with their identifiers and synonyms',
  responseType: 'Techniques',
  format: JSON_FORMAT,
  answer: (release) => {
    const statements = publishedTechniques(release).flatMap((technique) => [
      statement(technique, rdf.type, iri(`${OWL}Class`)),
      ...summaryStatements(release, technique, LISTED),
    ])
    return Promise.resolve(jsonLdDocument(statements, { values: 'compact' }))
  },
}

export const technique: RecordView = {
  kind: 'record',
  path: '/api/technique/{technique}.json',
  operation: 'getTechnique',
  summary: 'A defensive technique, the artifacts it touches and the offensive techniques it meets',
  responseType: 'Technique',
  parameter: {
    name: 'technique',
    description: 'Name of a defensive technique',
    example: 'd3f:FileIntegrityMonitoring',
  },
  format: JSON_FORMAT,
  members: (release) => byName(release, publishedTechniques(release)),
  answer: async (release, subject) => {
    const { digitalArtifacts, defToOff } = findMappings(release, subject)
    const references = await findReferences(release, subject)
    return {
      def_to_off: results(MAPPING_COLUMNS.defToOff, defToOff),
      description: await findDescription(release, subject),
      digital_artifacts: results(MAPPING_COLUMNS.digitalArtifacts, digitalArtifacts),
      subtechniques: jsonLdDocument(flatten(release, subject), { values: 'compact' }),
      related_offensive_matrix: shapeOffensiveMatrix(defToOff),
      references: shapeReferences(references),
      references_meta: countReferences(references),
    }
  },
}
