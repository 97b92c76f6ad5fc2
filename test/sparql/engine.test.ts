// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { PublicGraphs } from '../../src/contracts/graphs.ts'
import { readNTriples } from '../../src/graph/syntax/n3.ts'
import { termKey } from '../../src/graph/term.ts'
import { ontologyGraphs, ReleaseFolder } from '../../src/ontology/index.ts'
import type { Manifest } from '../../src/ontology/release/manifest.ts'
import { pushRelease } from '../../src/ontology/release/push.ts'
import { startEngineProxy, type Behaviour, type EngineProxy } from '../support/engine-proxy.ts'
import { ingestInto, STARTER } from '../support/service.ts'
import { startSparql, type SparqlOnly } from '../support/sparql-service.ts'
import { hasVirtuoso, startVirtuoso } from '../support/virtuoso.ts'

const HERE = 'http://parapet.example'
const THERE = 'http://engine.example'
const GRAPH = `${THERE}/releases/{version}`
const PREFIXES = `PREFIX d3f: <http://d3fend.mitre.org/ontologies/d3fend.owl#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
`
const JSON_RESULTS = 'application/sparql-results+json'
const ENV = { SERVICE_SPARQL_THREADS: '1', SERVICE_SPARQL_SECONDS: '30' }
const ALL = 'SELECT ?s ?p ?o { ?s ?p ?o } ORDER BY ?s ?p ?o'

let state: 'answers' | 'away' = 'answers'
let dataDir = ''
let manifest: Manifest
let engine: SparqlOnly
let sparql: SparqlOnly
let proxy: EngineProxy

const catalogue: PublicGraphs = {
  list: () => Promise.resolve([{ iri: `${HERE}/graphs/c`, key: '1', role: 'named', title: 'Catalogue' }]),
  read: ({ iri }) =>
    Promise.resolve(iri.endsWith('/c') ? new TextEncoder().encode('<a:rule> <a:cites> <a:control> .\n') : null),
}

/** `missing`: statements of the release that the engine does not have. */
async function start(graph: string, missing = 0): Promise<SparqlOnly> {
  const counts = { ...manifest.counts, statements: manifest.counts.statements + missing }
  const service = {
    release: () => Promise.resolve({ manifest: { ...manifest, counts } }),
    get engine() {
      return state
    },
  }
  const settings = { url: proxy.url, graph }
  const ontology = ontologyGraphs(service, { dataDir, baseUrl: HERE, engine: settings })
  return startSparql({ sources: [ontology, catalogue], baseUrl: HERE, engine: settings, env: ENV })
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

async function ask(
  query: string,
  accept = JSON_RESULTS,
  { url = sparql.url, ...init }: RequestInit & { readonly url?: string } = {},
): Promise<Answer> {
  const headers = { Accept: accept, 'Content-Type': 'application/sparql-query' }
  const answer = await fetch(url, { method: 'POST', body: PREFIXES + query, headers, ...init })
  return { status: answer.status, type: answer.headers.get('Content-Type') ?? '', text: await answer.text() }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
  await ingestInto(dataDir, STARTER)
  const folder = new ReleaseFolder(dataDir)
  const active = await folder.manifest((await folder.active()) ?? '')
  if (active === null) throw new Error('There is no release')
  manifest = active
  const service = { release: () => Promise.resolve({ manifest }), engine: null }
  engine = await startSparql({
    sources: [ontologyGraphs(service, { dataDir, baseUrl: THERE })],
    baseUrl: THERE,
    env: ENV,
  })
  proxy = await startEngineProxy(engine.url)
  sparql = await start(GRAPH)
  await engine.service.prepare()
}, 120_000)

afterAll(async () => {
  await sparql.close()
  await engine.close()
  proxy.close()
  await rm(dataDir, { recursive: true, force: true })
})

afterEach(() => {
  proxy.reset()
  state = 'answers'
})

const TECHNIQUES = 'SELECT ?s ?id ?label { ?s d3f:d3fend-id ?id ; rdfs:label ?label } ORDER BY ?s'

