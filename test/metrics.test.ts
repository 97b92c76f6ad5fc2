import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, it, vi } from 'vitest'
import { Metrics } from '../src/metrics/metrics.ts'
import { collectProcessMetrics } from '../src/metrics/process-metrics.ts'
import { createLog } from '../src/platform/log.ts'
import { promtool } from './support/programs.ts'
import { faultsOfMetrics, runPromtool } from './support/promtool.ts'
import { refusalOf } from './support/refusal.ts'
import { serviceWith } from './support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'

const service = serviceWith([{ sources: [SMALL], version: '1.0.0', date: '2026-01-01' }], { SERVICE_METRICS_PORT: '0' })

async function metrics(): Promise<string> {
  const response = await fetch(service().metricsUrl ?? '')
  expect(response.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return response.text()
}

/** The value of a line, whose labels are in the order in which they are told; null: there is none. */
async function valueOf(line: string): Promise<number | null> {
  const metricLine = (await metrics()).split('\n').find((candidate) => candidate.startsWith(`${line} `))
  return metricLine === undefined ? null : Number(metricLine.slice(line.length))
}

/** The number of requests with this pattern of a path. */
function countOf(method: string, route: string, status: number): Promise<number | null> {
  const labels = `method="${method}",route="${route}",status="${status}"`
  return valueOf(`parapet_http_request_seconds_count{${labels}}`)
}

describe('Metrics', () => {
  it('count requests by the pattern of their path, and never contain the path', async () => {
    await service().get('/api/technique/d3f:Nothing.json?q=s3cret')
    await service().get('/stigs/4711')
    await service().get('/no/such/s3cret')
    await vi.waitFor(async () => {
      expect(await countOf('GET', '/api/technique/{technique}.json', 404)).toBe(1)
      expect(await countOf('GET', '/stigs/{id}', 401)).toBe(1)
      expect(await countOf('GET', 'none', 404)).toBe(1)
    })
    expect(await metrics()).not.toMatch(/s3cret|\/4711/)
  })

  it('count answers from memory separately', async () => {
    const { headers } = await service().get('/api/matrix.json')
    const before = (await valueOf('parapet_http_memory_answers_total{status="200"}')) ?? 0
    await service().get('/api/matrix.json')
    await service().get('/api/matrix.json', { headers: { 'If-None-Match': headers.etag ?? '' } })
    expect(await valueOf('parapet_http_memory_answers_total{status="200"}')).toBe(before + 1)
    expect(await valueOf('parapet_http_memory_answers_total{status="304"}')).toBe(1)
    expect(await valueOf('parapet_cached_answers')).toBeGreaterThan(0)
  })

  it('include threads, statements, releases, the data folder and the process', async () => {
    const text = await metrics()
    const { sha256 } = service().ontology.current?.manifest ?? { sha256: '' }
    expect(text).toContain(`parapet_release_info{version="1.0.0",sha256="${sha256}"} 1`)
    expect(text).toContain('parapet_active_release_faulty 0')
    for (const name of [
      'parapet_releases 1',
      'parapet_threads{thread="render"} 1',
      'parapet_search_ready 1',
      'parapet_event_streams 0',
      'parapet_webhook_deliveries_waiting 0',
      'parapet_storage_writable 1',
      'parapet_database_busy_total 0',
      'nodejs_eventloop_lag_p99_seconds ',
      'parapet_threads_given_up_total{thread="render",reason="heap"} 0',
      'process_resident_memory_bytes ',
      'nodejs_gc_duration_seconds_count',
    ])
      expect(text).toContain(`\n${name}`)
    for (const name of [
      'parapet_statements_total',
      'parapet_data_folder_bytes{what="free"}',
      'parapet_thread_heap_bytes{thread="render"}',
      'parapet_thread_external_bytes{thread="render"}',
      'parapet_thread_heap_committed_bytes{thread="render"}',
      'parapet_thread_answers_total{thread="render"}',
      'parapet_statement_seconds_total',
    ])
      expect(await valueOf(name)).toBeGreaterThan(0)
  })

  it('include the age of the search index', async () => {
    await service().get('/api/search/suggest?q=fire')
    expect(await valueOf('parapet_search_index_age_seconds')).toBeLessThan(5)
  })

  it('count refused sign-ins by method', async () => {
    const line = 'parapet_sign_ins_failed_total{way="token"}'
    const before = (await valueOf(line)) ?? 0
    await service().get('/projects', { headers: { Authorization: 'Token nobody-has-this' } })
    expect(await valueOf(line)).toBe(before + 1)
  })

  it('are served only on their own address', async () => {
    expect((await service().get('/metrics')).status).toBe(404)
    const other = new URL('/api/matrix.json', service().metricsUrl ?? '')
    expect((await fetch(other)).status).toBe(404)
    expect((await fetch(service().metricsUrl ?? '', { method: 'POST' })).status).toBe(405)
  })

  it('leave out unreadable figures and log them', async () => {
    const lines: string[] = []
    const log = pino({ base: null }, { write: (line) => void lines.push(line) })
    const broken = {
      name: 'broken',
      help: 'Broken.',
      kind: 'gauge' as const,
      read: () => Promise.reject(new Error('gone')),
    }
    const silent = { ...broken, name: 'silent', read: () => new Promise<never>(() => undefined) }
    const fine = { ...broken, name: 'fine', read: () => [{ value: 3 }] }
    const failing = new Metrics([broken, silent, fine], { host: '127.0.0.1', port: 0, log })
    await failing.listen()
    const address = failing.address
    if (address === null || typeof address === 'string') throw new Error('It does not listen')
    const text = await (await fetch(`http://127.0.0.1:${address.port}/metrics`)).text()
    await failing.close()
    expect(text).toContain('\nparapet_fine 3')
    expect(text).not.toMatch(/^parapet_broken /m)
    expect(lines.join('')).toContain('"figure":"broken","reason":"gone"')
    expect(lines.join('')).toContain('"figure":"silent","reason":"no answer within 2000 ms"')
  })

  it.runIf(promtool.isInstalled)('pass the checks of promtool', async () => {
    expect(faultsOfMetrics(await metrics())).toBe('')
  })

  it('have names that end with _total exactly if they are counters', async () => {
    const types = [...(await metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    const odd = types.filter(([, name = '', type]) => name.endsWith('_total') !== (type === 'counter'))
    expect(types.length).toBeGreaterThan(30)
    expect(odd.map(([line]) => line)).toEqual([])
  })

  it.each(['alerts.yml', 'dashboard.json'])('have every name that %s uses', async (name) => {
    const file = await readFile(new URL(`../docs/operate/${name}`, import.meta.url), 'utf8')
    const used = [...file.matchAll(/\b(?:parapet|nodejs|process)_\w+/g)].map(([metric]) =>
      metric.replace(/_(?:bucket|count|sum)$/, ''),
    )
    const published = [...(await metrics()).matchAll(/^# TYPE (\S+)/gm)].map(([, metric]) => metric)
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((metric) => !published.includes(metric))).toEqual([])
  })

  it.runIf(promtool.isInstalled)('have alerts that Prometheus can evaluate', () => {
    const { status, stdout } = runPromtool(['check', 'rules', 'docs/operate/alerts.yml'])
    expect(stdout).toContain('SUCCESS: 16 rules found')
    expect(status).toBe(0)
  })

  it('refuse an address that is in use', async () => {
    const port = Number(new URL(service().metricsUrl ?? '').port)
    const second = new Metrics([], { host: '127.0.0.1', port, log: createLog('silent') })
    const { code, message } = await refusalOf(() => second.listen())
    expect(code).toBe('setting_invalid')
    expect(message).toContain(`SERVICE_METRICS_PORT ${port}`)
  })
})

describe('Metrics of the process', () => {
  it('have the names of the library, except for three gauges', async () => {
    const [ours, theirs] = [new Registry(), new Registry()]
    collectProcessMetrics(ours)
    collectDefaultMetrics({ register: theirs })
    const described = ({ name, help, type }: { name: string; help: string; type: unknown }) => {
      const plain = name.replace(/^nodejs_(active_\w+)_total$/, 'nodejs_all_$1')
      return `${plain} ${String(type)} ${plain.startsWith('nodejs_all_') ? '' : help}`
    }
    const [ourMetrics, theirMetrics] = await Promise.all(
      [ours, theirs].map(async (registry) => (await registry.getMetricsAsJSON()).map(described).sort()),
    )
    expect(ourMetrics).toEqual(theirMetrics)
    expect(ourMetrics?.filter((metric) => metric.startsWith('nodejs_all_active_'))).toHaveLength(3)
  })

  it.each(['handles', 'requests', 'resources'])('has the sum of all active %s', async (resource) => {
    const registry = new Registry()
    collectProcessMetrics(registry)
    const sum = async (name: string): Promise<number> => {
      const metric = registry.getSingleMetric(name)
      const { values } = (await metric?.get()) ?? { values: [] }
      return values.reduce((subtotal, { value }) => subtotal + value, 0)
    }
    const timer = setTimeout(() => undefined, 60_000)
    const [total, each] = [await sum(`nodejs_all_active_${resource}`), await sum(`nodejs_active_${resource}`)]
    clearTimeout(timer)
    expect(total).toBe(each)
    if (resource === 'resources') expect(total).toBeGreaterThan(0)
  })

  it('count each garbage collection once, with its duration', async () => {
    const registry = new Registry()
    collectProcessMetrics(registry)
    const count = async (): Promise<number> => {
      const text = await registry.getSingleMetricAsString('nodejs_gc_duration_seconds')
      return Number(/_count\{kind="minor"\} (\d+)$/m.exec(text)?.[1] ?? 0)
    }
    const garbage: { made: readonly number[] } = { made: [] }
    for (let round = 0; round < 3_000_000; round += 1) garbage.made = [round]
    const first = await count()
    expect(first).toBeGreaterThan(0)
    for (let round = 0; round < 3_000_000; round += 1) garbage.made = [round]
    expect(await count()).toBeGreaterThan(first)
    const text = await registry.getSingleMetricAsString('nodejs_gc_duration_seconds')
    const seconds = Number(/_sum\{kind="minor"\} (\S+)$/m.exec(text)?.[1])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(60)
  })
})
