import { jsonLdDocument } from '../../../graph/json-ld.ts'
import { iri } from '../../../graph/term.ts'
import { d3f, OWL, rdf, rdfs } from '../../../graph/vocabulary.ts'
import type { Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { results } from '../rows.ts'
import { findDescription, statement, summaryStatements } from '../statements.ts'
import { byName, type DocumentView, type RecordView } from '../view.ts'
import { findMappings, mappingColumns, shapeOffensiveMatrix } from './mappings.ts'
import { countReferences, findReferences, shapeReferences } from './references.ts'
import { flattenSubtechniques, publishedTechniques } from './subtechniques.ts'

const LIST_PROPERTIES = [d3f.d3fendId, d3f.synonym, rdfs.label]

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
      ...summaryStatements(release, technique, LIST_PROPERTIES),
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
  answer: shapeTechnique,
}

/** A technique of data analysis, in the shape of a defensive one: it has neither artifacts nor attacks. */
export const analyticTechnique: RecordView = {
  kind: 'record',
  path: '/api/acf/technique/{technique}.json',
  operation: 'getAnalyticTechnique',
  summary: 'An analytic technique, in the shape of a defensive technique',
  responseType: 'Technique',
  parameter: { name: 'technique', description: 'Name of an analytic technique', example: 'd3f:DecisionTree' },
  format: JSON_FORMAT,
  members: (release) =>
    byName(
      release,
      release.hierarchy.below(d3f.AnalyticTechnique).filter((iri) => release.summaries.has(iri, d3f.d3fendId)),
    ),
  answer: shapeTechnique,
}

async function shapeTechnique(release: Release, subject: string): Promise<unknown> {
  const { digitalArtifacts, defToOff } = findMappings(release, subject)
  const columns = mappingColumns(release)
  const references = await findReferences(release, subject)
  return {
    def_to_off: results(columns.defToOff, defToOff),
    description: await findDescription(release, subject),
    digital_artifacts: results(columns.digitalArtifacts, digitalArtifacts),
    subtechniques: jsonLdDocument(flattenSubtechniques(release, subject), { values: 'compact' }),
    related_offensive_matrix: shapeOffensiveMatrix(defToOff),
    references: shapeReferences(references),
    references_meta: countReferences(references),
  }
}
