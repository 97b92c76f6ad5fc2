import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ControlAssertions } from '../../../../../src/contracts/sources.ts'
import { readQuery } from '../../../../../src/graph/query.ts'
import { EmbeddedGraph, parseQuads, type PlainQuad } from '../../../../../src/graph/store.ts'
import { D3F, rdf, rdfs } from '../../../../../src/graph/vocabulary.ts'
import type { CatalogueGraph } from '../../../../../src/guidance/catalogue/linked-data/graph/catalogue-graph.ts'
import type { Benchmark } from '../../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import { readBenchmarks } from '../../../../../src/guidance/catalogue/xccdf/reader.ts'
import { findControls } from '../../../../../src/ontology/controls/controls.ts'
import { readRelease } from '../../../../../src/ontology/release/release.ts'
import { append } from '../../../../../src/platform/append.ts'
import { CORPUS } from '../../../../support/corpus.ts'
import { manifestOf } from '../../../../support/release.ts'
import { graphOf, SampleCatalogue, SampleOntology } from '../sample.ts'

const PUBLISHED = join(CORPUS, 'ontology/d3fend-0.17.0.ttl')
const SOURCE = join(CORPUS, 'ontology/d3fend-source-2025-08.ttl')
const RHEL_9 = join(CORPUS, 'xccdf/U_RHEL_9_STIG_V2R7_Manual-xccdf.xml')
const isPresent = [PUBLISHED, SOURCE, RHEL_9].every((path) => existsSync(path))

const COUNTERMEASURES = readQuery(
  new URL(
    '../../../../../src/guidance/catalogue/linked-data/countermeasures/countermeasures.rq',
    import.meta.url,
  ),
  ['rule', 'cci', 'technique'],
)

function ontologyOf(file: string): EmbeddedGraph {
  const graph = new EmbeddedGraph()
  graph.load(new Uint8Array(readFileSync(file)), 'text/turtle')
  return graph
}

async function controlsIn(file: string): Promise<ControlAssertions> {
  return findControls(await readRelease(ontologyOf(file), manifestOf()))
}

/** Everything below a class. */
function belowClass(quads: readonly PlainQuad[], root: string): ReadonlySet<string> {
  const children = new Map<string, string[]>()
  for (const { subject, predicate, object } of quads)
    if (predicate.value === rdfs.subClassOf) append(children, object.value, subject.value)
  const below = new Set(children.get(root))
  for (const name of below) for (const child of children.get(name) ?? []) below.add(child)
  return below
}

/** Reached techniques by CCI, from the bare statements: no query, nothing that is tested here. */
function techniquesByCci(ontology: EmbeddedGraph): ReadonlyMap<string, ReadonlySet<string>> {
  const quads = parseQuads(ontology.dump())
  const techniques = belowClass(quads, `${D3F}DefensiveTechnique`)
  const isA = quads.filter(({ predicate }) => predicate.value === rdf.type)
  const ccis = isA.filter(({ object }) => object.value === `${D3F}CCIControl`)
  const controls = new Set(ccis.map(({ subject }) => subject.value))
  const labels = new Map(
    quads
      .filter(({ predicate }) => predicate.value === rdfs.label)
      .map(({ subject, object }) => [subject.value, object.value]),
  )
  const reached = new Map<string, Set<string>>()
  for (const { subject, predicate, object } of quads) {
    if (predicate.value === rdf.type || !controls.has(subject.value)) continue
    const label = labels.get(subject.value) ?? ''
    const known = reached.get(label) ?? new Set<string>()
    if (techniques.has(object.value)) reached.set(label, known.add(object.value))
  }
  return reached
}

/** Rules with their CCIs, from the bare text of the file. */
function ccisByRule(xml: string): ReadonlyMap<string, readonly string[]> {
  const rules = [...xml.matchAll(/<Rule id="([^"]+)".*?<\/Rule>/gs)]
  return new Map(
    rules.map(([text, id = '']) => [
      id,
      Array.from(text.matchAll(/<ident[^>]*>(CCI-\d+)</g), ([, cci = '']) => cci),
    ]),
  )
}

describe.skipIf(!isPresent)('RHEL 9 V2R7 with D3FEND 0.17.0', () => {
  let graph: CatalogueGraph
  let benchmark: Benchmark

  beforeAll(async () => {
    const [read] = readBenchmarks(() => [readFileSync(RHEL_9)], {})
    if (read === undefined) throw new Error('There is no benchmark')
    benchmark = read.benchmark
    const catalogue = new SampleCatalogue()
    catalogue.add(benchmark)
    graph = graphOf(catalogue, new SampleOntology(await controlsIn(PUBLISHED)))
  })

  afterAll(() => graph.close())

  it('reaches techniques from 200 of 446 rules, the same ones that plain loops find', async () => {
    const rows = await graph.read(({ graph: asked, iris }) =>
      asked.select(COUNTERMEASURES, {
        benchmark: [iris.benchmark(benchmark)],
        cites: [`${iris.namespace}cci`],
        links: [iris.controls],
      }),
    )
    const found = rows.map(
      ({ rule, cci, technique }) => `${nameOf(rule.value)} ${nameOf(cci.value)} ${technique.value}`,
    )
    const reached = techniquesByCci(ontologyOf(PUBLISHED))
    const rules = ccisByRule(readFileSync(RHEL_9, 'utf8'))
    const expected = [...rules].flatMap(([rule, ccis]) =>
      ccis.flatMap((cci) =>
        Array.from(reached.get(cci) ?? [], (technique) => `${rule} ${cci} ${technique}`),
      ),
    )
    expect(new Set(found)).toStrictEqual(new Set(expected))
    expect(rules.size).toBe(446)
    expect(new Set(rows.map(({ rule }) => rule.value)).size).toBe(200)
    expect(found).toHaveLength(446)
  })

  it('fits into a graph of some ten thousand statements', async () => {
    await graph.sync()
    expect(graph.size).toBeGreaterThan(9000)
    expect(graph.size).toBeLessThan(12_000)
  })
})

describe.skipIf(!isPresent)('The controls of a release', () => {
  it('are 671 statements in D3FEND 0.17.0', async () => {
    const { techniques, assertions } = await controlsIn(PUBLISHED)
    expect(techniques).toHaveLength(202)
    expect(assertions).toHaveLength(671)
    const ccis = assertions.filter(({ kind }) => kind === `${D3F}CCIControl`)
    expect(new Set(ccis.map(({ control }) => control)).size).toBe(
      techniquesByCci(ontologyOf(PUBLISHED)).size,
    )
  })

  it('are none in a source of August 2025, which has techniques nevertheless', async () => {
    const { techniques, assertions } = await controlsIn(SOURCE)
    expect(techniques).toHaveLength(249)
    expect(assertions).toStrictEqual([])
  })
})

/** The last segment of an IRI. */
function nameOf(iri: string): string {
  return decodeURIComponent(iri.slice(iri.lastIndexOf('/') + 1))
}
