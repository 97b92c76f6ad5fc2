// @module-tag long

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ControlAssertions } from '../../../../../src/contracts/sources.ts'
import { D3F } from '../../../../../src/graph/vocabulary.ts'
import { ControlLinks } from '../../../../../src/guidance/catalogue/linked-data/countermeasures/control-links.ts'
import type { CatalogueGraph } from '../../../../../src/guidance/catalogue/linked-data/graph/catalogue-graph.ts'
import { ccisIn } from '../../../../../src/guidance/catalogue/linked-data/graph/project.ts'
import type { Benchmark } from '../../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import { readBenchmarks } from '../../../../../src/guidance/catalogue/xccdf/reader.ts'
import { findControls } from '../../../../../src/ontology/controls/controls.ts'
import { readRelease } from '../../../../../src/ontology/release/release.ts'
import { CORPUS } from '../../../../support/corpus.ts'
import { ccisByRule, ontologyOf, techniquesByCci } from '../../../../support/plain-links.ts'
import { manifestOf } from '../../../../support/release.ts'
import { graphOf, SampleCatalogue, SampleOntology } from '../sample.ts'

const PUBLISHED = join(CORPUS, 'ontology/d3fend-0.17.0.ttl')
const SOURCE = join(CORPUS, 'ontology/d3fend-source-2025-08.ttl')
const RHEL_9 = join(CORPUS, 'xccdf/U_RHEL_9_STIG_V2R7_Manual-xccdf.xml')
const isPresent = [PUBLISHED, SOURCE, RHEL_9].every((path) => existsSync(path))

async function controlsIn(file: string): Promise<ControlAssertions> {
  return findControls(await readRelease(ontologyOf(file), manifestOf()))
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

  it('links techniques to 200 of 446 rules, the same as plain loops find', async () => {
    const links = new ControlLinks(await controlsIn(PUBLISHED))
    const found = benchmark.rules.flatMap(({ ruleId, idents }) =>
      idents
        .flatMap(({ value }) => ccisIn(value).flatMap((cci) => links.from(cci)))
        .map(({ cci, technique }) => `${ruleId} ${cci} ${technique.iri}`),
    )
    const reached = techniquesByCci(ontologyOf(PUBLISHED))
    const rules = ccisByRule(readFileSync(RHEL_9, 'utf8'))
    const expected = [...rules].flatMap(([rule, ccis]) =>
      ccis.flatMap((cci) => Array.from(reached.get(cci) ?? [], (technique) => `${rule} ${cci} ${technique}`)),
    )
    expect(new Set(found)).toStrictEqual(new Set(expected))
    expect(rules.size).toBe(446)
    expect(new Set(found.map((line) => line.split(' ', 1)[0])).size).toBe(200)
    expect(found).toHaveLength(446)
  })

  it('builds a graph of about ten thousand statements', async () => {
    const statements = (await graph.dump()).trim().split('\n').length
    expect(statements).toBeGreaterThan(8000)
    expect(statements).toBeLessThan(9000)
  })
})

describe.skipIf(!isPresent)('The controls of a release', () => {
  it('finds 671 links in D3FEND 0.17.0', async () => {
    const { techniques, assertions } = await controlsIn(PUBLISHED)
    expect(techniques).toHaveLength(202)
    expect(assertions).toHaveLength(671)
    const ccis = assertions.filter(({ kind }) => kind === `${D3F}CCIControl`)
    expect(new Set(ccis.map(({ control }) => control)).size).toBe(techniquesByCci(ontologyOf(PUBLISHED)).size)
  })

  it('finds no links, but techniques, in a source of August 2025', async () => {
    const { techniques, assertions } = await controlsIn(SOURCE)
    expect(techniques).toHaveLength(249)
    expect(assertions).toStrictEqual([])
  })
})
