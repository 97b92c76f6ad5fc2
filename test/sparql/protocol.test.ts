import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeComponent } from '../support/authoring.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService } from '../support/guidance.ts'
import { jsonOf, STARTER, type RawResponse, type RequestOptions } from '../support/service.ts'

const BASE = 'http://parapet.example'
const ACTIVE = `${BASE}/releases/0.1.0-starter`
const BENCHMARK = `${BASE}/benchmarks/Teapot_STIG/V1R1`
const FORM = 'application/x-www-form-urlencoded'
const DIRECT = 'application/sparql-query'
const PREFIXES = `PREFIX d3f: <http://d3fend.mitre.org/ontologies/d3fend.owl#>
  PREFIX guidance: <${BASE}/ns/guidance#> PREFIX skos: <http://www.w3.org/2004/02/skos/core#>`
const LIMITS = { SERVICE_SPARQL_THREADS: '1', SERVICE_SPARQL_ROWS: '50', SERVICE_SPARQL_QUERY_KB: '8' }

const guidance = guidanceService({ SERVICE_BASE_URL: BASE, ...LIMITS }, undefined, STARTER)

beforeAll(async () => {
  const discussion = 'Quokkas are discussed.'
  const rule = { id: 'SV-1r1_rule', title: 'Lock the teapot', cci: ['CCI-000015'] }
  await store(guidance(), { rules: [{ ...rule, discussion, fix: 'Feed the quokka.' }] })
  const owner = await guidance().signUp('Olga')
  const projectId = await guidance().project(owner, { name: 'Wombat project' })
  await makeComponent(guidance(), owner, { projectId, name: 'Wombat component', prefix: 'WOMB-00' })
})

function get(search: string, headers: Record<string, string> = {}): Promise<RawResponse> {
  return guidance().service.get(`/sparql${search}`, { headers })
}

function post(body: string | Buffer, type: string, options: RequestOptions = {}): Promise<RawResponse> {
  const headers = { 'Content-Type': type, ...options.headers }
  return guidance().service.get('/sparql', { method: 'POST', body, headers })
}

function ask(query: string, accept = 'text/csv'): Promise<RawResponse> {
  return post(PREFIXES + query, DIRECT, { headers: { Accept: accept } })
}

async function linesOf(query: string): Promise<readonly string[]> {
  const { status, body } = await ask(query)
  expect([status, body.toString()]).toEqual([200, body.toString()])
  return body.toString().trimEnd().split(/\r?\n/).slice(1)
}

function encoded(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString()
}

