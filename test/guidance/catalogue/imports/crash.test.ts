// @module-tag database

import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jobSchema, type ImportJob } from '../../../../src/guidance/catalogue/imports/jobs.ts'
import { waitingFiles } from '../../../support/catalogue.ts'
import { encodeForm } from '../../../support/form.ts'
import { freshDatabase, type FreshDatabase } from '../../../support/fresh-database.ts'
import { PASSWORD } from '../../../support/guidance.ts'
import { isDeep } from '../../../support/runs.ts'
import { prepareService } from '../../../support/service-process.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'
import { zipOf } from '../../../support/zip.ts'

const EMAIL = 'root@example.org'
const BENCHMARKS = 15
const RULES = 100
const PATIENCE_MS = 60_000
const KILLS = isDeep ? 4 : 2

/** Queries for benchmarks and outcomes that were only half written. Each must find nothing. */
const HALVES = [
  `select id from benchmarks where rule_count <> (select count(*) from benchmark_rules
    where benchmark_id = benchmarks.id) or rule_count <> ${RULES}`,
  `select id from benchmarks where 1 <> (select count(*) from benchmark_files
    where benchmark_id = benchmarks.id)`,
  ...['checks', 'fixes', 'idents'].map(
    (part) => `select id from benchmark_rules where 1 <> (select count(*) from benchmark_${part}
      where rule_id = benchmark_rules.id)`,
  ),
  `select id from benchmarks where 1 <> (select count(*) from audits
    where auditable_type = 'STIG' and action = 'create' and auditable_id = benchmarks.id)`,
  `select id from audits where auditable_type = 'STIG'
    and not exists (select 1 from benchmarks where id = auditable_id)`,
]

/** The answer, or null when the service died before it came. */
async function ask(
  port: number,
  path: string,
  init: RequestInit = {},
): Promise<{ readonly headers: Headers; readonly body: unknown } | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init)
    return { headers: answer.headers, body: await answer.json() }
  } catch {
    return null
  }
}

async function signIn(port: number): Promise<Readonly<Record<string, string>>> {
  const answer = await ask(port, '/api/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  if (answer === null) throw new Error('Nobody was signed in')
  const Cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { Cookie, 'X-CSRF-Token': answer.headers.get('X-CSRF-Token') ?? '' }
}

async function submit(port: number, headers: Readonly<Record<string, string>>): Promise<number> {
  const members = Array.from({ length: BENCHMARKS }, (_none, index) => {
    const file = xccdfDocument({ id: `Teapot_${index}`, rules: RULES })
    return [`${String(index).padStart(3, '0')}.xml`, file] as const
  })
  const form = encodeForm({ file: await zipOf(Object.fromEntries(members)) })
  const answer = await ask(port, '/stigs', {
    method: 'POST',
    headers: { ...headers, ...form.headers, Prefer: 'respond-async' },
    body: new Uint8Array(form.body),
  })
  return z.object({ id: z.int() }).parse(answer?.body).id
}

async function follow(
  port: number,
  [id, headers]: readonly [number, Readonly<Record<string, string>>],
  until: (job: ImportJob) => boolean,
): Promise<ImportJob> {
  // Nobody finishes what is forgotten.
  const giveUp = Date.now() + PATIENCE_MS
  while (Date.now() < giveUp) {
    const answer = await ask(port, `/api/imports/${id}`, { headers })
    const job = jobSchema.parse(answer?.body)
    if (until(job)) return job
    if (!['waiting', 'running'].includes(job.state)) throw new Error(`It is over: ${JSON.stringify(job)}`)
    await sleep(5)
  }
  throw new Error(`Nothing has become of import ${id}`)
}

async function checkWhole(fresh: FreshDatabase, id: number): Promise<number> {
  for (const half of HALVES) expect([half, await fresh.run(half)]).toEqual([half, []])
  const stored = await fresh.run('select benchmark_id from benchmarks order by benchmark_id')
  const [row] = await fresh.run(`select done, outcome from imports where id = ${id}`)
  const outcome = z
    .object({ imported: z.array(z.object({ benchmark_id: z.string() })) })
    .parse(JSON.parse(z.string().parse(row?.['outcome'])))
  // The outcome lists exactly the benchmarks that are stored.
  const names = outcome.imported.map(({ benchmark_id }) => ({ benchmark_id }))
  expect(names.sort((a, b) => (a.benchmark_id < b.benchmark_id ? -1 : 1))).toEqual(stored)
  expect(Number(row?.['done'])).toBe(stored.length)
  return stored.length
}

describe('An import of many benchmarks', () => {
  it('stores each completely or not at all when the service is killed, and resumes later', async () => {
    const fresh = await freshDatabase()
    const env = {
      SERVICE_DATA_DIR: fresh.dataDir,
      SERVICE_ADMIN_EMAIL: EMAIL,
      SERVICE_ADMIN_PASSWORD: PASSWORD,
      SERVICE_RATE_LIMIT_ENABLED: 'false',
      ...(fresh.url !== null && { SERVICE_DATABASE_URL: fresh.url }),
    }
    let next = prepareService(env)
    let id = 0
    let session: Readonly<Record<string, string>> | null = null
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const service = next
      await service.loaded()
      await service.open()
      const port = await service.listening()
      session ??= await signIn(port)
      if (id === 0) id = await submit(port, session)
      next = prepareService(env)
      const enough = kill * Math.floor(BENCHMARKS / (KILLS + 1))
      await follow(port, [id, session], ({ done }) => done >= enough)
      await sleep(randomInt(30))
      await service.kill()
      const stored = await checkWhole(fresh, id)
      expect(stored).toBeGreaterThanOrEqual(enough)
    }
    await next.loaded()
    await next.open()
    const port = await next.listening()
    if (session === null) throw new Error('Nobody is signed in')
    const over = await follow(port, [id, session], ({ state }) => state === 'finished')
    expect(over).toMatchObject({ done: BENCHMARKS, total: BENCHMARKS, already_imported: [] })
    expect(await checkWhole(fresh, id)).toBe(BENCHMARKS)
    await next.kill()
    expect(await waitingFiles(fresh.dataDir)).toEqual([])
  }, 600_000)
})
