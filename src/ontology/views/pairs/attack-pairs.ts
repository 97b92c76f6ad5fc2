import { text } from '../../../graph/term.ts'
import { d3f } from '../../../graph/vocabulary.ts'
import { domainsIn } from '../../release/domains.ts'
import type { Release } from '../../release/release.ts'
import type { ResultRow, Results } from '../rows.ts'
import { findMappings } from '../technique/mappings.ts'
import { publishedTechniques } from '../technique/subtechniques.ts'
import { recordColumns, pairsOf, type PairPath } from './pairs.ts'

const PATH_COLUMNS = ['def_artifact_rel', 'def_artifact', 'off_artifact_rel', 'off_artifact'] as const

/** The pairs of `def_tech` and `off_tech` in the full mappings. */
export function attackPairs(release: Release): Results {
  return pairsOf(release, {
    paths: attackPaths(release),
    viaColumns: PATH_COLUMNS.map((column) => `${column}s`),
    columns: ['off_tech', 'off_tech_id', 'off_tech_label', 'off_tech_domain'],
    describe: (attack) => ({
      ...recordColumns(release, attack, 'off_tech', d3f.attackId),
      ...domainOf(release, attack),
    }),
  })
}

function domainOf({ hierarchy }: Release, attack: string): ResultRow {
  const domain = domainsIn(hierarchy).of(attack)
  return domain === null ? {} : { off_tech_domain: text(domain) }
}

/** Every path from a defensive technique to an attack in the full mappings; some more than once. */
export function* attackPaths(release: Release): Generator<PairPath> {
  for (const technique of publishedTechniques(release)) {
    for (const row of findMappings(release, technique).defToOff) {
      yield {
        technique: row['def_tech']?.value ?? '',
        other: row['off_tech']?.value ?? '',
        via: PATH_COLUMNS.map((column) => row[column]?.value ?? ''),
      }
    }
  }
}
