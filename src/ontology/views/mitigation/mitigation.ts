import { jsonLdDocument } from '../../../graph/json-ld.ts'
import { readQuery } from '../../../graph/query.ts'
import { d3f, rdf, rdfs } from '../../../graph/vocabulary.ts'
import { JSON_FORMAT } from '../json.ts'
import { findStatements } from '../statements.ts'
import type { DocumentView } from '../view.ts'

const MITIGATIONS = readQuery(new URL('./mitigations.rq', import.meta.url), ['mitigation'], ['related'])

/** Properties of the techniques that mitigations are related to. */
const RELATED_PROPERTIES = new Set<string>([rdf.type, rdfs.label, d3f.d3fendId, d3f.definition])

export const attackMitigations: DocumentView = {
  kind: 'document',
  path: '/api/mappings/attack-mitigations.json',
  operation: 'listAttackMitigations',
  summary: 'The mitigations of ATT&CK, and the defensive techniques that they are related to',
  responseType: 'Mitigations',
  format: JSON_FORMAT,
  answer: async (release) => {
    const rows = await release.graph.select(MITIGATIONS)
    if (rows.length === 0) return jsonLdDocument([], { values: 'arrays' })
    const mitigations = new Set(rows.map(({ mitigation }) => mitigation.value))
    const others = new Set(rows.flatMap(({ related }) => (related === undefined ? [] : [related.value])))
    const statements = await findStatements(release, [d3f.ATTACKEnterpriseMitigation, ...others])
    return jsonLdDocument(
      [
        ...(await findStatements(release, mitigations)),
        ...statements.filter(({ predicate }) => RELATED_PROPERTIES.has(predicate.value)),
      ],
      { values: 'arrays' },
    )
  },
}
