import { readQuery } from '../../../graph/query.ts'
import { text } from '../../../graph/term.ts'
import { defensiveTechniques, type Release } from '../../release/release.ts'
import { compareBy } from '../../release/tables.ts'
import { JSON_FORMAT } from '../json.ts'
import { CSV_FORMAT } from '../mapping/csv.ts'
import { TSV_FORMAT } from '../mapping/tsv.ts'
import { results, type Results } from '../rows.ts'
import type { Format, RecordView } from '../view.ts'

const MAPPINGS = readQuery(new URL('./mappings.rq', import.meta.url), [
  'catalog_label',
  'control_label',
  'relation_label',
  'technique',
  'technique_label',
])

/** In published order; clients know the columns by these names. */
const COLUMNS = ['Catalog', 'Control', 'Relation', 'Defensive_Technique', 'Technique'] as const

/** The controls of one catalog with the defensive techniques that they are linked to. */
export const catalogMappings: RecordView = catalogView({
  extension: 'json',
  operation: 'getControlMappings',
  summary: 'The controls of a catalog (CCI, NIST SP 800-53), and the defensive techniques that they are linked to',
  format: JSON_FORMAT,
})

export const catalogMappingsCsv: RecordView = catalogView({
  extension: 'csv',
  operation: 'getControlMappingsCsv',
  summary: 'The controls of a catalog and the techniques that they are linked to, as CSV',
  format: CSV_FORMAT,
})

export const catalogMappingsTsv: RecordView = catalogView({
  extension: 'tsv',
  operation: 'getControlMappingsTsv',
  summary: 'The controls of a catalog and the techniques that they are linked to, as tab-separated values',
  format: TSV_FORMAT,
})

interface CatalogView extends Pick<RecordView, 'operation' | 'summary'> {
  readonly extension: string
  readonly format: Format
}

function catalogView({ extension, ...view }: CatalogView): RecordView {
  return {
    ...view,
    kind: 'record',
    path: `/api/mappings/{catalog}.${extension}`,
    responseType: 'OntologyBindings',
    parameter: {
      name: 'catalog',
      description: 'Catalog of controls with its version: `nist.` or `cci.`, and the version that the ontology states',
      example: 'nist.5',
    },
    members: ({ catalogs }) => catalogs,
    answer: findMappings,
  }
}

async function findMappings(release: Release, catalog: string): Promise<Results> {
  const techniques = defensiveTechniques(release)
  const rows = (await release.graph.select(MAPPINGS, { catalog: [catalog] }))
    .filter(({ technique }) => techniques.has(technique.value))
    .map((row) => ({
      Catalog: text(row.catalog_label.value),
      Control: text(row.control_label.value),
      Relation: text(row.relation_label.value),
      Defensive_Technique: row.technique,
      Technique: text(row.technique_label.value),
    }))
  return results(
    COLUMNS,
    [...rows].sort((a, b) => compareBy(COLUMNS, a, b)),
  )
}
