import { jsonLdDocument } from '../../../graph/json-ld.ts'
import { compareCodeUnits, iri } from '../../../graph/term.ts'
import { d3f } from '../../../graph/vocabulary.ts'
import type { Release } from '../../release/release.ts'
import { defensesOf } from '../defended.ts'
import { JSON_FORMAT } from '../json.ts'
import { distinct, joinRow, prefixColumns, results, SUBCLASS_MARK, type ResultRow } from '../rows.ts'
import { findDescription, findStatements } from '../statements.ts'
import { byIdentifier, type DocumentView, type RecordView } from '../view.ts'

/** The two `weak_tactic_…` columns never have values, but D3FEND lists them and clients expect them. */
const WEAK_TO_DEF = [
  'def_tactic_label',
  'def_tactic_rel_label',
  'def_tech_parent_is_toplevel',
  'def_tech_parent_label',
  'def_tech_label',
  'def_artifact_rel_label',
  'def_artifact_label',
  'sc',
  'weak_artifact_label',
  'weak_artifact_rel_label',
  'weak_label',
  'weak_tactic_rel_label',
  'weak_tactic_label',
  'def_tactic',
  'def_tactic_rel',
  'def_tech',
  'def_artifact_rel',
  'def_artifact',
  'weak_artifact',
  'weak_artifact_rel',
  'weak',
  'weak_id',
] as const

export const weaknesses: DocumentView = {
  kind: 'document',
  path: '/api/weakness/all.json',
  operation: 'listWeaknesses',
  summary: 'All CWE weaknesses',
  responseType: 'Weaknesses',
  format: JSON_FORMAT,
  answer: async (release) => jsonLdDocument(await findStatements(release, weaknessesOf(release)), { values: 'arrays' }),
}

export const weakness: RecordView = {
  kind: 'record',
  path: '/api/weakness/cwe/{weakness_id}.json',
  operation: 'getWeakness',
  summary: 'A weakness, and the defensive techniques for the artifacts that it affects',
  responseType: 'Weakness',
  parameter: { name: 'weakness_id', noun: 'weakness', description: 'CWE identifier', example: 'CWE-79' },
  format: JSON_FORMAT,
  members: (release) => byIdentifier(release, weaknessesOf(release), d3f.cweId),
  answer: async (release, subject) => ({
    weak_to_def: results(WEAK_TO_DEF, findWeaknessDefenses(release, subject)),
    description: await findDescription(release, subject),
  }),
}

/** Sorted by IRI. */
export function weaknessesOf(release: Release): readonly string[] {
  const iris = Array.from(release.summaries.withProperty(d3f.cweId), ([subject]) => subject)
  return iris.sort(compareCodeUnits)
}

/** Assertions of all classes above or below the weakness, under the name of the weakness itself. */
export function findWeaknessDefenses(release: Release, subject: string): readonly ResultRow[] {
  const { hierarchy, summaries } = release
  const relatives = new Set([...hierarchy.up(subject), ...hierarchy.down(subject)])
  const sides = Array.from(relatives)
    .flatMap((relative) => release.assertionsBySubject.get(relative) ?? [])
    .flatMap((assertion) =>
      summaries.labels(subject).map((label) =>
        joinRow(WEAK_TO_DEF, prefixColumns('weak_', assertion), {
          sc: SUBCLASS_MARK,
          weak: iri(subject),
          weak_label: label,
          weak_id: summaries.values(subject, d3f.cweId)[0],
        }),
      ),
    )
  const bare = distinct(sides)
  const defended = bare.flatMap((side) =>
    defensesOf(release, side['weak_artifact']?.value ?? '').map((defense) => joinRow(WEAK_TO_DEF, defense, side)),
  )
  return [...bare, ...defended]
}
