import { artifact, artifactList } from './artifact/artifact.ts'
import { describe, inbound } from './describe/describe.ts'
import { fullMappingsCsv, fullMappingsJson } from './mapping/mapping.ts'
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
