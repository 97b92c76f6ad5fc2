import type { Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { results } from '../rows.ts'
import { findMappings, MAPPING_COLUMNS } from '../technique/mappings.ts'
import { publishedTechniques } from '../technique/subtechniques.ts'
import type { DocumentView } from '../view.ts'
import { CSV_FORMAT } from './csv.ts'

const COMMON = {
  kind: 'document',
  responseType: 'OntologyBindings',
  answer: (release: Release) => {
    const rows = publishedTechniques(release).flatMap(
      (technique) => findMappings(release, technique).defToOff,
    )
    return Promise.resolve(results(MAPPING_COLUMNS.defToOff, rows))
  },
} as const

export const fullMappingsJson: DocumentView = {
  ...COMMON,
  path: '/api/ontology/inference/onto-full-mappings.json',
  operation: 'getFullMappings',
  summary: 'Every defensive technique with every offensive technique that it meets',
  format: JSON_FORMAT,
}

export const fullMappingsCsv: DocumentView = {
  ...COMMON,
  path: '/api/ontology/inference/onto-full-mappings.csv',
  operation: 'getFullMappingsCsv',
  summary: 'The same as CSV; as JSON for a caller that accepts only JSON',
  format: CSV_FORMAT,
}
