import { d3f, rdfs } from '../../../graph/vocabulary.ts'
import { csvLines } from '../../../platform/csv/csv.ts'
import type { Release } from '../../release/release.ts'
import { subtechniques, tacticsInOrder } from '../matrix/matrix.ts'
import { techniquesEnabling } from '../tactic/tactic.ts'

/** The columns of D3FEND's table. Techniques at deeper levels are in the last one. */
const LEVELS = ['D3FEND Technique', 'D3FEND Technique Level 0', 'D3FEND Technique Level 1'] as const

interface MatrixPosition {
  readonly tactic: string
  /** From the top of the matrix down to the technique itself. */
  readonly path: readonly string[]
}

/** The techniques of the matrix as a table, each below its parent. */
export function* techniqueListPieces(release: Release): Generator<string> {
  yield csvLines([['ID', 'D3FEND Tactic', ...LEVELS, 'Definition']])
  for (const tactic of tacticsInOrder(release)) {
    for (const top of techniquesEnabling(release, tactic)) yield* techniqueLines(release, { tactic, path: [top] })
  }
}

function* techniqueLines(release: Release, { tactic, path }: MatrixPosition): Generator<string> {
  const technique = path.at(-1) ?? ''
  const first = (property: string): string => release.summaries.values(technique, property)[0]?.value ?? ''
  const level = Math.min(path.length, LEVELS.length) - 1
  const names = LEVELS.map((_, index) => (index === level ? first(rdfs.label) : ''))
  yield csvLines([[first(d3f.d3fendId), localName(release, tactic), ...names, first(d3f.definition)]])
  for (const child of subtechniques(release, technique)) {
    if (!path.includes(child)) yield* techniqueLines(release, { tactic, path: [...path, child] })
  }
}

function localName({ names }: Release, iri: string): string {
  return names.compact(iri).replace(/^[^:]*:/, '')
}