describe('A SPARQL endpoint with another engine', () => {
  it.each([
    [TECHNIQUES, JSON_RESULTS],
    [TECHNIQUES, 'application/sparql-results+xml'],
    [TECHNIQUES, 'text/csv'],
    [TECHNIQUES, 'text/tab-separated-values'],
    ['SELECT ?s ?none ("a\\t\\"b\\n<&" AS ?t) (1 AS ?n) ("x"@en AS ?l) { ?s d3f:d3fend-id ?id } LIMIT 2', 'text/csv'],
    ['SELECT ("a\\t\\"b,\\n<&" AS ?t) (1 AS ?n) ("x"@en AS ?l) ("z"^^<urn:t> AS ?d) (2.5 AS ?f) {}', 'text/csv'],
    ['SELECT ("b\\nc" AS ?t) ("d\\re" AS ?u) {}', 'text/csv'],
    ['SELECT ("a\\t\\"b,\\n<&" AS ?t) (1 AS ?n) ("x"@en AS ?l) ("z"^^<urn:t> AS ?d) {}', 'text/tab-separated-values'],
    [
      'SELECT ("a\\t\\"b,\\n<&" AS ?t) (1 AS ?n) ("x"@en AS ?l) ("z"^^<urn:t> AS ?d) {}',
      'application/sparql-results+xml',
    ],
    ['ASK { ?s d3f:d3fend-id ?id }', JSON_RESULTS],
    ['ASK { ?s d3f:no-id ?id }', 'application/sparql-results+xml'],
    ['ASK { ?s d3f:d3fend-id ?id }', 'text/csv'],
  ])('answers %s as %s from there, with the same bytes', async (query, accept) => {
    const local = await ask(query, accept, { url: engine.url })
    expect(await ask(query, accept)).toEqual(local)
    expect([local.status, proxy.asked.length > 0]).toEqual([200, true])
  })

  it.each([
    ['CONSTRUCT { ?s rdfs:label ?l } WHERE { ?s rdfs:label ?l ; d3f:d3fend-id ?id }', 2],
    ['DESCRIBE d3f:AccountLocking', 1],
  ])('answers %s from there, with the same statements in every format', async (query, sent) => {
    const localKeys = keysOf((await ask(query, 'application/n-triples', { url: engine.url })).text)
    expect(localKeys.length).toBeGreaterThan(3)
    expect(keysOf((await ask(query, 'application/n-triples')).text)).toEqual(localKeys)
    expect(proxy.asked).toHaveLength(sent)
    for (const accept of ['text/turtle', 'application/ld+json', 'application/rdf+xml']) {
      const { status, type, text: body } = await ask(query, accept)
      expect([status, type.split(';')[0], body.length > 100]).toEqual([200, accept, true])
    }
  })

  it.each([
    ['a graph of the catalogue', `ASK { GRAPH <${HERE}/graphs/c> { ?s <a:cites> ?o } }`, 'true'],
    ['any graph', 'SELECT DISTINCT ?g { GRAPH ?g { ?s <a:cites> ?o } }', `${HERE}/graphs/c`],
    ['a function of an engine', 'SELECT (<http://x/f>(1) AS ?x) {}', 'query_not_supported'],
    ['the catalogue by FROM', `ASK FROM <${HERE}/graphs/c> { ?s <a:cites> ?o }`, 'true'],
    ['two graphs', `ASK FROM <${HERE}/releases/0.1.0-starter> FROM <${HERE}/graphs/c> { ?s ?p ?o }`, 'true'],
  ])('answers here what asks for %s, also while the engine is away', async (_what, query, expected) => {
    state = 'away'
    expect((await ask(query)).text).toContain(expected)
    expect(proxy.asked).toEqual([])
  })

  it('sends queries of a named release to the graph of the engine', async () => {
    const release = `${HERE}/releases/${manifest.version}`
    const query = `SELECT (COUNT(*) AS ?n) FROM <${release}> { ?s ?p ?o }`
    const { text: body } = await ask(query)
    expect(body).toContain(`"value":"${manifest.counts.statements}"`)
    expect(proxy.asked.length).toBeGreaterThan(0)
    expect(proxy.asked.join('')).not.toContain(release)
  })

  it('reports the place of a syntax error in our own words', async () => {
    const { status, text: body } = await ask('SELECT * {\n  ?s ?p }')
    expect([status, body]).toEqual([400, expect.stringContaining('"line":4,"column":9')])
  })

  it('answers locally if the engine lacks parts of the release', async () => {
    const other = await start(GRAPH, 1)
    try {
      const { text: body } = await ask('ASK { ?s d3f:d3fend-id ?id }', JSON_RESULTS, other)
      expect(body).toContain('true')
      expect(proxy.asked).toHaveLength(1)
    } finally {
      await other.close()
    }
  })
})

describe('An answer of another engine', () => {
  it.each<[string, Behaviour, string]>([
    ['is cut, and nobody says so', { rows: 1000 }, ALL],
    ['is cut, and a graph', { rows: 1000 }, 'CONSTRUCT WHERE { ?s ?p ?o }'],
    ['is said to be cut', { rows: 3, headers: { 'X-SPARQL-MaxRows': '3' } }, TECHNIQUES],
    ['was stopped', { rows: 3, headers: { 'X-SQL-State': 'S1TAT' } }, TECHNIQUES],
    ['is a part', { rows: 3, status: 206 }, TECHNIQUES],
    ['is refused', { rows: 3, status: 500 }, TECHNIQUES],
    ['is something else', { rows: 3, headers: { 'Content-Type': 'text/html' } }, TECHNIQUES],
  ])('that %s is made whole', async (_what, how, query) => {
    const accept = query.startsWith('CONSTRUCT') ? 'application/n-triples' : 'text/csv'
    const whole = await ask(query, accept, { url: engine.url })
    proxy.behaviour = how
    const answer = await ask(query, accept)
    expect([answer.status, linesOf(answer)]).toEqual([200, linesOf(whole)])
    expect(proxy.asked.length).toBeGreaterThan(0)
  })

  it('that is complete is not repeated locally, however long', async () => {
    const whole = await ask(ALL, 'text/csv', { url: engine.url })
    const answer = await ask(ALL, 'text/csv')
    expect(linesOf(answer)).toBe(linesOf(whole))
    // The rows, and how many there are.
    expect(proxy.asked.slice(-2).map((query) => query.includes('COUNT(*)'))).toEqual([false, true])
  })

  it('that breaks off is discarded', async () => {
    await ask(TECHNIQUES)
    proxy.behaviour = 'breaks off'
    const { status, text: body } = await ask(TECHNIQUES)
    expect([status, body]).toEqual([503, expect.stringContaining('"engine_unavailable"')])
  })
})

