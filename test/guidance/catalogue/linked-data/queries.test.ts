import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { readQuery } from '../../../../src/graph/query.ts'
import { EmbeddedGraph } from '../../../../src/graph/store.ts'
import { irisOf } from '../../../../src/guidance/catalogue/linked-data/graph/iris.ts'
import { projectControls } from '../../../../src/guidance/catalogue/linked-data/graph/project-controls.ts'
import { projector } from '../../../../src/guidance/catalogue/linked-data/graph/project.ts'
import { benchmarkOf, controlsOf, ruleOf } from './sample.ts'

const FOLDER = new URL('../../../../src/guidance/catalogue/linked-data/', import.meta.url)
const FILES = globSync('**/*.rq', { cwd: fileURLToPath(FOLDER) }).sort()
/** The samples in the queries are of a service that runs with its usual settings. */
const USUAL = irisOf('http://localhost:3000')

/** A graph in which every sample query finds something. */
function sampleGraph(): EmbeddedGraph {
  const graph = new EmbeddedGraph()
  const rules = [ruleOf('SV-1_rule', ['CCI-000015'])]
  const benchmark = benchmarkOf({ benchmarkId: 'RHEL_9_STIG', version: 'V2R7', rules })
  const nquads = projector(benchmark, USUAL)(benchmark.rules) + projectControls(controlsOf(), USUAL)
  graph.load(new TextEncoder().encode(nquads), 'application/n-quads')
  graph.load(new TextEncoder().encode('<a:s> <a:p> <a:o> .'), 'text/turtle')
  return graph
}

it('contains queries', () => {
  expect(FILES.length).toBeGreaterThan(2)
})

describe.each(FILES)('%s', (file) => {
  const query = readQuery(new URL(file, FOLDER), [])

  it('returns rows for its sample data', async () => {
    expect(await sampleGraph().select(query)).not.toStrictEqual([])
  })

  it('has VALUES before the patterns that use them', () => {
    const text = readFileSync(new URL(file, FOLDER), 'utf8')
    for (const [group = ''] of text.matchAll(/\{[^{}]*(?:VALUES[^{}]*\{[^{}]*\}\s*)+/g))
      expect(group).toMatch(/^\{\s*VALUES/)
  })
})

describe('Named graphs', () => {
  it('are removed one by one, with no error if they do not exist', () => {
    const graph = new EmbeddedGraph()
    const nquads = '<a:s> <a:p> <a:o> <a:g1> .\n<a:s> <a:p> <a:o> <a:g2> .\n'
    graph.load(new TextEncoder().encode(nquads), 'application/n-quads')
    graph.removeGraph('a:g1')
    graph.removeGraph('a:g3')
    expect(graph.dump().trim()).toBe('<a:s> <a:p> <a:o> <a:g2> .')
  })

  it('cannot be removed together by a hostile name', () => {
    const graph = new EmbeddedGraph()
    expect(() => {
      graph.removeGraph('a:g> ; DROP ALL #')
    }).toThrow()
  })

  it('return the same results after the shared terms are removed', async () => {
    const graph = sampleGraph()
    const query = { text: 'SELECT ?s WHERE { ?s ?p ?o }', columns: ['s'], optional: [] } as const
    const before = await graph.select(query)
    graph.forgetTerms()
    expect(await graph.select(query)).toStrictEqual(before)
  })
})
