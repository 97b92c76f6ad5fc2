import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PublicGraph, PublicGraphs } from '../../src/contracts/graphs.ts'
import { irisOf } from '../../src/guidance/catalogue/linked-data/graph/iris.ts'
import { publicCatalogue } from '../../src/guidance/catalogue/linked-data/graph/public-graphs.ts'
import { createLog } from '../../src/platform/log.ts'
import { GraphLibrary } from '../../src/sparql/graphs/library.ts'
import { BASE, benchmarkOf, SampleCatalogue } from '../guidance/catalogue/linked-data/sample.ts'

const log = createLog('silent')
const iris = irisOf(BASE)

afterEach(() => {
  vi.useRealTimers()
})

describe('The graphs of SPARQL', () => {
  it('are listed again before a query long after the last one', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const catalogue = new SampleCatalogue()
    catalogue.add(benchmarkOf({ version: 'V1R1' }))
    const library = new GraphLibrary([publicCatalogue({ source: catalogue, iris, ontology: null })], log)
    const before = (await library.published()).held.length
    catalogue.add(benchmarkOf({ version: 'V1R2' }))
    vi.advanceTimersByTime(6000)
    expect((await library.published()).held).toHaveLength(before + 1)
  })

  it('are read while others import without a pause', async () => {
    const catalogue = new SampleCatalogue()
    const source = publicCatalogue({ source: catalogue, iris, ontology: null })
    let version = 0
    const importOne = (): void => {
      version += 1
      catalogue.add(benchmarkOf({ version: `V1R${version}` }))
    }
    const busy: PublicGraphs = {
      list: async () => {
        importOne()
        return source.list()
      },
      read: async (asked) => {
        importOne()
        return source.read(asked)
      },
    }
    const library = new GraphLibrary([busy], log)
    expect(await library.fill()).toBe(true)
    const { held } = await library.published()
    expect(held.map(({ iri }) => iri)).toContain(iris.releases)
    const first = held.find(({ iri }) => iri === `${iris.line('Test_STIG')}/V1R1`)
    expect(first && (await library.read(first))).not.toBeNull()
  })

  it('are listed by one query, and read on demand', async () => {
    const catalogue = new SampleCatalogue()
    for (const version of ['V1R1', 'V1R2', 'V1R3']) catalogue.add(benchmarkOf({ version }))
    const library = new GraphLibrary([publicCatalogue({ source: catalogue, iris, ontology: null })], log)
    const { held } = await library.published()
    expect(held).toHaveLength(4)
    expect([catalogue.lists, catalogue.reads]).toEqual([1, 0])
    const [first] = held
    if (first === undefined) throw new Error('There is no graph')
    const [graph, sameGraph] = await Promise.all([library.read(first), library.read(first)])
    expect(graph?.packed).toBe(sameGraph?.packed)
    expect(catalogue.reads).toBe(1)
  })

  it('leave out a removed graph, and are unavailable without the default graph', async () => {
    const gone = (role: PublicGraph['role']): PublicGraphs => ({
      list: () => Promise.resolve([{ iri: 'urn:gone', key: '1', title: 'Gone', role }]),
      read: () => Promise.resolve(null),
    })
    const named = new GraphLibrary([gone('named')], log)
    expect(await named.fill()).toBe(true)
    const [listed] = (await named.published()).held
    expect(listed && (await named.read(listed))).toBeNull()
    expect(await new GraphLibrary([gone('default')], log).fill()).toBe(false)
  })
})
