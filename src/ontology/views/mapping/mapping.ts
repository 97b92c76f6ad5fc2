import type { Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { results } from '../rows.ts'
import { findMappings, mappingColumns } from '../technique/mappings.ts'
import { publishedTechniques } from '../technique/subtechniques.ts'
import type { DocumentView } from '../view.ts'
import { CSV_FORMAT } from './csv.ts'

const FOLDER = '/api/ontology/inference'

const COMMON_PARTS = {
  kind: 'document',
  responseType: 'OntologyBindings',
  answer: (release: Release) => {
    const rows = publishedTechniques(release).flatMap((technique) => findMappings(release, technique).defToOff)
    return Promise.resolve(results(mappingColumns(release).defToOff, rows))
  },
} as const

export const fullMappingsJson: DocumentView = {
  ...COMMON_PARTS,
  path: `${FOLDER}/onto-full-mappings.json`,
  operation: 'getFullMappings',
  summary: 'Every defensive technique with every offensive technique that it meets',
  format: JSON_FORMAT,
}

export const fullMappingsCsv: DocumentView = {
  ...COMMON_PARTS,
  path: `${FOLDER}/onto-full-mappings.csv`,
  operation: 'getFullMappingsCsv',
  summary: 'The same as CSV; as JSON for a caller that accepts only JSON',
  format: CSV_FORMAT,
}

/** D3FEND publishes the same table under this name, and its clients request it. */
export const d3fendMappingsJson: DocumentView = {
  ...fullMappingsJson,
  path: `${FOLDER}/d3fend-full-mappings.json`,
  operation: 'getD3fendFullMappings',
  summary: 'The same as onto-full-mappings.json, under the name that D3FEND gives it',
}

export const d3fendMappingsCsv: DocumentView = {
  ...fullMappingsCsv,
  path: `${FOLDER}/d3fend-full-mappings.csv`,
  operation: 'getD3fendFullMappingsCsv',
  summary: 'The same as onto-full-mappings.csv, under the name that D3FEND gives it',
}
