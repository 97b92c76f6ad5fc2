import { jsonLdDocument } from '../../../graph/json-ld.ts'
import { readQuery } from '../../../graph/query.ts'
import { JSON_FORMAT } from '../json.ts'
import { findStatements } from '../statements.ts'
import type { DocumentView } from '../view.ts'

const PROPERTIES = readQuery(new URL('./properties.rq', import.meta.url), ['property'])

export const objectProperties: DocumentView = {
  kind: 'document',
  path: '/api/ontology/properties/object/all.json',
  operation: 'listObjectProperties',
  summary: 'The relations between techniques, artifacts and other things: all properties below d3f:associated-with',
  responseType: 'ObjectProperties',
  format: JSON_FORMAT,
  answer: async (release) => {
    const rows = await release.graph.select(PROPERTIES)
    const statements = await findStatements(
      release,
      rows.map(({ property }) => property.value),
    )
    return jsonLdDocument(statements, { values: 'arrays' })
  },
}
