import { d3f } from '../../../graph/vocabulary.ts'
import type { Release } from '../../release/release.ts'
import type { Results } from '../rows.ts'
import { findWeaknessDefenses, weaknessesOf } from '../weakness/weakness.ts'
import { recordColumns, pairsOf, type PairPath } from './pairs.ts'

const PATH_COLUMNS = ['def_artifact_rel', 'def_artifact', 'weak_artifact_rel', 'weak_artifact'] as const

/** The pairs of `weak_to_def`: each technique with each weakness whose artifacts it defends. */
export function weaknessPairs(release: Release): Results {
  return pairsOf(release, {
    paths: weaknessPaths(release),
    viaColumns: PATH_COLUMNS.map((column) => `${column}s`),
    columns: ['weak', 'weak_id', 'weak_label'],
    describe: (weakness) => recordColumns(release, weakness, 'weak', d3f.cweId),
  })
}

function* weaknessPaths(release: Release): Generator<PairPath> {
  for (const weakness of weaknessesOf(release)) {
    for (const row of findWeaknessDefenses(release, weakness)) {
      const technique = row['def_tech']?.value
      // Artifacts that the weakness touches have rows of their own, without a technique.
      if (technique === undefined) continue
      const parts = PATH_COLUMNS.map((column) => row[column]?.value ?? '')
      yield { technique, other: weakness, via: parts }
    }
  }
}
