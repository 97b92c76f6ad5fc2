import { jsonLdDocument } from '../../../graph/json-ld.ts'
import { text, type Statement } from '../../../graph/term.ts'
import { d3f, rdfs } from '../../../graph/vocabulary.ts'
import { attacks, offensiveTechniques, type Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { results } from '../rows.ts'
import { findDescription, statement, summaryStatements } from '../statements.ts'
import { byIdentifier, type DocumentView, type RecordView } from '../view.ts'
import { findDefenses, OFF_TO_DEF } from './defenses.ts'

export const offensiveTechniqueList: DocumentView = {
  kind: 'document',
  path: '/api/offensive-technique/all.json',
  operation: 'listOffensiveTechniques',
  summary: 'All offensive techniques with their ATT&CK identifiers',
  responseType: 'ATTACKTechniques',
  format: JSON_FORMAT,
  answer: (release) => {
    const statements = [...offensiveTechniques(release)]
      .filter((iri) => release.summaries.has(iri, d3f.attackId))
      .flatMap((iri) => summaryStatements(release, iri, [d3f.attackId, d3f.definition, rdfs.label]))
    return Promise.resolve(jsonLdDocument(statements, { values: 'compact' }))
  },
}

export const offensiveTechnique: RecordView = {
  kind: 'record',
  path: '/api/offensive-technique/attack/{technique}.json',
  operation: 'getOffensiveTechnique',
  summary: 'An offensive technique, and the defensive techniques for the artifacts that it touches',
  responseType: 'OffensiveTechnique',
  parameter: {
    name: 'technique',
    noun: 'attack',
    description: 'Identifier of an offensive technique: ATT&CK, ATLAS or SPARTA',
    example: 'T1003.001',
  },
  format: JSON_FORMAT,
  members: (release) => byIdentifier(release, attacks(release), d3f.attackId),
  answer: async (release, subject) => ({
    off_to_def: results(OFF_TO_DEF, findDefenses(release, subject)),
    description: await findDescription(release, subject),
    subtechniques: jsonLdDocument(subtechniques(release, subject), { values: 'arrays' }),
  }),
}

/** Empty for a technique that has none; otherwise two levels, whatever the real depth. */
function subtechniques(release: Release, technique: string): readonly Statement[] {
  const below = release.hierarchy.below(technique)
  if (below.length === 0) return []
  const identifiers = release.summaries.values(technique, d3f.attackId)
  return [
    ...summaryStatements(release, technique, [rdfs.label]),
    ...identifiers.map((identifier) => statement(technique, d3f.doubledAttackId, identifier)),
    statement(technique, d3f.topLevel, text('true')),
    ...below.map((iri) => statement(technique, rdfs.hasSubClass, iri)),
    ...below.flatMap((iri) => [
      ...summaryStatements(release, iri, [d3f.attackId, rdfs.label]),
      statement(iri, rdfs.subClassOf, technique),
    ]),
  ]
}
