import { jsonLdDocument } from '../../../graph/json-ld.ts'
import { d3f, rdfs } from '../../../graph/vocabulary.ts'
import { attacks } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { labelStatements, statement, summaryStatements } from '../statements.ts'
import { enabledTactics } from '../tactic/enabled.ts'
import type { DocumentView } from '../view.ts'

/**
 * Lists the tactics of each attack. The rows of an attack's own answer do not show them, because D3FEND combines each
 * attack with all tactics.
 */
export const attackTactics: DocumentView = {
  kind: 'document',
  path: '/api/offensive-technique/tactics.json',
  operation: 'listAttackTactics',
  summary: 'The tactics that each offensive technique enables, by itself or by a class above it',
  responseType: 'ATTACKTechniques',
  format: JSON_FORMAT,
  answer: (release) => {
    const tactics = new Set<string>()
    const statements = attacks(release).flatMap((attack) => {
      const enabled = enabledTactics(release, attack)
      for (const { iri } of enabled) tactics.add(iri)
      const links = enabled.map(({ iri }) => statement(attack, d3f.enables, iri))
      return [...summaryStatements(release, attack, [rdfs.label, d3f.attackId]), ...links]
    })
    const labels = [...tactics].flatMap((tactic) => labelStatements(release, tactic))
    return Promise.resolve(jsonLdDocument([...statements, ...labels], { values: 'compact' }))
  },
}
