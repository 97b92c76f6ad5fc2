import { d3f } from '../../graph/vocabulary.ts'
import { artifacts, type Release } from '../release/release.ts'
import type { DefensiveRow } from '../release/tables.ts'

/** The defensive rows of an artifact and of the artifacts above it. */
export function defensesOf(release: Release, artifact: string): readonly DefensiveRow[] {
  const family = artifacts(release)
  return [...release.hierarchy.up(artifact)]
    .filter((above) => family.has(above) && above !== d3f.DigitalArtifact)
    .flatMap((above) => release.defensiveByArtifact.get(above) ?? [])
}