describe('A SPARQL endpoint with an unavailable engine', () => {
  it('is reported, immediately if it is known', async () => {
    proxy.behaviour = 'busy'
    const first = await ask('ASK { ?s ?p ?o }')
    expect([first.status, first.text]).toEqual([503, expect.stringContaining('"retry_after":1')])
    proxy.behaviour = 'well'
    state = 'away'
    const sent = proxy.asked.length
    await expect.poll(async () => (await ask('ASK { ?s ?p ?o }')).text, { timeout: 5000 }).toContain('"retry_after":2')
    expect(proxy.asked.length).toBe(sent)
    state = 'answers'
    await expect.poll(async () => (await ask('ASK { ?s ?p ?o }')).status, { timeout: 10_000 }).toBe(200)
  })

  it('keeps to the deadline, and cancels abandoned requests', async () => {
    await ask(TECHNIQUES)
    proxy.behaviour = 'silent'
    const { status, text: body } = await ask(TECHNIQUES, JSON_RESULTS, { url: `${sparql.url}?timeout=0.3` })
    expect([status, body]).toEqual([422, expect.stringContaining('stopped after 0.3 s')])
    const gone = new AbortController()
    const abandoned = ask(TECHNIQUES, JSON_RESULTS, { signal: gone.signal })
    await expect.poll(() => proxy.asked.length, { timeout: 5000 }).toBeGreaterThan(2)
    gone.abort()
    await expect(abandoned).rejects.toThrow()
    await expect.poll(() => proxy.left, { timeout: 5000 }).toBe(2)
  })
})

function linesOf({ text: body }: Answer): number {
  return body.split('\n').length
}

/** One key of each statement, sorted; labels of blank nodes differ. */
function keysOf(nTriples: string): readonly string[] {
  const keys = readNTriples(nTriples).map(({ subject, predicate, object }) =>
    [subject, predicate, object].map(termKey).join(' '),
  )
  return keys.map((key) => key.replaceAll(/bnode \w+/g, '_')).sort()
}

const COUNTERS = `SELECT DISTINCT ?id ?artifact ?touched {
  ?attack d3f:attack-id "T1003.001" ; ?touches ?touched .
  ?touched rdfs:subClassOf* ?artifact .
  ?artifact rdfs:subClassOf* d3f:DigitalArtifact .
  ?technique ?defends ?artifact ; rdfs:subClassOf* d3f:DefensiveTechnique ; d3f:d3fend-id ?id
} ORDER BY ?id ?artifact ?touched`

describe.skipIf(!hasVirtuoso())('A SPARQL endpoint with Virtuoso', () => {
  it('answers by the protocol, without truncation', { timeout: 180_000 }, async () => {
    const virtuoso = await startVirtuoso()
    const settings = { url: virtuoso.queries, graph: GRAPH }
    const store = { url: virtuoso.store, timeoutMs: 30_000, credentials: { user: 'dba', password: 'dba' } }
    await pushRelease(new ReleaseFolder(dataDir), manifest, { engine: settings, store })
    const service = { release: () => Promise.resolve({ manifest }), engine: 'answers' as const }
    const ontology = ontologyGraphs(service, { dataDir, baseUrl: HERE, engine: settings })
    const other = await startSparql({ sources: [ontology], baseUrl: HERE, engine: settings, env: ENV })
    try {
      for (const [query, accept] of [
        [TECHNIQUES, 'text/tab-separated-values'],
        [TECHNIQUES, 'application/sparql-results+xml'],
        ['ASK { ?s d3f:d3fend-id ?id }', JSON_RESULTS],
        ['ASK { ?s d3f:no-id ?id }', JSON_RESULTS],
        ['SELECT (COUNT(*) AS ?n) { ?s ?p ?o }', 'text/csv'],
        // Virtuoso has no paths between two variables, and answers two paths wrongly.
        [COUNTERS, 'text/csv'],
        ['SELECT ?a ?b { ?a rdfs:subClassOf* ?b FILTER(ISIRI(?b)) } ORDER BY ?a ?b', 'text/csv'],
      ] as const) {
        const local = await ask(query, accept, { url: engine.url })
        expect(await ask(query, accept, other)).toEqual(local)
      }
      const whole = await ask(ALL, 'text/csv', { url: engine.url })
      expect(linesOf(whole)).toBeGreaterThan(1500)
      expect(linesOf(await ask(ALL, 'text/csv', other))).toBe(linesOf(whole))
    } finally {
      await other.close()
      await virtuoso.stop()
    }
  })
})
