// @module-tag long

import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { ReleaseFolder } from '../../src/ontology/index.ts'
import { builtProgram } from '../support/build.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { ingestInto, STARTER } from '../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'

/** So that the test ends. */
const MOST_COUNTS = 20_000

let child: ChildProcess | null = null

afterEach(() => {
  child?.kill('SIGKILL')
  child = null
})

/** The program on a free port; whether it listens already is for the test to find out. */
async function start(dataDir: string): Promise<string> {
  const port = await freePort()
  const env = { ...process.env, SERVICE_DATA_DIR: dataDir, SERVICE_PORT: String(port), SERVICE_LOG_LEVEL: 'silent' }
  child = spawn(process.execPath, [builtProgram('src/main.ts')], { env, stdio: 'ignore' })
  return `http://127.0.0.1:${port}`
}

async function statementsOf(dataDir: string): Promise<number> {
  const folder = new ReleaseFolder(dataDir)
  const manifest = await folder.manifest((await folder.active()) ?? '')
  return manifest?.counts.statements ?? 0
}

let asked = 0

/** The count; null: refused because the graphs are not ready, or nobody listens yet. */
async function count(url: string): Promise<number | null> {
  asked += 1
  const query = new URLSearchParams({ query: `SELECT (COUNT(*) AS ?n) { ?s ?p ?o } # ${asked}` })
  const headers = { Accept: 'text/csv' }
  const answer = await fetch(`${url}/sparql?${query.toString()}`, { headers }).catch(() => null)
  if (answer === null) return null
  const body = await answer.text()
  if (answer.status === 200) return Number(body.split('\r\n')[1])
  expect([answer.status, body]).toEqual([503, expect.stringContaining('graphs_not_ready')])
  expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
  return null
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => null)
  return answer?.status === 200
}

describe('The program', () => {
  it('answers no query before all of its graphs are loaded', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, STARTER)
    const before = await statementsOf(dataDir)
    const url = await start(dataDir)
    while (!(await isReady(url))) {
      expect([null, before]).toContain(await count(url))
      await sleep(10)
    }
    // From now on nobody is refused, also while another release takes the place of this one.
    expect(await count(url)).toBe(before)
    await ingestInto(dataDir, [SMALL])
    const after = await statementsOf(dataDir)
    expect(after).not.toBe(before)
    const counts: (number | null)[] = []
    while (counts.at(-1) !== after && counts.length < MOST_COUNTS) counts.push(await count(url))
    expect(new Set([before, ...counts])).toEqual(new Set([before, after]))
    const isNew = counts.map((statementCount) => statementCount === after)
    expect(isNew.indexOf(true)).toBe(counts.length - 1)
  })
})
