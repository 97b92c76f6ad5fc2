import { jsonLdDocument } from '../../../graph/json-ld.ts'
import { rdfs } from '../../../graph/vocabulary.ts'
import { JSON_FORMAT } from '../json.ts'
import { statement } from '../statements.ts'
import { byName, type RecordView } from '../view.ts'

/** D3FEND publishes 18 of these trees; no rule tells which, so every class with subclasses has one. */
export const taxonomy: RecordView = {
  kind: 'record',
  path: '/api/taxonomies/{root}.json',
  operation: 'getTaxonomy',
  summary: 'A class with all classes below it, everything stated of them, and their direct subclasses',
  responseType: 'Taxonomy',
  parameter: { name: 'root', description: 'Name of a class that has subclasses', example: 'd3f:Process' },
  format: JSON_FORMAT,
  members: (release) =>
    byName(
      release,
      [...release.classes].filter((iri) => release.hierarchy.children(iri).length > 0),
    ),
  answer: async (release, root) => {
    const classes = [...release.hierarchy.down(root)]
    const statements = await release.statements.from(classes)
    const subclasses = classes.flatMap((iri) =>
      release.hierarchy.children(iri).map((child) => statement(iri, rdfs.hasSubClass, child)),
    )
    return jsonLdDocument([...statements, ...subclasses], { values: 'arrays' })
  },
}
