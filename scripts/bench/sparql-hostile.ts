// Queries that are made to do harm, against a service on this machine:
// npm run bench:sparql-hostile -- --url http://localhost:3000 --pid PID --minutes 10
import { readFileSync } from 'node:fs'
import { Agent, request, type ClientRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { rounded } from './numbers.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    pid: { type: 'string' },
    minutes: { type: 'string', default: '10' },
  },
})
const target = new URL('/sparql', values.url)
if (!/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(target.hostname))
  throw new Error('Only a service on this machine is attacked')
const until = performance.now() + Number(values.minutes) * 60_000
const agent = new Agent({ keepAlive: true })

const JOIN = '?a ?b ?c . ?d ?e ?f . ?g ?h ?i'
const GROWING = ['a', 'b', 'c', 'd', 'e'].reduce(
  (text, letter, at) => `REPLACE(${text}, "${letter}", "${'bcdef'.charAt(at).repeat(40)}")`,
  '"aaaaaaaaaa"',
)

/** Each with what it may be answered with. */
const ATTACKS: Readonly<Record<string, string>> = {
  'cartesian product': `SELECT (COUNT(*) AS ?n) { ${JOIN} }`,
  'product, sorted': `SELECT * { ${JOIN} } ORDER BY ?c ?f ?i`,
  'product, distinct': `SELECT DISTINCT ?a ?d ?g { ${JOIN} }`,
  'a million rows': 'SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 1000000',
  '(a|b)* over everything': 'SELECT * { ?a (<x:a>|!<x:b>|^!<x:b>)* ?b }',
  'regular expression': `SELECT * { ?s ?p ?o FILTER(REGEX(STR(?o), "${'(a|aa)*'.repeat(50)}b{1000}c")) }`,
  'text that grows': `SELECT (${GROWING} AS ?x) {}`,
  'texts that are joined': 'SELECT (GROUP_CONCAT(CONCAT(STR(?c), STR(?f))) AS ?x) { ?a ?b ?c . ?d ?e ?f }',
  'DESCRIBE of everything': 'DESCRIBE ?s { ?s ?p ?o }',
  'CONSTRUCT of products': 'CONSTRUCT { ?a ?e ?i } { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }',
  'deep groups': `SELECT * { ${'{'.repeat(5000)}${'}'.repeat(5000)} }`,
  'a long sum': `SELECT * { ?s ?p ?o FILTER(${'1+'.repeat(3000)}1 > 0) }`,
  'a long path': `SELECT * { ?s ${'<a:b>/'.repeat(2000)}<a:b> ?o }`,
  'many negations': `SELECT * { ?s ?p ?o FILTER(${'!'.repeat(20_000)}true) }`,
  'ten megabytes': `SELECT * { ?s ?p "${'x'.repeat(10_000_000)}" }`,
  SERVICE: 'SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }',
  nonsense: 'SELECT'.repeat(1000),
}

const outcomes = new Map<string, Map<string, number>>()
const matrix: number[] = []
const curve: { readonly second: number; readonly megabytes: number }[] = []

function printOutcome(name: string, outcome: string): void {
  const known = outcomes.get(name) ?? new Map<string, number>()
  known.set(outcome, (known.get(outcome) ?? 0) + 1)
  outcomes.set(name, known)
}

interface RawAnswer {
  readonly status: number
  /** The beginning. */
  readonly text: string
}

function receive(sent: ClientRequest, body = ''): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        if (text.length < 1000) text += chunk.toString()
      })
      response.on('error', reject)
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text })
      })
    })
    sent.end(body)
  })
}

async function send(name: string, query: string, localAddress?: string): Promise<void> {
  const own = localAddress === undefined ? { agent } : { agent: false, localAddress }
  const headers = { 'Content-Type': 'application/sparql-query' }
  try {
    const sent = request(target, { method: 'POST', ...own, headers })
    const { status, text } = await receive(sent, query)
    printOutcome(name, `${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? 'whole'}`)
    if (status === 429) await sleep(200)
  } catch (error) {
    printOutcome(name, messageOf(error))
  }
}

/** The service waits a minute for a client that does not read. */
const READING_MS = 70_000

/** Asks for a large answer, and reads nothing of it for long. */
async function readSlowly(): Promise<void> {
  const socket = connect(Number(target.port), target.hostname)
  socket.on('error', () => undefined)
  const query = encodeURIComponent('SELECT * { ?s ?p ?o } LIMIT 90000')
  socket.write(`GET /sparql?query=${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await sleep(READING_MS)
  let head = ''
  let length = 0
  socket.setTimeout(5000, () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (head.length < 2000) head += chunk.toString()
  })
  await new Promise((resolve) => socket.once('close', resolve))
  const announced = Number(/Content-Length: (\d+)/i.exec(head)?.[1])
  const status = /^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 'no answer'
  printOutcome('reads late', length < announced ? `${status}, cut off` : `${status}, whole`)
}

/** From many addresses, because one of them is soon told to wait. */
async function attack(): Promise<void> {
  const names = Object.entries(ATTACKS)
  while (performance.now() < until) {
    const [name, query] = names[Math.floor(Math.random() * names.length)] ?? ['', '']
    await send(name, query, `127.0.${1 + Math.floor(Math.random() * 200)}.1`)
  }
}

async function crowd(): Promise<void> {
  while (performance.now() < until) {
    const different = Array.from({ length: 200 }, (_, place) => `ASK { ?s ?p ?o } # ${place}`)
    await Promise.all(different.map((query) => send('200 at once', query)))
    await sleep(15_000)
  }
}

async function slowReaders(): Promise<void> {
  while (performance.now() < until) {
    await Promise.all([readSlowly(), readSlowly()])
    await sleep(1000)
  }
}

async function readMatrix(): Promise<void> {
  const own = new Agent({ keepAlive: true, maxSockets: 1 })
  while (performance.now() < until) {
    const begun = performance.now()
    const path = new URL('/api/matrix.json', target)
    const { status } = await receive(request(path, { agent: own }))
    if (status !== 200) printOutcome('matrix.json', String(status))
    matrix.push(performance.now() - begun)
    await sleep(20)
  }
}

async function watchMemory(): Promise<void> {
  const begun = performance.now()
  while (values.pid !== undefined && performance.now() < until) {
    const status = readFileSync(`/proc/${values.pid}/status`, 'utf8')
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
    curve.push({ second: (performance.now() - begun) / 1000, megabytes: kilobytes / 1024 })
    await sleep(1000)
  }
}

/** The most in each twelfth of the time. */
function memoryCurve(): readonly string[] {
  const size = Math.ceil(curve.length / 12)
  return Array.from({ length: Math.ceil(curve.length / size) }, (_, at) => {
    const part = curve.slice(at * size, (at + 1) * size)
    const second = Math.round(part[0]?.second ?? 0)
    return `${second} s: ${Math.round(Math.max(...part.map(({ megabytes }) => megabytes)))} MB`
  })
}

await Promise.all([...Array.from({ length: 6 }, attack), crowd(), slowReaders(), readMatrix(), watchMemory()])
agent.destroy()
const rows = [...outcomes].map(([name, found]) => [
  name,
  Array.from(found, ([outcome, count]) => `${outcome} × ${count}`).join(', '),
])
console.log(formatTable(['attack', 'outcomes'], rows))
const sorted = matrix.sort((a, b) => a - b)
const at = (share: number): number => rounded(sorted[Math.floor(sorted.length * share)] ?? NaN, 1)
console.log(`\nmatrix.json meanwhile, ${matrix.length} times: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
console.log(`\nMemory: ${memoryCurve().join(', ')}`)
