// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphOf, SparqlEngine } from '../../src/graph/engine/engine.ts'
import { RemoteGraph } from '../../src/graph/engine/remote-graph.ts'
import { ontologyGraphs } from '../../src/ontology/graphs.ts'
import { ReleaseFolder } from '../../src/ontology/release/folder.ts'
import type { Manifest } from '../../src/ontology/release/manifest.ts'
import { pushRelease } from '../../src/ontology/release/push.ts'
import { openRelease, type Release } from '../../src/ontology/release/release.ts'
import { openRemoteRelease } from '../../src/ontology/release/remote-release.ts'
import { listPaths } from '../../src/ontology/render/paths.ts'
import { render } from '../../src/ontology/render/render.ts'
import { ingestInto, jsonOf, startService, STARTER, type RawResponse, type TestService } from '../support/service.ts'
import { startSparqlEndpoint, type SparqlEndpoint } from '../support/sparql-endpoint.ts'
import { startSparql } from '../support/sparql-service.ts'
import { hasVirtuoso, startVirtuoso, type Virtuoso } from '../support/virtuoso.ts'

const GRAPH = 'https://example.org/releases/{version}'
let dataDir = ''
let folder: ReleaseFolder
let manifest: Manifest
let endpoint: SparqlEndpoint

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
  await ingestInto(dataDir, STARTER)
  folder = new ReleaseFolder(dataDir)
  const active = await folder.manifest((await folder.active()) ?? '')
  if (active === null) throw new Error('There is no release')
  manifest = active
  endpoint = await startSparqlEndpoint()
  const graph = graphOf({ url: '', graph: GRAPH }, manifest.version)
  const lines = (await folder.graph(manifest)).split('\n')
  const quads = lines.map((line) => line.replace(/ \.$/, ` <${graph}> .`)).join('\n')
  endpoint.graph.load(Buffer.from(quads), 'application/n-quads')
}, 60_000)

afterAll(async () => {
  await endpoint.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** An answer of every view. */
async function answersOf(release: Release): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>()
  const paths = listPaths(release, { describe: true })
  const first = new Map(paths.map(({ folder: viewFolder, name }) => [viewFolder, viewFolder + name]))
  for (const path of first.values()) {
    const { body } = await render(release, path, { coding: 'identity' })
    answers.set(path, Buffer.from(body).toString('utf8'))
  }
  return answers
}

describe('A release in another engine', () => {
  it.each([['everything', 'well'] as const, ['1,000 rows at a time', { cut: 1000 }] as const])(
    'answers like one of the folder, if it gives %s',
    { timeout: 60_000 },
    async (_what, behaviour) => {
      endpoint.behaviour = behaviour
      const remote = await openRemoteRelease({ url: endpoint.url, graph: GRAPH }, manifest)
      endpoint.behaviour = 'well'
      const local = await openRelease(folder, manifest)
      expect(remote.resources).toEqual(local.resources)
      if (behaviour === 'well') expect(await answersOf(remote)).toEqual(await answersOf(local))
    },
  )

  it('is not opened if statements are missing, and the refusal counts them', async () => {
    await expect(
      openRemoteRelease({ url: endpoint.url, graph: 'https://example.org/other' }, manifest),
    ).rejects.toThrow(`the engine has 0 of ${manifest.counts.statements} statements`)
  })
})

describe('A release in another Parapet', () => {
  it('answers like a release in the folder', { timeout: 120_000 }, async () => {
    const baseUrl = 'https://example.org'
    const service = { release: () => Promise.resolve({ manifest }), engine: null }
    // The time for a query is tried elsewhere; a busy machine may need more for some of these.
    const env = { SERVICE_SPARQL_SECONDS: '60' }
    const other = await startSparql({ sources: [ontologyGraphs(service, { dataDir, baseUrl })], env })
    try {
      const remote = await openRemoteRelease({ url: other.url, graph: GRAPH }, manifest)
      const local = await openRelease(folder, manifest)
      expect(await answersOf(remote)).toEqual(await answersOf(local))
    } finally {
      await other.close()
    }
  })
})

describe('An unavailable engine', () => {
  it('is tried again, then left alone for a while', async () => {
    const engine = new SparqlEngine({ url: endpoint.url }, { pauseMs: 1 })
    endpoint.behaviour = 'busy'
    const before = endpoint.count
    const ask = (): Promise<Response> => engine.query('ASK { ?s ?p ?o }', { accept: '*/*' })
    await expect(ask()).rejects.toMatchObject({ code: 'engine_unavailable' })
    expect(endpoint.count - before).toBe(3)
    await expect(ask()).rejects.toMatchObject({ members: { retry_after: 1 } })
    expect([endpoint.count - before, engine.isAway]).toEqual([3, true])
    endpoint.behaviour = 'well'
  })

  it('is abandoned after the deadline, and clients that leave do not count as its failures', async () => {
    const engine = new SparqlEngine({ url: endpoint.url }, { deadlineMs: 50, tries: 1 })
    endpoint.behaviour = 'silent'
    const asked = engine.query('ASK { ?s ?p ?o }', { accept: '*/*' })
    await expect(asked).rejects.toMatchObject({ code: 'engine_unavailable' })
    for (let client = 0; client < 3; client += 1) {
      const left = engine.query('ASK { ?s ?p ?o }', { accept: '*/*', signal: AbortSignal.abort(new Error('gone')) })
      await expect(left).rejects.toThrow('gone')
    }
    expect(engine.isAway).toBe(false)
    endpoint.behaviour = 'well'
  })
})

describe('A service with releases in another engine', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startService(dataDir, { SERVICE_SPARQL_URL: endpoint.url, SERVICE_SPARQL_GRAPH: GRAPH })
  }, 60_000)

  afterAll(async () => {
    await service.close()
  })

  it('keeps answering from loaded data while the engine is unavailable', { timeout: 60_000 }, async () => {
    const described = '/api/ontology/describe/d3f:File.json'
    expect((await service.get('/api/matrix.json')).headers).not.toHaveProperty('warning')
    expect((await service.get(described)).status).toBe(200)
    expect(jsonOf(await service.get('/readyz'))).toMatchObject({ engine: 'answers' })
    endpoint.behaviour = 'busy'
    await expect.poll(() => service.ontology.engine, { timeout: 10_000 }).toBe('away')
    for (const path of ['/api/matrix.json', '/api/dao/artifacts.json', described]) {
      const { status, headers } = await service.get(path)
      expect([path, status]).toEqual([path, 200])
      expect(headers.warning).toMatch(/^110 /)
    }
    const unread = await service.get('/api/ontology/describe/d3f:Process.json')
    expect([unread.status, jsonOf(unread)]).toMatchObject([503, { code: 'engine_unavailable' }])
    expect(jsonOf(await service.get('/readyz'))).toMatchObject({ engine: 'away' })
    endpoint.behaviour = 'well'
    await expect.poll(() => service.ontology.engine, { timeout: 10_000 }).toBe('answers')
    const again = (): Promise<number> =>
      service.get('/api/ontology/describe/d3f:Process.json').then(({ status }) => status)
    await expect.poll(again, { timeout: 10_000 }).toBe(200)
    expect((await service.get('/api/matrix.json')).headers).not.toHaveProperty('warning')
  })
})

