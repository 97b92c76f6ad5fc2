import { readFile } from 'node:fs/promises'
import { EmbeddedGraph } from '../../src/graph/store.ts'
import { D3F, OWL, RDFS, SKOS } from '../../src/graph/vocabulary.ts'
import { canonicalNQuads } from '../../src/ontology/ingest/canonical.ts'
import type { Manifest } from '../../src/ontology/release/manifest.ts'
import { readRelease, type Release } from '../../src/ontology/release/release.ts'

const FIXTURES = new URL('../fixtures/ontology/', import.meta.url)

/** Prefixes for Turtle that is written inside a test. */
const PREFIXES = [
  `@prefix : <${D3F}> .`,
  `@prefix d3f: <${D3F}> .`,
  `@prefix owl: <${OWL}> .`,
  `@prefix rdfs: <${RDFS}> .`,
  `@prefix skos: <${SKOS}> .`,
  '@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .',
].join('\n')

/** The IRI of a name of the ontology: `Process` for `d3f:Process`. */
export function d3fIri(local: string): string {
  return D3F + local
}

/** Opens `test/fixtures/ontology/<name>.ttl`. */
export async function openFixture(name: string): Promise<Release> {
  return openBytes(await readFile(new URL(`${name}.ttl`, FIXTURES)))
}

/** Opens Turtle after adding the usual prefixes. */
export async function openTurtle(turtle: string): Promise<Release> {
  return openBytes(new TextEncoder().encode(withPrefixes(turtle)))
}

export function withPrefixes(turtle: string): string {
  return `${PREFIXES}\n${turtle}`
}

/** A valid manifest; the given members replace the usual ones. */
export function manifestOf(changes: Partial<Manifest> = {}): Manifest {
  return {
    version: '1.2.3',
    releaseDate: '2026-01-31T00:00:00',
    sha256: '0123456789abcdef'.repeat(4),
    graphFile: '0123456789abcdef.nq',
    ingestedAt: '2026-02-01T08:30:00.000Z',
    sources: [{ name: 'small.ttl', sha256: 'fedcba9876543210'.repeat(4), bytes: 12 }],
    counts: {
      statements: 1,
      directFromRestrictions: 0,
      subjects: 1,
      defensiveTechniques: 0,
      offensiveTechniques: 0,
      artifacts: 0,
      weaknesses: 0,
    },
    checks: [],
    prefixes: {},
    ...changes,
  }
}

async function openBytes(turtle: Uint8Array): Promise<Release> {
  const graph = new EmbeddedGraph()
  graph.load(turtle, 'text/turtle')
  const nquads = await canonicalNQuads(graph.dump())
  return readRelease(graph, manifestOf(), () => [nquads])
}
