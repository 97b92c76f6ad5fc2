import { artifact, artifactList } from '../views/artifact/artifact.ts'
import { catalogMappings, catalogMappingsCsv, catalogMappingsTsv } from '../views/catalog/catalog.ts'
import { describe, inbound } from '../views/describe/describe.ts'
import { event, eventList } from '../views/event/event.ts'
import { JSON_FORMAT } from '../views/json.ts'
import { d3fendMappingsCsv, d3fendMappingsJson, fullMappingsCsv, fullMappingsJson } from '../views/mapping/mapping.ts'
import { matrix, matrixGraph } from '../views/matrix/matrix.ts'
import { attackMitigations } from '../views/mitigation/mitigation.ts'
import { attackTactics } from '../views/offensive-technique/attack-tactics.ts'
import { offensiveTechnique, offensiveTechniqueList } from '../views/offensive-technique/offensive-technique.ts'
import { PAIR_VIEWS } from '../views/pairs/views.ts'
import { progress } from '../views/progress/progress.ts'
import { objectProperties } from '../views/property/property.ts'
import { stixBundle } from '../views/stix/bundle.ts'
import { tactic, tactics } from '../views/tactic/tactic.ts'
import { taxonomy } from '../views/taxonomy/taxonomy.ts'
import { analyticTechnique, technique, techniques } from '../views/technique/technique.ts'
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
  eventList,
  event,
  analyticTechnique,
  taxonomy,
  attackMitigations,
  catalogMappings,
  catalogMappingsCsv,
  catalogMappingsTsv,
  objectProperties,
  progress,
  attackTactics,
  ...PAIR_VIEWS.flatMap(({ json, csv }) => [json, csv]),
  stixBundle,
]

/** All endpoints of a release: its views, and its files. */
export const ALL_VIEWS: readonly View[] = [...VIEWS, ...FILES]

/** The part of a view's path before the name. */
export function folderOf({ path }: View): string {
  return path.replace(/[^/]*$/, '')
}

/** The part of a view's path after the name, with its dot. */
export function extensionOf({ path }: View): string {
  return path.slice(path.lastIndexOf('.'))
}

/** Paths without a parameter. */
export const DOCUMENTS: ReadonlySet<string> = new Set(
  ALL_VIEWS.filter((view) => view.kind === 'document').map(({ path }) => path),
)

/** Paths of views, with the path of the view that gives the same answer. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  [d3fendMappingsCsv.path, fullMappingsCsv.path],
  [d3fendMappingsJson.path, fullMappingsJson.path],
  ...FILE_ALIASES,
])

/** Records that are tables, by both ends of their paths. Computed once, because every request looks here. */
const TABLES = VIEWS.filter((view) => view.kind === 'record' && view.format !== JSON_FORMAT).map((view) => ({
  folder: folderOf(view),
  extension: extensionOf(view),
  mediaType: mediaTypeOf(view),
}))

/** The media type of a record that is a table; null for other paths. */
export function tableType(path: string): string | null {
  const table = TABLES.find(({ folder, extension }) => path.startsWith(folder) && path.endsWith(extension))
  return table?.mediaType ?? null
}

/** Without its parameters. */
export function mediaTypeOf({ format }: View): string {
  return format.mediaType.replace(/;.*/, '')
}

/** Paths that answer as JSON for callers who prefer it, with the path of that JSON. */
export const JSON_PATHS: ReadonlyMap<string, string> = new Map([
  ...[fullMappingsCsv, d3fendMappingsCsv].map(({ path }) => [path, fullMappingsJson.path] as const),
  ...PAIR_VIEWS.map(({ csv, json }) => [csv.path, json.path] as const),
])