describe('The SPARQL protocol', () => {
  const query = 'SELECT ?o { <http://d3fend.mitre.org/ontologies/d3fend.owl#AccountLocking> a ?o }'

  it('answers the same to GET, to a form and to a direct POST', async () => {
    const answers = [
      await get(`?${encoded({ query })}`),
      await post(encoded({ query }), FORM),
      await post(query, DIRECT),
      await post(query, `${DIRECT}; charset=utf-8`),
    ]
    for (const { status, headers, body } of answers) {
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('application/sparql-results+json')
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers.vary?.split(/, */)).toContain('Accept')
      expect(headers['content-length']).toBe(String(body.length))
      expect(body.equals(answers[0]?.body ?? Buffer.alloc(0))).toBe(true)
    }
    expect((await ask(query)).headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const { status, headers, body } = await guidance().service.get(`/sparql?${encoded({ query })}`, { method: 'HEAD' })
    expect([status, body.length]).toEqual([200, 0])
    expect(headers['content-length']).toBe(String(answers[0]?.body.length))
  })

  it.each([
    ['SELECT ?s { ?s ?p ?o } LIMIT 1', 'application/sparql-results+xml', '<?xml'],
    ['SELECT ?s { ?s ?p ?o } LIMIT 1', 'application/xml', '<?xml'],
    ['SELECT ?s { ?s ?p ?o } LIMIT 1', 'text/csv', 's'],
    ['SELECT ?s { ?s ?p ?o } LIMIT 1', 'text/tab-separated-values', '?s'],
    ['SELECT ?s { ?s ?p ?o } LIMIT 1', 'application/json', '{"head"'],
    ['SELECT ?s { ?s ?p ?o } LIMIT 1', 'text/html, */*;q=0.1', '{"head"'],
    ['ASK { ?s ?p ?o }', 'application/sparql-results+json', '{"head":{},"boolean":true}'],
    ['ASK { ?s ?p ?o }', 'text/csv;q=0.5, application/sparql-results+xml', '<?xml'],
    ['CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1', 'text/turtle', ''],
    ['CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1', 'application/n-triples', ''],
    ['DESCRIBE d3f:AccountLocking', 'application/ld+json', '{"@graph":[{"@id"'],
    ['DESCRIBE d3f:AccountLocking', 'application/rdf+xml', '<?xml'],
    ['DESCRIBE d3f:AccountLocking', '*/*', '<http'],
  ])('answers %s as %s', async (text, accept, begins) => {
    const { status, headers, body } = await ask(text, accept)
    expect(status).toBe(200)
    if (!accept.includes('*')) expect(accept).toContain(headers['content-type']?.split(';')[0])
    expect(body.toString().startsWith(begins)).toBe(true)
  })

  it.each([
    ['ASK {}', 'text/turtle'],
    ['CONSTRUCT WHERE { ?s ?p ?o }', 'text/csv'],
    ['SELECT * {}', 'image/png'],
  ])('refuses %s as %s', async (text, accept) => {
    const answer = await ask(text, accept)
    expect([answer.status, jsonOf(answer)]).toMatchObject([406, { code: 'not_acceptable' }])
  })

  it('reports a syntax error with its place', async () => {
    const answer = await get(`?${encoded({ query: 'SELECT * {\n  ?s ?p }' })}`)
    expect(jsonOf(answer)).toMatchObject({
      status: 400,
      code: 'query_malformed',
      line: 2,
      column: 9,
      detail: 'Line 2, column 9: “}” cannot stand here.',
    })
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  it.each([
    ['a second query', () => get(`?${encoded({ query })}&query=ASK%7B%7D`), 400, 'parameter_invalid'],
    ['a form without a query', () => post('a=b', FORM), 400, 'parameter_missing'],
    ['an empty query', () => get('?query='), 400, 'query_malformed'],
    ['a comment alone', () => post(' # SELECT', DIRECT), 400, 'query_malformed'],
    ['bytes that are not UTF-8', () => post(Buffer.from([255]), DIRECT), 400, 'query_malformed'],
    ['another media type', () => post('{}', 'application/json'), 415, 'unsupported_media_type'],
    ['a long query', () => post(' '.repeat(9000), DIRECT), 413, 'body_too_large'],
    ['an update by form', () => post('update=DROP+ALL', FORM), 400, 'query_not_supported'],
    ['an update', () => post('DROP ALL', 'application/sparql-update'), 400, 'query_not_supported'],
    ['an update as query', () => post('query=DROP+ALL', FORM), 400, 'query_not_supported'],
    ['an odd time-out', () => get('?query=ASK%7B%7D&timeout=soon'), 400, 'parameter_invalid'],
    ['an unknown graph', () => get(`?query=ASK%7B%7D&default-graph-uri=${ACTIVE}s`), 404, 'graph_not_found'],
    ['more rows than may be', () => ask('SELECT * { ?s ?p ?o }'), 413, 'answer_too_large'],
  ])('refuses %s', async (_name, send, status, code) => {
    expect(jsonOf(await send())).toMatchObject({ status, code })
  })

  it('reports an empty query', async () => {
    const { body } = await get('?query=+')
    expect(body.toString()).toMatch(/"detail":"The query is empty\..*"line":1,"column":1/)
  })

  it('answers at the path with a slash at its end, too', async () => {
    const search = `?${encoded({ query })}`
    const headers = { Accept: 'text/csv' }
    const slashed = await guidance().service.get(`/sparql/${search}`, { headers })
    expect(slashed.status).toBe(200)
    expect(slashed.body).toEqual((await get(search, headers)).body)
    const sent = { method: 'POST', body: query, headers: { ...headers, 'Content-Type': DIRECT } }
    expect((await guidance().service.get('/sparql/', sent)).body).toEqual(slashed.body)
    expect((await guidance().service.get('/sparql//')).status).toBe(404)
  })

  it('refuses other methods', async () => {
    const put = await guidance().service.get('/sparql', { method: 'PUT' })
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  })

  it('allows other origins with custom headers, without cookies', async () => {
    const asked = {
      Origin: 'https://other.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization, x-custom',
    }
    const { status, headers } = await guidance().service.get('/sparql', { method: 'OPTIONS', headers: asked })
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      // The wildcard does not cover Authorization.
      'access-control-allow-headers': '*, Authorization',
    })
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('ignores credentials', async () => {
    const search = `?${encoded({ query })}`
    const headers = { Accept: 'text/csv' }
    const withCredentials = await get(search, { ...headers, Authorization: 'Bearer unknown', 'X-Custom': '1' })
    expect(withCredentials.status).toBe(200)
    expect(withCredentials.body).toEqual((await get(search, headers)).body)
  })

  it('describes itself without a query', async () => {
    const { status, headers, body } = await get('', { Accept: 'application/n-triples' })
    expect([status, headers['content-type']]).toEqual([200, 'application/n-triples'])
    for (const graph of [ACTIVE, BENCHMARK, `${BASE}/graphs/controls`])
      expect(body.toString()).toContain(`<http://www.w3.org/ns/sparql-service-description#name> <${graph}>`)
    expect((await get('')).headers['content-type']).toBe('text/turtle; charset=utf-8')
    expect((await get('', { Accept: 'image/png' })).status).toBe(406)
  })

  it('takes booleans in letters of any size', async () => {
    expect(await linesOf('SELECT (TRUE AS ?one) (False AS ?other) {}')).toEqual(['true,false'])
  })
})

describe('The graphs of the SPARQL endpoint', () => {
  it('are the active release by default, and also the catalogue by name', async () => {
    expect(await linesOf('SELECT DISTINCT ?r { ?r a guidance:Rule }')).toEqual([])
    const named = await linesOf('SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g')
    expect(named).toEqual(expect.arrayContaining([ACTIVE, BENCHMARK, `${BASE}/graphs/controls`]))
    const counts = await linesOf('SELECT (COUNT(*) AS ?n) { ?s ?p ?o }')
    expect(await linesOf(`SELECT (COUNT(*) AS ?n) { GRAPH <${ACTIVE}> { ?s ?p ?o } }`)).toEqual(counts)
  })

  it('link rules to techniques', async () => {
    const lines = await linesOf(`SELECT DISTINCT ?id ?technique {
      GRAPH ?b { ?rule guidance:cci ?cci ; guidance:groupId ?id }
      GRAPH <${BASE}/graphs/controls> { ?cci skos:exactMatch ?control . ?control ?how ?technique }
      ?technique d3f:d3fend-id ?d3fend }`)
    expect(lines.length).toBeGreaterThan(0)
  })

  it('are chosen by the request, or else by the query', async () => {
    const count = 'SELECT (COUNT(*) AS ?n)'
    const [statementCount] = await linesOf(`${count} FROM <${BENCHMARK}> { ?s ?p ?o }`)
    expect(Number(statementCount)).toBeGreaterThan(5)
    expect(await linesOf(`${count} FROM <${BENCHMARK}> { GRAPH ?g { ?s ?p ?o } }`)).toEqual(['0'])
    expect(await linesOf(`${count} FROM NAMED <${BENCHMARK}> { ?s ?p ?o }`)).toEqual(['0'])
    const parameters = encoded({ query: `${count} FROM <${ACTIVE}> { ?s ?p ?o }`, 'default-graph-uri': BENCHMARK })
    const { body } = await get(`?${parameters}`, { Accept: 'text/csv' })
    expect(body.toString()).toContain(statementCount)
    const named = encoded({ query: `${count} { GRAPH ?g { ?s ?p ?o } }`, 'named-graph-uri': BENCHMARK })
    expect((await post(named, FORM, { headers: { Accept: 'text/csv' } })).body.toString()).toContain(statementCount)
  })

  it('have no texts of rules, and no authored data', async () => {
    for (const word of ['quokka', 'wombat', 'WOMB', 'Olga']) {
      const containsWord = `FILTER(CONTAINS(LCASE(CONCAT(STR(?s), STR(?o))), "${word.toLowerCase()}"))`
      expect(await linesOf(`SELECT * { GRAPH ?g { ?s ?p ?o } ${containsWord} }`)).toEqual([])
    }
    expect(await linesOf('SELECT ?t { GRAPH ?g { ?s ?p ?t FILTER(STR(?t) = "Lock the teapot") } }')).toHaveLength(1)
  })

  it('follow the catalogue', async () => {
    const rules = 'SELECT DISTINCT ?rule { GRAPH ?g { ?rule guidance:cci ?cci } }'
    const lines = `SELECT ?s ?p ?o FROM <${BASE}/graphs/releases> { ?s ?p ?o }`
    const before = await linesOf(rules)
    const linesBefore = await linesOf(lines)
    await store(guidance(), { id: 'Kettle_STIG', rules: [{ id: 'SV-2r1_rule', cci: ['CCI-000015'] }] })
    const kettle = `ASK { GRAPH <${BASE}/benchmarks/Kettle_STIG/V1R1> { ?s ?p ?o } }`
    await expect.poll(async () => (await ask(kettle)).body.toString(), { timeout: 20_000 }).toBe('true')
    // A query that was answered before the change has another answer after it.
    expect(await linesOf(rules)).toHaveLength(before.length + 1)
    // Also where the graph that was asked has the same name as before.
    expect((await linesOf(lines)).length).toBeGreaterThan(linesBefore.length)
  })

  it('give one answer to one query', async () => {
    const query = 'SELECT ?s { ?s ?p ?o } LIMIT 20'
    const answers = [await linesOf(query), await linesOf(query), await linesOf(query)]
    expect(answers).toEqual([answers[0], answers[0], answers[0]])
  })

  // An answer would be kept with the second request, and be given to the third one.
  it.each(['RAND()', 'NOW()', 'UUID()', 'STRUUID()', 'BNODE()', 'rand()', 'IF(true, uuid(), 1)'])(
    'give another answer each time to a query with %s',
    async (changing) => {
      const query = `SELECT (${changing} AS ?value) {}`
      const answers: string[] = []
      for (let time = 0; time < 4; time += 1) {
        answers.push(...(await linesOf(query)))
        // The clock has milliseconds.
        await sleep(5)
      }
      expect(new Set(answers).size).toBe(4)
    },
  )
})
