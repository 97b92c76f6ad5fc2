import { describe, expect, it } from 'vitest'
import type { PublicGraph, PublicGraphs } from '../../src/contracts/graphs.ts'
import { publicCatalogue } from '../../src/guidance/catalogue/linked-data/graph/public-graphs.ts'
import { createLog } from '../../src/platform/log.ts'
import { Library } from '../../src/sparql/graphs/library.ts'
import { benchmarkOf, graphOf, SampleCatalogue } from '../guidance/catalogue/linked-data/sample.ts'

const log = createLog('silent')

describe('The graphs of SPARQL', () => {
  it('are read while others import without a pause', async () => {
    const catalogue = new SampleCatalogue()
    const graph = graphOf(catalogue)
    const source = publicCatalogue(graph)
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
    const library = new Library([busy], log)
    expect(await library.fill()).toBe(true)
    const { held } = await library.shelf()
    expect(held.map(({ iri }) => iri)).toContain(graph.iris.releases)
    expect(held.map(({ iri }) => iri)).toContain(`${graph.iris.line('Test_STIG')}/V1R1`)
    await graph.close()
  })

  it('are asked of the database once for a list, not for each of them', async () => {
    const catalogue = new SampleCatalogue()
    for (const version of ['V1R1', 'V1R2', 'V1R3']) catalogue.add(benchmarkOf({ version }))
    const graph = graphOf(catalogue)
    expect(await new Library([publicCatalogue(graph)], log).fill()).toBe(true)
    expect(catalogue.lists).toBe(1)
    await graph.close()
  })

  it('do without one that is gone, and are not there without the one that is asked by default', async () => {
    const gone = (role: PublicGraph['role']): PublicGraphs => ({
      list: () => Promise.resolve([{ iri: 'urn:gone', key: '1', title: 'Gone', role }]),
      read: () => Promise.resolve(null),
    })
    const named = new Library([gone('named')], log)
    expect(await named.fill()).toBe(true)
    expect((await named.shelf()).held).toEqual([])
    expect(await new Library([gone('default')], log).fill()).toBe(false)
  })
})