describe('A service that starts while the engine is away', () => {
  it('serves the release from the folder until the engine is back', { timeout: 90_000 }, async () => {
    endpoint.behaviour = 'busy'
    const service = await startService(dataDir, { SERVICE_SPARQL_URL: endpoint.url, SERVICE_SPARQL_GRAPH: GRAPH })
    try {
      const described = (name: string): Promise<RawResponse> => service.get(`/api/ontology/describe/d3f:${name}.json`)
      const standsIn = service.ontology.current
      const { status, headers } = await described('File')
      expect([status, headers.warning]).toEqual([200, expect.stringMatching(/^110 /)])
      expect((await service.get(`/releases/${manifest.version}/api/matrix.json`)).status).toBe(200)
      expect(jsonOf(await service.get('/readyz'))).toMatchObject({ engine: 'away' })
      endpoint.behaviour = 'well'
      await expect.poll(() => service.ontology.current, { timeout: 60_000 }).not.toBe(standsIn)
      const before = endpoint.count
      const again = await described('Process')
      expect([again.status, again.headers.warning]).toEqual([200, undefined])
      expect(endpoint.count).toBeGreaterThan(before)
    } finally {
      endpoint.behaviour = 'well'
      await service.close()
    }
  })
})

describe.skipIf(!hasVirtuoso())('A release in Virtuoso', () => {
  let virtuoso: Virtuoso

  beforeAll(async () => {
    virtuoso = await startVirtuoso()
  }, 90_000)

  afterAll(async () => {
    await virtuoso.stop()
  })

  it('is pushed with credentials, and answers like a release in the folder', { timeout: 60_000 }, async () => {
    const engine = { url: virtuoso.queries, graph: GRAPH }
    const store = { url: virtuoso.store, timeoutMs: 30_000 }
    const push = (password: string): Promise<unknown> =>
      pushRelease(folder, manifest, { engine, store: { ...store, credentials: { user: 'dba', password } } })
    await expect(push('guessed')).rejects.toMatchObject({ code: 'push_refused' })
    const { statements } = manifest.counts
    await expect(push('dba')).resolves.toMatchObject({ statements })
    const remote = await openRemoteRelease(engine, manifest)
    const local = await openRelease(folder, manifest)
    expect(await answersOf(remote)).toEqual(await answersOf(local))
    const graph = await RemoteGraph.open(new SparqlEngine(engine), graphOf(engine, '9.9.9'))
    expect(await graph.size()).toBe(0)
  })
})
