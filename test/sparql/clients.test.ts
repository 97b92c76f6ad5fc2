import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { QueryEngine } from '@comunica/query-sparql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PublicGraphs } from '../../src/contracts/graphs.ts'
import { PYTHON, sparqlWrapper } from '../support/programs.ts'
import { startSparql, type SparqlOnly } from '../support/sparql-service.ts'

const BASE = 'http://parapet.example'
const MAIN = `${BASE}/main`
const OTHER = `${BASE}/other`
const STATEMENTS: Readonly<Record<string, string>> = {
  [MAIN]: `<${BASE}/a> <${BASE}/p> "one" .\n<${BASE}/a> <${BASE}/p> "two"@en .\n<${BASE}/b> <${BASE}/n> "3"^^<http://www.w3.org/2001/XMLSchema#integer> .\n`,
  [OTHER]: `<${BASE}/c> <${BASE}/p> "elsewhere" .\n`,
}
const source: PublicGraphs = {
  list: () =>
    Promise.resolve([
      { iri: MAIN, key: '1', role: 'default', title: 'Main' },
      { iri: OTHER, key: '1', role: 'named', title: 'Other' },
    ]),
  read: ({ iri }) => Promise.resolve(new TextEncoder().encode(STATEMENTS[iri] ?? '')),
}
let sparql: SparqlOnly

beforeAll(async () => {
  const env = { SERVICE_SPARQL_THREADS: '1', SERVICE_SPARQL_SECONDS: '60' }
  sparql = await startSparql({ sources: [source], env })
})

afterAll(async () => {
  await sparql.close()
})

const SCRIPT = `
import json, sys, warnings
warnings.simplefilter("error", RuntimeWarning)
from SPARQLWrapper import SPARQLWrapper, SPARQLExceptions, GET, POST, POSTDIRECTLY, URLENCODED
from SPARQLWrapper import JSON, XML, CSV, TSV, TURTLE, N3, RDFXML
url, base = sys.argv[1:]
found = {}
def ask(query, form, method=GET, way=URLENCODED, graph=None):
    client = SPARQLWrapper(url)
    client.setMethod(method); client.setRequestMethod(way)
    client.setReturnFormat(form); client.setQuery(query)
    if graph: client.addDefaultGraph(graph)
    return client.queryAndConvert()
SELECT = "SELECT ?s ?o { ?s <%s/p> ?o } ORDER BY ?o" % base
for name, method, way in [("get", GET, URLENCODED), ("form", POST, URLENCODED), ("direct", POST, POSTDIRECTLY)]:
    rows = ask(SELECT, JSON, method, way)["results"]["bindings"]
    found[name] = [row["o"]["value"] for row in rows]
found["xml"] = [node.firstChild.data for node in ask(SELECT, XML).getElementsByTagName("literal")]
found["csv"] = ask(SELECT, CSV).decode().split()[0]
found["tsv"] = ask(SELECT, TSV).decode().split()[0]
found["ask"] = ask("ASK { ?s ?p 3 }", JSON)["boolean"]
found["graph"] = ask("SELECT ?o { ?s ?p ?o }", JSON, graph=base + "/other")["results"]["bindings"][0]["o"]["value"]
for form in [RDFXML]:
    found[form] = len(ask("CONSTRUCT WHERE { ?s ?p ?o }", form))
for form in [TURTLE, N3]:
    found[form] = len(ask("DESCRIBE <%s/a>" % base, form)) > 50
try:
    ask("SELECT", JSON)
except SPARQLExceptions.QueryBadFormed as error:
    found["bad"] = "query_malformed" in str(error)
try:
    client = SPARQLWrapper(url); client.setMethod(POST); client.setQuery("DROP ALL"); client.query()
except SPARQLExceptions.QueryBadFormed as error:
    found["update"] = "query_not_supported" in str(error)
print(json.dumps(found))
`

describe.runIf(sparqlWrapper.isInstalled)('SPARQLWrapper', () => {
  it('sends queries in all of its ways', { timeout: 120_000 }, async () => {
    const { stdout } = await promisify(execFile)(PYTHON, ['-c', SCRIPT, sparql.url, BASE])
    expect(z.record(z.string(), z.unknown()).parse(JSON.parse(stdout))).toEqual({
      get: ['one', 'two'],
      form: ['one', 'two'],
      direct: ['one', 'two'],
      xml: ['one', 'two'],
      csv: 's,o',
      tsv: '?s',
      ask: true,
      graph: 'elsewhere',
      bad: true,
      update: true,
      'rdf+xml': 3,
      turtle: true,
      n3: true,
    })
  })
})

describe('Comunica', () => {
  it('gets rows, booleans and graphs, and joins them with local data', { timeout: 120_000 }, async () => {
    const engine = new QueryEngine()
    const sources: [{ type: 'sparql'; value: string }] = [{ type: 'sparql', value: sparql.url }]
    const rows = await (
      await engine.queryBindings(`SELECT ?o { ?s <${BASE}/p> ?o } ORDER BY ?o`, { sources })
    ).toArray()
    expect(rows.map((row) => row.get('o')?.value)).toEqual(['one', 'two'])
    expect(await engine.queryBoolean('ASK { ?s ?p 3 }', { sources })).toBe(true)
    const graph = await engine.queryQuads('CONSTRUCT WHERE { ?s ?p ?o }', { sources })
    expect(await graph.toArray()).toHaveLength(3)
    const named = `SELECT ?o { GRAPH <${OTHER}> { ?s ?p ?o } }`
    const [namedRow] = await (await engine.queryBindings(named, { sources })).toArray()
    expect(namedRow?.get('o')?.value).toBe('elsewhere')
    const localData = {
      type: 'serialized' as const,
      mediaType: 'text/turtle',
      baseIRI: BASE,
      value: `<${BASE}/b> <${BASE}/see> <${BASE}/a> .`,
    }
    const joined = `SELECT ?n ?o { ?b <${BASE}/n> ?n ; <${BASE}/see> ?a . ?a <${BASE}/p> ?o }`
    const joinedRows = await engine.queryBindings(joined, { sources: [...sources, localData] })
    expect(await joinedRows.toArray()).toHaveLength(2)
  })
})

