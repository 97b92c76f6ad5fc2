import { z } from 'zod'
import { DOCUMENT } from '../../http/answer/answers.ts'

/** The named response types of the ontology service, as they are published in its OpenAPI. */

const term = z
  .object({
    type: z.enum(['uri', 'literal', 'bnode']),
    value: z.string(),
    datatype: z.string().optional(),
    'xml:lang': z.string().optional(),
  })
  .meta({ id: 'Term', description: 'An RDF term (SPARQL 1.1 Query Results JSON, §3.2.2)' })

const rows = z.array(z.record(z.string(), term))

const results = z
  .object({
    head: z.object({ vars: z.array(z.string()) }),
    results: z.object({ bindings: rows }),
  })
  .meta({
    id: 'SparqlResults',
    description: 'A table; unbound variables are absent from a row. Rows are distinct.',
  })

const node = z
  .looseObject({
    '@id': z.string(),
    '@type': z.union([z.string(), z.array(z.string())]).optional(),
  })
  .meta({ id: 'Node', description: 'A JSON-LD node: properties by prefixed name' })

const jsonLd = z
  .object({ '@context': z.record(z.string(), z.string()), '@graph': z.array(node) })
  .meta({ id: 'JsonLd', description: 'JSON-LD 1.1: prefixes, and a flat graph of nodes' })

const stixBundle = z
  .object({
    type: z.literal('bundle'),
    id: z.string(),
    objects: z.array(z.looseObject({ type: z.string(), id: z.string() })),
  })
  .meta({ description: 'A bundle of STIX 2.1 (OASIS); custom properties begin with `x_d3fend_`' })

const typedValue = z
  .object({ '@type': z.string(), '@value': z.string() })
  .meta({ id: 'TypedValue', description: 'A literal with its datatype, the value as text' })

const matrixTechnique = z
  .looseObject({
    '@id': z.string(),
    'd3f:d3fend-id': z.string().optional(),
    'd3f:definition': z.string().optional(),
    'd3f:ref-count': typedValue.optional(),
    'rdfs:label': z.string().optional(),
    get children() {
      return z.array(matrixTechnique).optional()
    },
  })
  .meta({ id: 'MatrixTechnique', description: 'A technique with those below it' })

const matrixTactic = z
  .looseObject({
    '@id': z.string(),
    children: z.array(matrixTechnique),
    'd3f:display-order': typedValue.optional(),
    'd3f:display-priority': typedValue.optional(),
    'd3f:type': z.literal('toplevel'),
    'rdfs:label': z.string().optional(),
  })
  .meta({ id: 'DAOMatrix', description: 'A tactic with the tree of its techniques' })

const expandedNode = z.looseObject({ '@id': z.string(), '@type': z.array(z.string()).optional() }).meta({
  id: 'ExpandedNode',
  description: 'An expanded JSON-LD node: full IRIs, arrays throughout',
})

/** Response types by name; a view names its own (`responseType`). */
export const RESPONSE_SCHEMAS = {
  File: DOCUMENT,
  OntologyBindings: results,
  Description: z.array(expandedNode),
  DAOArtifact: z.object({
    da_to_off: results,
    da_to_def: results,
    neighbors: jsonLd,
    da_to_weak: jsonLd,
    sensors: jsonLd,
    da_to_events: results.optional(),
    artifactld: jsonLd,
    da_graph: jsonLd,
    description: jsonLd,
  }),
  ArtifactsGraph: jsonLd,
  Taxonomy: jsonLd,
  Event: z.object({ event_to_da: results, description: jsonLd }),
  Events: jsonLd,
  Mitigations: jsonLd,
  StixBundle: stixBundle,
  ObjectProperties: jsonLd,
  DAOMatrixList: z.array(matrixTactic),
  ATTACKTechniques: jsonLd,
  OffensiveTechnique: z.object({ off_to_def: results, description: jsonLd, subtechniques: jsonLd }),
  Tactic: z.object({ techniques: jsonLd, group: jsonLd }),
  Tactics: jsonLd,
  Technique: z.object({
    def_to_off: results,
    description: jsonLd,
    digital_artifacts: results,
    subtechniques: jsonLd,
    related_offensive_matrix: z.record(z.string(), z.array(z.tuple([z.string(), rows]))),
    references: jsonLd,
    references_meta: z.record(z.string(), z.int()),
  }),
  Techniques: jsonLd,
  VersionData: z.object({
    version: z.string(),
    release_date: z.string(),
    ontology_version: z.string(),
    ontology_hash_sha256: z.string(),
  }),
  Progress: z.object({
    techniques_count: z.int(),
    techniques_with_artifacts_count: z.int(),
    techniques_without_artifacts_count: z.int(),
    otechniques_count: z.int(),
    otechniques_with_artifacts_count: z.int(),
    otechniques_without_artifacts_count: z.int(),
    artifacts_count: z.int(),
    techniques_with_artifacts: rows,
    techniques_without_artifacts: rows,
    otechniques_with_artifacts: rows,
    otechniques_without_artifacts: rows,
    artifacts: rows,
    artifacts_without_definitions: rows,
    artifacts_without_definitions_count: z.int(),
  }),
  Weaknesses: jsonLd,
  Weakness: z.object({ weak_to_def: results, description: jsonLd }),
} as const

export type ResponseType = keyof typeof RESPONSE_SCHEMAS
