import { artifact, artifactList } from '../views/artifact/artifact.ts'
import { describe, inbound } from '../views/describe/describe.ts'
import { d3fendMappingsCsv, d3fendMappingsJson, fullMappingsCsv, fullMappingsJson } from '../views/mapping/mapping.ts'
import { matrix, matrixGraph } from '../views/matrix/matrix.ts'
import { attackTactics } from '../views/offensive-technique/attack-tactics.ts'
import { offensiveTechnique, offensiveTechniqueList } from '../views/offensive-technique/offensive-technique.ts'
import { PAIR_VIEWS } from '../views/pairs/views.ts'
import { tactic, tactics } from '../views/tactic/tactic.ts'
import { technique, techniques } from '../views/technique/technique.ts'
import { version } from '../views/version/version.ts'
import type { View } from '../views/view.ts'
import { weakness, weaknesses } from '../views/weakness/weakness.ts'
import { FILE_ALIASES, FILES } from '../views/whole/whole.ts'

/**
 * Every endpoint of the ontology service, those of the D3FEND API first, then our own. HTTP answers this list
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
  attackTactics,
  ...PAIR_VIEWS.flatMap(({ json, csv }) => [json, csv]),
]

/** All endpoints of a release: its views, and its files. */
export const ANSWERED: readonly View[] = [...VIEWS, ...FILES]

/** The part of a view's path before the name. */
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
