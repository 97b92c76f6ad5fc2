import { artifact, artifactList } from '../views/artifact/artifact.ts'
import { describe, inbound } from '../views/describe/describe.ts'
import {
  d3fendMappingsCsv,
  d3fendMappingsJson,
  fullMappingsCsv,
  fullMappingsJson,
} from '../views/mapping/mapping.ts'
import { matrix, matrixGraph } from '../views/matrix/matrix.ts'
import {
  offensiveTechnique,
  offensiveTechniqueList,
} from '../views/offensive-technique/offensive-technique.ts'
import { PAIR_VIEWS } from '../views/pairs/views.ts'
import { tactic, tactics } from '../views/tactic/tactic.ts'
import { technique, techniques } from '../views/technique/technique.ts'
import { version } from '../views/version/version.ts'
import type { View } from '../views/view.ts'
import { weakness, weaknesses } from '../views/weakness/weakness.ts'
import { FILE_ALIASES, FILES } from '../views/whole/whole.ts'

/**
 * Every endpoint of the ontology service, in the order of its specification, then what is beyond it. HTTP answers this list
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
  ...PAIR_VIEWS.flatMap(({ json, csv }) => [json, csv]),
]

/** All that a release answers: its views, and itself whole as files. */
export const ANSWERED: readonly View[] = [...VIEWS, ...FILES]

/** What comes before the name in the paths of a view. */
export function folderOf({ path }: View): string {
  return path.replace(/[^/]*$/, '')
}

/** Paths without a parameter. */
export const DOCUMENTS: ReadonlySet<string> = new Set(
  ANSWERED.filter((view) => view.kind === 'document').map(({ path }) => path),
)

/** Second names: the path of a view, and of the view that answers the same. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  [d3fendMappingsCsv.path, fullMappingsCsv.path],
  [d3fendMappingsJson.path, fullMappingsJson.path],
  ...FILE_ALIASES,
])

/** Paths that answer as JSON for callers who prefer it, with the path of that JSON. */
export const JSON_PATHS: ReadonlyMap<string, string> = new Map([
  ...[fullMappingsCsv, d3fendMappingsCsv].map(({ path }) => [path, fullMappingsJson.path] as const),
  ...PAIR_VIEWS.map(({ csv, json }) => [csv.path, json.path] as const),
])
