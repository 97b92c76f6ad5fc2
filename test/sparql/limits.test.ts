// @module-tag long

import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PublicGraphs } from '../../src/contracts/graphs.ts'
import { startSparql, type SparqlOnly } from '../support/sparql-service.ts'

const ANYTHING = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }'
const GROWING = ['a', 'b', 'c', 'd'].reduce(
  (text, letter, index) => `REPLACE(${text}, "${letter}", "${'bcde'.charAt(index).repeat(60)}")`,
  '"aaaaaaaaaa"',
)
const GRAPH = 'http://parapet.example/graph'
const READING_MS = 500

/** All texts are more than a connection takes without being read. */
const TEXT = 'x'.repeat(40_000)
const statements = Array.from({ length: 500 }, (_, index) => `<a:${index}> <a:p> "${index} ${TEXT}" .\n`).join('')
const source: PublicGraphs = {
  list: () => Promise.resolve([{ iri: GRAPH, key: '1', role: 'default', title: 'Numbers' }]),
  read: () => Promise.resolve(new TextEncoder().encode(statements)),
}
const env = {
  SERVICE_SPARQL_THREADS: '1',
  SERVICE_SPARQL_MEMORY_MB: '128',
  SERVICE_SPARQL_PER_ADDRESS: '4',
  SERVICE_SPARQL_ANSWER_MB: '64',
  SERVICE_SPARQL_SECONDS: '90',
}
let running: SparqlOnly
let url = ''

beforeAll(async () => {
  running = await startSparql({ sources: [source], env, readingMs: READING_MS })
  url = running.url
  await running.service.prepare()
})

afterAll(async () => {
  await running.close()
})

function direct(query: string, timeout = ''): RequestInit {
  const headers = new Headers({ 'Content-Type': 'application/sparql-query' })
  if (timeout !== '') headers.set('Query-Timeout', timeout)
  return { method: 'POST', body: query, headers }
}

async function ask(query: string, timeout = ''): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, direct(query, timeout))
  return { status: answer.status, text: await answer.text() }
}

let asked = 0

/** Each time another text, because answers are kept. */
function anything(): string {
  asked += 1
  return `ASK { ?s ?p ?o } # ${asked}`
}

describe('The time limit of a query', () => {
  let short: SparqlOnly

  beforeAll(async () => {
    short = await startSparql({ sources: [source], env: { ...env, SERVICE_SPARQL_SECONDS: '1' } })
  })

  afterAll(async () => {
    await short.close()
  })

  it.each([
    { how: 'that of the service where it asks for more', search: '?timeout=3600', seconds: 1 },
    { how: 'that of the service where its header asks for more', header: '3600', seconds: 1 },
    { how: 'that of the service where it asks for none', seconds: 1 },
    { how: 'less where it asks for less', search: '?timeout=0.5', seconds: 0.5 },
    { how: 'that of the header', search: '?timeout=3600', header: '0.5', seconds: 0.5 },
    { how: 'a tenth of a second where it asks for nothing', search: '?timeout=0', seconds: 0.1 },
  ])('is $how', async ({ search = '', header = '', seconds }) => {
    // The query before has ended its thread.
    await short.service.prepare()
    const answer = await fetch(short.url + search, direct(ANYTHING, header))
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(`stopped after ${seconds} s.`)])
  })
})

describe('The limits of the SPARQL endpoint', () => {
  it.each([
    { what: 'takes too long', query: ANYTHING, timeout: '0.3', code: 'query_too_slow' },
    { what: 'needs memory', query: `SELECT (${GROWING} AS ?x) {}`, code: 'query_too_demanding' },
    { what: 'is deep', query: `SELECT * { FILTER(${'1+'.repeat(3000)}1) }`, code: 'query_too_demanding' },
    { what: 'is nested', query: 'SELECT * {'.repeat(200), code: 'query_too_demanding' },
  ])('end a query that $what, and only that one', async ({ query, timeout, code }) => {
    const [bad, good] = await Promise.all([ask(query, timeout), ask(anything())])
    expect(bad.status).toBe(422)
    expect(bad.text).toContain(`"${code}"`)
    expect(good.text).toContain('true')
    expect((await ask(anything())).text).toContain('true')
  })

  it('free the thread if the client has left', async () => {
    // With a thread that stands by.
    await running.service.prepare()
    const gone = new AbortController()
    const left = fetch(url, { ...direct(ANYTHING), signal: gone.signal })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const waits = ask(anything())
    await new Promise((resolve) => setTimeout(resolve, 200))
    gone.abort()
    await expect(left).rejects.toThrow()
    const begun = performance.now()
    expect((await waits).text).toContain('true')
    // Else it has to wait until the deadline of the other one, which is 30 seconds.
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it('allow one address a few queries at a time', async () => {
    // The one thread is busy, so that those behind it stay.
    const slow = ask(ANYTHING, '1')
    await new Promise((resolve) => setTimeout(resolve, 100))
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(anything())))
    const refused = answers.filter(({ status }) => status === 429)
    expect((await slow).status).toBe(422)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(2)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.text).toContain('"retry_after":1')
  })

  it('cut off a client that does not read, visibly for the client', async () => {
    const query = encodeURIComponent('SELECT ?o { ?s ?p ?o }')
    const socket = connect(running.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`GET /sparql?query=${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await once(socket, 'readable')
    let text = ''
    let length = 0
    await new Promise((resolve) => setTimeout(resolve, 3 * READING_MS))
    for await (const chunk of socket) {
      length += Buffer.from(chunk).length
      if (text.length < 2000) text += String(chunk)
    }
    expect(length).toBeLessThan(Number(/Content-Length: (\d+)/i.exec(text)?.[1]))
    expect((await ask(anything())).text).toContain('true')
  })
})
