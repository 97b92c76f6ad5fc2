import type { Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { CSV_FORMAT } from '../mapping/csv.ts'
import type { Results } from '../rows.ts'
import type { DocumentView } from '../view.ts'
import { attackPairs } from './attack-pairs.ts'
import { controlPairs } from './control-pairs.ts'
import { weaknessPairs } from './weakness-pairs.ts'

/** One table of pairs in both forms. */
export interface PairViews {
  readonly json: DocumentView
  readonly csv: DocumentView
}

export const PAIR_VIEWS: readonly PairViews[] = [
  pairViews({
    name: 'attack',
    summary: 'Defensive and offensive techniques that meet, each pair once',
    answer: (release) => Promise.resolve(attackPairs(release)),
  }),
  pairViews({
    name: 'weakness',
    summary: 'Defensive techniques and the weaknesses that they apply to, each pair once',
    answer: (release) => Promise.resolve(weaknessPairs(release)),
  }),
  pairViews({
    name: 'control',
    summary: 'Defensive techniques and the controls that are linked to them, each pair once',
    answer: controlPairs,
  }),
]

interface PairDefinition {
  /** The kind of record that techniques are paired with. */
  readonly name: 'attack' | 'weakness' | 'control'
  readonly summary: string
  readonly answer: (release: Release) => Promise<Results>
}

function pairViews({ name, summary, answer }: PairDefinition): PairViews {
  const path = `/api/ontology/mappings/technique-to-${name}`
  const operation = `getTechniqueTo${name.replace(/^./, (first) => first.toUpperCase())}`
  const common = { kind: 'document', responseType: 'OntologyBindings', answer } as const
  return {
    json: { ...common, path: `${path}.json`, operation, summary, format: JSON_FORMAT },
    csv: {
      ...common,
      path: `${path}.csv`,
      operation: `${operation}Csv`,
      summary: `${summary}; as CSV, or as JSON for a caller that accepts only JSON`,
      format: CSV_FORMAT,
    },
  }
}
