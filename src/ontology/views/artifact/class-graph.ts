import type { Statement } from '../../../graph/term.ts'
import { d3f, rdfs } from '../../../graph/vocabulary.ts'
import { artifacts, type Release } from '../../release/release.ts'
import type { Results } from '../rows.ts'
import { labelStatements, statement } from '../statements.ts'

/**
 * The subclass edges around an artifact: all edges below it, and all edges above it and above every artifact below it
 * that an offensive technique touches. Both ends of an edge have labels. If there is an edge, the root is included.
 */
export function findClassGraph(release: Release, artifact: string, offenses: Results): readonly Statement[] {
  const edges = new Map(
    [...edgesBelow(release, artifact), ...edgesAbove(release, artifact, offenses)].map((edge) => [
      edge.join(' '),
      edge,
    ]),
  )
  const drawn = [...edges.values()].filter((ends) => ends.every((end) => release.summaries.labels(end).length > 0))
  if (drawn.length === 0) return []
  const nodes = new Set([...drawn.flat(), d3f.DigitalArtifact])
  return [
    ...drawn.map(([superclass, subclass]) => statement(superclass, rdfs.hasSubClass, subclass)),
    ...[...nodes].flatMap((node) => labelStatements(release, node)),
  ]
}

type Edge = readonly [superclass: string, subclass: string]

function edgesBelow({ hierarchy }: Release, artifact: string): readonly Edge[] {
  return [...hierarchy.down(artifact)].flatMap((superclass) =>
    hierarchy.children(superclass).map((subclass) => [superclass, subclass] as const),
  )
}

function edgesAbove(release: Release, artifact: string, offenses: Results): readonly Edge[] {
  const { hierarchy } = release
  const family = artifacts(release)
  const touched = offenses.results.bindings.flatMap((row) => row['off_artifact']?.value ?? [])
  const starts = new Set([artifact, ...touched])
  const above = new Set(Array.from(starts).flatMap((start) => [...hierarchy.up(start)]))
  return Array.from(above).flatMap((subclass) =>
    hierarchy
      .parents(subclass)
      .filter((superclass) => family.has(superclass))
      .map((superclass) => [superclass, subclass] as const),
  )
}
