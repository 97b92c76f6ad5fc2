import { artifact, artifactList } from './artifact/artifact.ts'
import { describe, inbound } from './describe/describe.ts'
import {
  d3fendMappingsCsv,
  d3fendMappingsJson,
  fullMappingsCsv,
  fullMappingsJson,
} from './mapping/mapping.ts'
import { matrix, matrixGraph } from './matrix/matrix.ts'
import {
  offensiveTechnique,
  offensiveTechniqueList,
} from './offensive-technique/offensive-technique.ts'
import { tactic, tactics } from './tactic/tactic.ts'
import { technique, techniques } from './technique/technique.ts'
import { version } from './version/version.ts'
import type { View } from './view.ts'
import { weakness, weaknesses } from './weakness/weakness.ts'

/**
 * Every endpoint of the ontology service, in the order of its specification. HTTP answers this list
 * and `publish` writes it, so the two cannot disagree.
 */
export const VIEWS: readonly View[] = [
  fullMappingsCsv,
  fullMappingsJson,
  d3fendMappingsCsv,
  d3fendMappingsJson,
  describe,
  inbound,
  artifact,
  artifactList,
  matrixGraph,
  matrix,
  offensiveTechniqueList,
  offensiveTechnique,
  tactic,
  tactics,
  technique,
  techniques,
  version,
  weaknesses,
  weakness,
]

/** What comes before the name in the paths of a view. */
export function folderOf({ path }: View): string {
  return path.replace(/[^/]*$/, '')
}

/** Paths without a parameter. */
export const DOCUMENTS: ReadonlySet<string> = new Set(
  VIEWS.filter((view) => view.kind === 'document').map(({ path }) => path),
)

/** Second names: the path of a view, and of the view that answers the same. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  [d3fendMappingsCsv.path, fullMappingsCsv.path],
  [d3fendMappingsJson.path, fullMappingsJson.path],
])

/** Paths that answer as JSON for who prefers that, with the path of the same as JSON. */
export const JSON_PATHS: ReadonlyMap<string, string> = new Map(
  [fullMappingsCsv, d3fendMappingsCsv].map(({ path }) => [path, fullMappingsJson.path]),
)
