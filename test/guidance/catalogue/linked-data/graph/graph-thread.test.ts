// @module-tag node

import { afterEach, describe, expect, it } from 'vitest'
import { CatalogueGraph } from '../../../../../src/guidance/catalogue/linked-data/graph/catalogue-graph.ts'
import { graphLimits, GraphThread } from '../../../../../src/guidance/catalogue/linked-data/graph/graph-thread.ts'
import { createLog } from '../../../../../src/platform/log.ts'
import type { ThreadLimits } from '../../../../../src/platform/threads/supervised-thread.ts'
import { refusalOf } from '../../../../support/refusal.ts'
import { BASE, benchmarkOf, SampleCatalogue } from '../sample.ts'

const log = createLog('silent')
const open: { close(): Promise<void> }[] = []

function threadOf(limits: Partial<ThreadLimits> = {}): GraphThread {
  const thread = new GraphThread({ limits: { ...graphLimits(0), ...limits }, log })
  open.push(thread)
  return thread
}

/** Every way to choose so many statements. */
function choices(count: number): { text: string; columns: readonly []; optional: readonly [] } {
  const patterns = Array.from({ length: count }, (_, index) => `?s${index} ?p${index} ?o${index} .`).join(' ')
  return { text: `SELECT * WHERE { GRAPH ?g { ${patterns} } }`, columns: [], optional: [] }
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `<a:${index}> <a:p> "${index}" <a:g> .\n`).join('')
}

const GRAPH = ['a:g'] as const

afterEach(async () => {
  for (const thread of open.splice(0)) await thread.close()
})

describe('The thread of a graph', () => {
  it.each([
    { limits: { answerMs: 1500 }, query: choices(8) },
    { limits: { heapMegabytes: 64 }, query: choices(3) },
  ])('is closed if it exceeds $limits', async ({ limits, query }) => {
    const thread = threadOf(limits)
    await thread.change(GRAPH, [lines(50)])
    const asked = [thread.select(query), thread.select(choices(1)), thread.change(GRAPH, [lines(1)])]
    const ended = await Promise.allSettled(asked)
    for (const outcome of ended) expect(outcome).toMatchObject({ reason: { code: 'answer_abandoned' } })
    expect(thread.alive).toBe(false)
    expect((await refusalOf(() => thread.dump())).code).toBe('answer_abandoned')
  })

  it('discards statements of an aborted change', async () => {
    const thread = threadOf()
    const broken = function* (): Generator<string> {
      yield lines(3)
      throw new Error('It broke off')
    }
    await expect(thread.change(GRAPH, broken())).rejects.toThrow('It broke off')
    await thread.change(GRAPH, [])
    expect(await thread.dump()).toBe('')
    await expect(thread.change(GRAPH, broken())).rejects.toThrow('It broke off')
    await thread.change(GRAPH, [lines(1)])
    expect(await thread.dump()).toBe(lines(1))
  })
})

describe('The graph of a catalogue', () => {
  it('reports an error for a query that its thread cannot answer, and answers the next', async () => {
    const source = new SampleCatalogue()
    source.add(benchmarkOf())
    const asked: number[] = []
    const threadLimits = (rules: number): ThreadLimits => {
      asked.push(rules)
      return { ...graphLimits(rules), answerMs: 2000 }
    }
    const graph = new CatalogueGraph({ source, ontology: null, baseUrl: BASE, log, threadLimits })
    open.push(graph)
    const ask = (count: number): Promise<readonly unknown[]> =>
      graph.read((found) => found.graph.select(choices(count)))
    expect((await refusalOf(() => ask(8))).code).toBe('answer_abandoned')
    expect(await ask(1)).toHaveLength((await graph.dump()).trim().split('\n').length)
    expect(asked).toEqual([2, 2])
  })
})
