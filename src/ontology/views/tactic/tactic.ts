import { jsonLdDocument } from '../../../graph/json-ld.ts'
import { d3f } from '../../../graph/vocabulary.ts'
import type { Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { findDescription, findStatements } from '../statements.ts'
import { flattenSubtechniques, topTechniques } from '../technique/subtechniques.ts'
import { byName, type DocumentView, type RecordView } from '../view.ts'

export const tactics: DocumentView = {
  kind: 'document',
  path: '/api/tactic/all.json',
  operation: 'listTactics',
  summary: 'All defensive tactics',
  responseType: 'Tactics',
  format: JSON_FORMAT,
  answer: async (release) => jsonLdDocument(await findStatements(release, tacticsOf(release)), { values: 'compact' }),
}

export const tactic: RecordView = {
  kind: 'record',
  path: '/api/tactic/{tactic}.json',
  operation: 'getTactic',
  summary: 'A defensive tactic with the techniques that enable it',
  responseType: 'Tactic',
  parameter: {
    name: 'tactic',
    description: 'Name of a defensive tactic',
    example: 'd3f:Detect',
  },
  format: JSON_FORMAT,
  members: (release) => byName(release, tacticsOf(release)),
  answer: async (release, iri) => ({
    techniques: jsonLdDocument(
      techniquesEnabling(release, iri).flatMap((technique) => flattenSubtechniques(release, technique)),
      { values: 'compact' },
    ),
    group: await findDescription(release, iri),
  }),
}

/** The named classes below d3f:DefensiveTactic, sorted by IRI. */
export function tacticsOf(release: Release): readonly string[] {
  return release.hierarchy.below(d3f.DefensiveTactic)
}

/** Whether a technique itself, not one above it, enables the tactic. */
export function enables(release: Release, technique: string, tactic: string): boolean {
  const rows = release.tacticsByTechnique.get(technique) ?? []
  return rows.some((row) => row.tactic.value === tactic)
}

/** The top techniques that enable the tactic themselves. */
export function techniquesEnabling(release: Release, tactic: string): readonly string[] {
  return topTechniques(release).filter((technique) => enables(release, technique, tactic))
}
