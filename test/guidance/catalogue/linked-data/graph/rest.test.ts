import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CatalogueGraph } from '../../../../../src/guidance/catalogue/linked-data/graph/catalogue-graph.ts'
import { createLog } from '../../../../../src/platform/log.ts'
import { BASE, benchmarkOf, SampleCatalogue } from '../sample.ts'

function catalogueWith(version: string): SampleCatalogue {
  const catalogue = new SampleCatalogue()
  catalogue.add(benchmarkOf({ version }))
  return catalogue
}

/** A catalogue that says it has so many rules. */
async function catalogueOf(ruleCount: number): Promise<SampleCatalogue> {
  const catalogue = catalogueWith('V1R1')
  const releases = await catalogue.list()
  const large = releases.map((release) => ({ ...release, ruleCount }))
  vi.spyOn(catalogue, 'list').mockResolvedValue(large)
  return catalogue
}

function graphOver(source: SampleCatalogue, restMs: number): CatalogueGraph {
  const graph = new CatalogueGraph({ source, ontology: null, baseUrl: BASE, log: createLog('silent'), restMs })
  onTestFinished(() => graph.close())
  return graph
}

describe('The graph of the catalogue', () => {
  it('ends its thread when it is idle and refills it for the next query', async () => {
    const catalogue = catalogueWith('V1R1')
    const graph = graphOver(catalogue, 100)
    const first = await graph.read(async ({ graph: thread }) => {
      // Longer than the rest: whoever asks keeps it.
      await sleep(300)
      await thread.dump()
      return thread
    })
    await vi.waitFor(() => {
      expect(first).toMatchObject({ alive: false })
    })
    catalogue.add(benchmarkOf({ version: 'V1R2' }))
    const dumped = await graph.dump()
    expect(dumped).toContain('V1R1/rules/SV-1_rule')
    expect(dumped).toContain('V1R2/rules/SV-1_rule')
    expect(catalogue.reads).toBe(3)
  })

  it('keeps its thread if refilling is slow', async () => {
    const graph = graphOver(await catalogueOf(25_001), 20)
    const thread = await graph.read((found) => Promise.resolve(found.graph))
    await sleep(200)
    expect(thread.alive).toBe(true)
  })

  it('keeps it twice as long if refilling takes some time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const graph = graphOver(await catalogueOf(10_001), 1000)
    const thread = await graph.read((found) => Promise.resolve(found.graph))
    vi.advanceTimersByTime(1500)
    expect(thread.alive).toBe(true)
    vi.advanceTimersByTime(1000)
    expect(thread.alive).toBe(false)
  })
})
