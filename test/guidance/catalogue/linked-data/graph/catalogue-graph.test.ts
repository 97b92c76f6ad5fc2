import process from 'node:process'
import type { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { STATEMENT_COLUMNS } from '../../../../../src/graph/statements.ts'
import type { CatalogueGraph } from '../../../../../src/guidance/catalogue/linked-data/graph/catalogue-graph.ts'
import { projector } from '../../../../../src/guidance/catalogue/linked-data/graph/project.ts'
import { refusalOf } from '../../../../support/refusal.ts'
import {
  assertion,
  BASE,
  benchmarkOf,
  controlsOf,
  graphOf,
  ruleOf,
  SampleCatalogue,
  SampleOntology,
} from '../sample.ts'

const ALL = {
  text: 'SELECT ?subject ?predicate ?object WHERE { GRAPH ?g { ?subject ?predicate ?object } }',
  columns: STATEMENT_COLUMNS,
  optional: [],
} as const
const LINE = `${BASE}/benchmarks/Test_STIG`
const REPLACES = 'http://purl.org/dc/terms/replaces'
const open: CatalogueGraph[] = []

function opened(...given: Parameters<typeof graphOf>): CatalogueGraph {
  const graph = graphOf(...given)
  open.push(graph)
  return graph
}

function catalogueOf(...versions: readonly string[]): SampleCatalogue {
  const catalogue = new SampleCatalogue()
  for (const version of versions) catalogue.add(benchmarkOf({ version }))
  return catalogue
}

afterEach(async () => {
  for (const graph of open.splice(0)) await graph.close()
  vi.restoreAllMocks()
})

describe('The graph of the catalogue', () => {
  it('contains the serialised form of each benchmark', async () => {
    const graph = opened(catalogueOf('V1R1'), null)
    const lines = projector(benchmarkOf(), graph.iris)(benchmarkOf().rules).trim().split('\n')
    const dumped = await graph.dump()
    for (const line of lines) expect(dumped).toContain(`${line}\n`)
  })

  it('is empty for an empty catalogue without an ontology', async () => {
    const graph = opened(new SampleCatalogue(), null)
    expect(await graph.dump()).toBe('')
  })

  it('links each release to its product and to the release that it replaces', async () => {
    const graph = opened(catalogueOf('V1R1', 'V1R2'), null)
    const dumped = await graph.dump()
    expect(dumped).toContain(`<${LINE}/V1R2> <${REPLACES}> <${LINE}/V1R1> <${BASE}/graphs/releases>`)
    expect(dumped).toContain(`<${LINE}/V1R1> <http://purl.org/dc/terms/isVersionOf> <${LINE}>`)
    expect(dumped.match(new RegExp(REPLACES, 'g'))).toHaveLength(1)
  })

  it('does not mark a STIG as replaced by an SRG with the same id', async () => {
    const catalogue = catalogueOf('V1R1')
    catalogue.add(benchmarkOf({ kind: 'srg', version: 'V1R2' }))
    expect(await opened(catalogue, null).dump()).not.toContain(REPLACES)
  })

  it('adds new benchmarks and reads none twice', async () => {
    const catalogue = catalogueOf('V1R1')
    const graph = opened(catalogue)
    await graph.sync()
    catalogue.add(benchmarkOf({ version: 'V1R2' }))
    await graph.sync()
    expect(catalogue.reads).toBe(2)
    expect(await graph.dump()).toBe(await opened(catalogue).dump())
  })

  it('updates changed benchmarks and removes deleted ones', async () => {
    const catalogue = catalogueOf('V1R1', 'V1R2')
    const graph = opened(catalogue)
    await graph.sync()
    catalogue.replace(1, benchmarkOf({ rules: [ruleOf('SV-9_rule', ['CCI-000044'])] }))
    expect(await graph.dump()).toContain('SV-9_rule')
    expect(await graph.dump()).not.toContain('V1R1/rules/SV-1_rule')
    catalogue.remove(1)
    const dumped = await graph.dump()
    expect(dumped).not.toContain('SV-9_rule')
    expect(dumped).not.toContain('V1R1')
    expect(dumped).toBe(await opened(catalogue).dump())
  })

  it('skips a benchmark that is deleted during the update', async () => {
    const catalogue = catalogueOf('V1R1', 'V1R2')
    const listed = await catalogue.list()
    catalogue.remove(1)
    vi.spyOn(catalogue, 'list').mockResolvedValueOnce(listed)
    const graph = opened(catalogue)
    await graph.sync()
    expect(await graph.dump()).toBe(await opened(catalogue).dump())
  })

  it('reports an error if the catalogue cannot be read, and recovers', async () => {
    const catalogue = catalogueOf('V1R1')
    const graph = opened(catalogue)
    vi.spyOn(catalogue, 'list').mockRejectedValueOnce(new Error('No database'))
    await expect(graph.sync()).rejects.toThrow('No database')
    await expect(graph.sync()).resolves.toBeUndefined()
  })

  it('adds a benchmark whose rules could not be read at first', async () => {
    const catalogue = catalogueOf('V1R1', 'V1R2')
    const graph = opened(catalogue, null)
    vi.spyOn(catalogue, 'rules').mockImplementationOnce(async function* () {
      yield await Promise.resolve(benchmarkOf().rules.slice(0, 1))
      throw new Error('No database')
    })
    await expect(graph.sync()).rejects.toThrow('No database')
    expect(await graph.dump()).toBe(await opened(catalogue, null).dump())
  })

  it('skips a benchmark that it cannot add', async () => {
    const catalogue = catalogueOf('V1R1', 'V1R2')
    const [first] = catalogue.benchmarks
    vi.spyOn(catalogue, 'head').mockResolvedValueOnce({
      ...benchmarkOf({ version: 'V1R1' }),
      // Nothing can be written of it.
      get kind(): 'stig' {
        throw new Error('It is broken')
      },
    })
    const dumped = await opened(catalogue, null).dump()
    expect(dumped).toContain('V1R2/rules/SV-1_rule')
    expect(dumped).not.toContain(`${first?.benchmark.version}/rules/SV-1_rule`)
  })

  it('is updated before each query', async () => {
    const catalogue = catalogueOf('V1R1')
    const graph = opened(catalogue, null)
    const rules = (): Promise<number> => graph.read(async (found) => (await found.graph.select(ALL)).length)
    const before = await rules()
    catalogue.add(benchmarkOf({ version: 'V1R2' }))
    expect(await rules()).toBeGreaterThan(before)
  })

  it('is filled once for many simultaneous queries', async () => {
    const catalogue = catalogueOf('V1R1', 'V1R2', 'V1R3')
    const graph = opened(catalogue)
    await Promise.all(Array.from({ length: 50 }, () => graph.sync()))
    expect(catalogue.reads).toBe(3)
    expect(catalogue.lists).toBe(1)
  })

  it('contains benchmarks stored before the query, also during an update', async () => {
    const catalogue = catalogueOf('V1R1', 'V1R2')
    const graph = opened(catalogue, null)
    const first = graph.sync()
    await expect.poll(() => catalogue.reads).toBeGreaterThan(0)
    catalogue.add(benchmarkOf({ version: 'V1R3' }))
    const dumps = [graph.dump(), graph.dump()]
    await first
    for (const dump of await Promise.all(dumps)) expect(dump).toContain('V1R3')
    expect(catalogue.lists).toBe(2)
  })

  it('yields to other work between two benchmarks', async () => {
    const graph = opened(catalogueOf('V1R1', 'V1R2', 'V1R3'))
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    await graph.sync()
    isOver = true
    expect(turns).toBeGreaterThan(3)
  })
})

describe('The ontology in the graph', () => {
  it('is replaced with its release', async () => {
    const ontology = new SampleOntology()
    const graph = opened(catalogueOf('V1R1'), ontology)
    expect(await graph.dump()).toContain('LocalAccountMonitoring')
    const assertions = [assertion(['CCI-1', 'CCI-000366'], 'related', 'FileAnalysis')]
    ontology.release = controlsOf({ version: '2.0.0', digest: 'b'.repeat(64), assertions })
    const dumped = await graph.dump()
    expect(dumped).not.toContain('#broader>')
    expect(dumped).toContain('#related>')
    expect(await graph.read((found) => Promise.resolve(found.ontology))).toMatchObject({ version: '2.0.0' })
    expect(ontology.asked).toBe(2)
  })

  it('is added and removed with its release', async () => {
    const ontology = new SampleOntology(null)
    const graph = opened(catalogueOf('V1R1'), ontology)
    const without = await graph.dump()
    ontology.release = controlsOf()
    expect(await graph.dump()).toContain('exactMatch')
    ontology.release = null
    expect(await graph.dump()).toBe(without)
  })

  it('is refused if it cannot be read and was not loaded before', async () => {
    const ontology = new SampleOntology()
    const graph = opened(catalogueOf('V1R1'), ontology)
    const failing = vi.spyOn(ontology, 'controls').mockRejectedValue(new Error('It has died'))
    expect((await refusalOf(() => graph.dump())).code).toBe('release_unusable')
    failing.mockRestore()
    expect(await graph.dump()).toContain('exactMatch')
  })

  it('remains unchanged while its next release cannot be read', async () => {
    const ontology = new SampleOntology()
    const graph = opened(catalogueOf('V1R1'), ontology)
    const before = await graph.dump()
    ontology.release = controlsOf({ digest: 'b'.repeat(64) })
    const failing = vi.spyOn(ontology, 'controls').mockRejectedValue(new Error('It has died'))
    expect(await graph.dump()).toBe(before)
    expect(await graph.read((found) => Promise.resolve(found.ontology?.digest))).toBe('a'.repeat(64))
    failing.mockRestore()
    expect(await graph.read((found) => Promise.resolve(found.ontology?.digest))).toBe('b'.repeat(64))
  })

  it('matches CCIs by name only and omits invalid IRIs', async () => {
    const assertions = [
      assertion(['Odd', 'CCI-15'], 'broader', 'AccountLocking'),
      assertion(['NIST_AC-2', 'AC-2'], 'broader', 'AccountLocking'),
      assertion(['Bad> <urn:p> <urn:o> .', 'CCI-000001'], 'broader', 'AccountLocking'),
    ]
    const ontology = new SampleOntology(controlsOf({ assertions }))
    const dumped = await opened(new SampleCatalogue(), ontology).dump()
    expect(dumped).toContain('NIST_AC-2')
    expect(dumped).not.toContain('exactMatch')
    expect(dumped).not.toContain('urn:p')
  })
})

describe('The thread of the graph', () => {
  /** Ends the only thread there is, as if it had died. */
  async function kill(): Promise<void> {
    const [worker] = started.splice(0)
    if (worker === undefined) throw new Error('There is no thread')
    await worker.terminate()
  }

  const started: Worker[] = []

  function watchThreads(): void {
    started.length = 0
    const add = (worker: Worker): void => {
      started.push(worker)
    }
    process.on('worker', add)
    onTestFinished(() => {
      process.off('worker', add)
    })
  }

  it('is restarted and filled after it has died', async () => {
    watchThreads()
    const graph = opened(catalogueOf('V1R1', 'V1R2'))
    const before = await graph.dump()
    await kill()
    expect(await graph.dump()).toBe(before)
  })

  it('receives the query again if it dies during a query', async () => {
    watchThreads()
    const graph = opened(catalogueOf('V1R1'), null)
    let attempts = 0
    const rows = await graph.read(async (found) => {
      attempts += 1
      if (attempts === 1) await kill()
      return found.graph.select(ALL)
    })
    expect(attempts).toBe(2)
    expect(rows).toHaveLength((await graph.dump()).trim().split('\n').length)
  })

  it('survives an invalid query', async () => {
    const graph = opened(catalogueOf('V1R1'))
    const odd = { text: 'SELECT nonsense', columns: [], optional: [] }
    await expect(graph.read((found) => found.graph.select(odd))).rejects.toThrow(/expected/)
    expect(await graph.dump()).not.toBe('')
  })

  it('is not restarted after the graph is closed', async () => {
    const graph = opened(catalogueOf('V1R1'))
    await graph.sync()
    await graph.close()
    await expect(graph.sync()).rejects.toThrow('closed')
  })

  it('can be closed while it is filled and before its first use', async () => {
    await graphOf(catalogueOf('V1R1')).close()
    const graph = graphOf(catalogueOf('V1R1', 'V1R2'))
    const filling = graph.sync()
    const ended = expect(filling).rejects.toThrow(/closed|ended/)
    await graph.close()
    await ended
  })
})