/** The cases of the W3C's test suite for the protocol (2013) that queries alone have, by their names there. */
describe('The W3C cases of the SPARQL 1.1 Protocol', () => {
  const FORM = 'application/x-www-form-urlencoded'
  const DIRECT = 'application/sparql-query'

  async function send(
    method: string,
    search: Readonly<Record<string, string | readonly string[]>>,
    { type, body }: { readonly type?: string; readonly body?: string | Uint8Array } = {},
  ): Promise<Response> {
    const url = new URL(sparql.url)
    for (const [name, values] of Object.entries(search))
      for (const value of [values].flat()) url.searchParams.append(name, value)
    const headers = type === undefined ? {} : { 'Content-Type': type }
    return fetch(url, { method, headers, ...(body !== undefined && { body }) })
  }

  const form = (query: string): { type: string; body: string } => ({
    type: FORM,
    body: new URLSearchParams({ query }).toString(),
  })
  const SELECT = 'SELECT (1 AS ?value) {}'

  it.each([
    ['query_get', () => send('GET', { query: 'ASK {}' })],
    ['query_post_form', () => send('POST', {}, form('ASK {}'))],
    ['query_post_direct', () => send('POST', {}, { type: DIRECT, body: 'ASK {}' })],
    [
      'query_dataset_default_graph',
      () => send('GET', { query: `ASK { <${BASE}/c> ?p ?o }`, 'default-graph-uri': OTHER }),
    ],
    [
      'query_dataset_default_graphs_get',
      () => send('GET', { query: `ASK { <${BASE}/a> ?p ?o . <${BASE}/c> ?q ?r }`, 'default-graph-uri': [MAIN, OTHER] }),
    ],
    [
      'query_dataset_default_graphs_post',
      () =>
        send(
          'POST',
          { 'default-graph-uri': [MAIN, OTHER] },
          { type: DIRECT, body: `ASK { <${BASE}/a> ?p ?o . <${BASE}/c> ?q ?r }` },
        ),
    ],
    [
      'query_dataset_named_graphs_get',
      () =>
        send('GET', {
          query: `ASK { GRAPH ?g { <${BASE}/a> ?p ?o } GRAPH ?h { <${BASE}/c> ?q ?r } }`,
          'named-graph-uri': [MAIN, OTHER],
        }),
    ],
    [
      'query_dataset_full',
      () =>
        send('GET', {
          query: `ASK { <${BASE}/a> ?p ?o GRAPH ?g { <${BASE}/c> ?q ?r } }`,
          'default-graph-uri': MAIN,
          'named-graph-uri': OTHER,
        }),
    ],
    [
      'query_multiple_dataset',
      () => send('GET', { query: `ASK FROM <${MAIN}> { <${BASE}/c> ?p ?o }`, 'default-graph-uri': OTHER }),
    ],
  ])('%s', async (_name, ask) => {
    const answer = await ask()
    expect([answer.status, await answer.text()]).toEqual([200, '{"head":{},"boolean":true}'])
  })

  it.each([
    ['query_content_type_select', 'SELECT (1 AS ?value) {}', /sparql-results|json|xml|csv|tab/],
    ['query_content_type_ask', 'ASK {}', /sparql-results|json|xml/],
    ['query_content_type_describe', `DESCRIBE <${BASE}/a>`, /turtle|n-triples|rdf|ld\+json/],
    ['query_content_type_construct', 'CONSTRUCT { <a:s> <a:p> 1 } {}', /turtle|n-triples|rdf/],
  ])('%s', async (_name, query, type) => {
    const answer = await send('GET', { query })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toMatch(type)
    await answer.body?.cancel()
  })

  it.each([
    ['bad_query_method', () => send('PUT', { query: SELECT })],
    ['bad_multiple_queries', () => send('GET', { query: ['ASK {}', SELECT] })],
    ['bad_query_wrong_media_type', () => send('POST', {}, { type: 'text/plain', body: SELECT })],
    ['bad_query_missing_form_type', () => send('POST', {}, { type: 'text/plain', body: form(SELECT).body })],
    ['bad_query_missing_direct_type', () => send('POST', {}, { body: new TextEncoder().encode(SELECT) })],
    [
      'bad_query_non_utf8',
      () => send('POST', {}, { type: `${DIRECT}; charset=UTF-16`, body: Buffer.from(SELECT, 'utf16le') }),
    ],
    ['bad_query_syntax', () => send('GET', { query: 'ASK { WHERE }' })],
    ['bad_update_get', () => send('GET', { update: 'CLEAR ALL' })],
  ])('%s', async (_name, ask) => {
    const answer = await ask()
    expect([answer.status >= 400, answer.status < 500]).toEqual([true, true])
    await answer.body?.cancel()
  })
})
