import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PublicGraph, PublicGraphs } from '../../src/contracts/graphs.ts'
import { startSparql, type SparqlOnly } from '../support/sparql-service.ts'

const RELEASE = 'http://parapet.example/release'
const OTHER = 'http://parapet.example/other'
const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }'
const COUNT_OTHER = `SELECT (COUNT(*) AS ?n) FROM <${OTHER}> { ?s ?p ?o }`
const problem = z.object({ code: z.string(), retry_after: z.number().optional() })

/** Graphs that a test changes while they are asked. */
class ChangingGraphs implements PublicGraphs {
  /** The statements of each graph by its IRI; null: it cannot be read any more. */
  readonly graphs = new Map<string, { readonly key: string; readonly nTriples: string | null }>()
  /** Runs before the graphs are listed. */
  beforeList: () => Promise<void> = () => Promise.resolve()

  async list(): Promise<readonly PublicGraph[]> {
    await this.beforeList()
    return Array.from(this.graphs, ([iri, { key }]) => ({
      iri,
      key,
      title: iri,
      role: iri === RELEASE ? 'default' : 'named',
    }))
  }

  read({ iri, key }: PublicGraph): Promise<Uint8Array | null> {
    const graph = this.graphs.get(iri)
    const isListed = graph?.key === key && graph.nTriples !== null
    return Promise.resolve(isListed ? Buffer.from(graph.nTriples) : null)
  }

  /** So many statements. */
  set(iri: string, key: string, statements: number): void {
    this.graphs.set(iri, { key, nTriples: linesOf(statements) })
  }
}

function linesOf(statements: number): string {
  return Array.from({ length: statements }, (_unused, index) => `<a:${index}> <a:p> "${index}" .\n`).join('')
}

let sparql: SparqlOnly | null = null

afterEach(async () => {
  await sparql?.close()
  sparql = null
})

async function startWith(graphs: PublicGraphs): Promise<SparqlOnly> {
  sparql = await startSparql({ sources: [graphs], env: { SERVICE_SPARQL_THREADS: '1' } })
  return sparql
}

/** The count, or what it was refused with. */
async function ask(query = COUNT): Promise<number | z.output<typeof problem>> {
  // Answers are kept for queries that are equal.
  const body = `${query} # ${Math.random()}`
  const headers = { 'Content-Type': 'application/sparql-query', Accept: 'text/csv' }
  const answer = await fetch(sparql?.url ?? '', { method: 'POST', headers, body })
  if (answer.status === 200) return Number((await answer.text()).split('\r\n')[1])
  return { ...problem.parse(await answer.json()) }
}

const NOT_READY = { code: 'graphs_not_ready', retry_after: 2 }

describe('After a start, SPARQL', () => {
  it('refuses queries and is not ready until the graphs are loaded', async () => {
    const graphs = new ChangingGraphs()
    graphs.set(RELEASE, '1', 3)
    let open = (): void => undefined
    const opened = new Promise<void>((resolve) => (open = resolve))
    graphs.beforeList = () => opened
    const { service } = await startWith(graphs)
    const prepared = service.prepare()
    expect(await ask()).toMatchObject(NOT_READY)
    expect(await ask(COUNT_OTHER)).toMatchObject(NOT_READY)
    expect(() => {
      service.checkReady()
    }).toThrow('still being read')
    open()
    await prepared
    service.checkReady()
    expect(await ask()).toBe(3)
  })

  it('becomes ready after a failure to read the graphs', async () => {
    const graphs = new ChangingGraphs()
    graphs.set(RELEASE, '1', 3)
    graphs.beforeList = () => Promise.reject(new Error('No release is open'))
    const { service } = await startWith(graphs)
    await service.prepare()
    expect(await ask()).toMatchObject(NOT_READY)
    graphs.beforeList = () => Promise.resolve()
    await expect.poll(() => ask(), { timeout: 30_000 }).toBe(3)
    service.checkReady()
  })
})

describe('A query of a changing graph', () => {
  it('is answered from the complete new graph', async () => {
    const graphs = new ChangingGraphs()
    graphs.set(RELEASE, '1', 3)
    graphs.set(OTHER, '1', 2)
    await startWith(graphs)
    expect(await ask()).toBe(3)
    // Neither has been listed anew yet, and what the other one stated has not been read.
    graphs.set(OTHER, '2', 7)
    expect(await ask(COUNT_OTHER)).toBe(7)
    graphs.set(RELEASE, '2', 5)
    expect([3, 5]).toContain(await ask())
    await expect.poll(() => ask(), { timeout: 30_000 }).toBe(5)
  })

  it('is refused if the graph is gone', async () => {
    const graphs = new ChangingGraphs()
    graphs.set(RELEASE, '1', 3)
    graphs.set(OTHER, '1', 2)
    await startWith(graphs)
    expect(await ask()).toBe(3)
    graphs.graphs.delete(OTHER)
    expect(await ask(COUNT_OTHER)).toMatchObject({ code: 'graph_not_found' })
  })

  it('is refused if the graph is listed but cannot be read', async () => {
    const graphs = new ChangingGraphs()
    graphs.set(RELEASE, '1', 3)
    graphs.graphs.set(OTHER, { key: '1', nTriples: null })
    await startWith(graphs)
    expect(await ask(COUNT_OTHER)).toMatchObject(NOT_READY)
    const any = 'SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }'
    expect(await ask(any)).toMatchObject(NOT_READY)
    expect(await ask()).toBe(3)
  })

  it('leaves out a graph that could only be loaded in part', async () => {
    const graphs = new ChangingGraphs()
    graphs.set(RELEASE, '1', 3)
    graphs.graphs.set(OTHER, { key: '1', nTriples: `${linesOf(10_000)}<a:broken` })
    await startWith(graphs)
    expect(await ask(COUNT_OTHER)).toMatchObject({ code: 'internal_error' })
    graphs.set(OTHER, '2', 2)
    await expect.poll(() => ask(COUNT_OTHER), { timeout: 30_000 }).toBe(2)
    expect(await ask()).toBe(3)
  })
})
