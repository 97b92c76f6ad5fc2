// @module-tag database

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { jobSchema } from '../../../../src/guidance/catalogue/imports/jobs.ts'
import { emptyCatalogue, inventory, send, uploaded, whenOver } from '../../../support/catalogue.ts'
import { environmentOf, freshDatabase, type FreshDatabase } from '../../../support/fresh-database.ts'
import {
  guidanceService,
  signedIn,
  startGuidance,
  type Client,
  type GuidanceUnderTest,
} from '../../../support/guidance.ts'
import { matching } from '../../../support/matchers.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'
import { zipOf } from '../../../support/zip.ts'

const guidance = guidanceService()

const ASYNC = { Prefer: 'respond-async' }

const admin = signedIn(guidance, 'Root', { admin: true })

beforeEach(() => emptyCatalogue(guidance()))

/** A zip of so many releases of one product. */
function library(releases: number, rules = 30): Promise<Buffer> {
  const members = Array.from({ length: releases }, (_none, index) => {
    const release = String(index + 1)
    return [`release-${release.padStart(3, '0')}.xml`, xccdfDocument({ release, rules })] as const
  })
  return zipOf(Object.fromEntries(members))
}

describe('An asynchronous upload', () => {
  it.each(['respond-async', 'wait=0', 'RESPOND-ASYNC', 'return=minimal, wait="0", respond-async'])(
    'with Prefer: %s returns 202 and the address of its job',
    async (Prefer) => {
      const answer = await send(admin, await library(8, 60), { headers: { Prefer } })
      expect(answer.status).toBe(202)
      const job = uploaded.parse(answer.body)
      expect(answer.headers.location).toBe(`/api/imports/${job.id}`)
      expect(['waiting', 'running']).toContain(job.state)
      expect(job.toast).toMatchObject({ title: 'Import started.', variant: 'success' })
      const over = await whenOver(admin, job.id)
      expect(over).toMatchObject({ state: 'finished', done: 8, total: 8, problem: null })
      expect(over.imported.map(({ version }) => version)).toEqual(
        [1, 2, 3, 4, 5, 6, 7, 8].map((release) => `V1R${release}`),
      )
      expect(await inventory(guidance())).toMatchObject({ benchmarks: 8, files: [] })
    },
  )

  it('reports a failure in its job', async () => {
    const file = xccdfDocument({ rules: 2000 }).slice(0, -20)
    const { status, body } = await send(admin, file, { headers: ASYNC })
    expect(status).toBe(202)
    expect(await whenOver(admin, uploaded.parse(body).id)).toMatchObject({
      state: 'refused',
      imported: [],
      refused: [],
      problem: { code: 'xml_not_well_formed', status: 422, detail: matching(/end/) },
    })
  })

  it.each(['', 'wait=60', 'wait=5, respond-async', 'handling=lenient', 'wait=99999999999999999999'])(
    'becomes synchronous with Prefer: %s',
    async (Prefer) => {
      const { status } = await send(admin, xccdfDocument(), { headers: { Prefer } })
      expect(status).toBe(200)
    },
  )
})

describe('The events of an import', () => {
  it('report each step and end with the result', async () => {
    const { body } = await send(admin, await library(8, 60), { headers: ASYNC })
    const { id } = uploaded.parse(body)
    const { status, headers, bytes } = await admin.call('GET', `/api/imports/${id}/events`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    const events = eventsIn(bytes.toString())
    const names = events.map(({ event }) => event)
    expect(names.length).toBeGreaterThan(1)
    expect(names).toEqual([...names.slice(1).map(() => 'progress'), 'done'])
    const done = events.map(({ job }) => job.done)
    expect(done).toEqual(done.toSorted((a, b) => a - b))
    expect(events.at(-1)?.job).toMatchObject({ id, state: 'finished', done: 8 })
    expect((await admin.call('GET', `/api/imports/${id}`)).body).toEqual(events.at(-1)?.job)
  })

  it('of a finished one consist of its result only', async () => {
    const { body } = await send(admin, xccdfDocument())
    const { id } = uploaded.parse(body)
    const { bytes } = await admin.call('GET', `/api/imports/${id}/events`)
    expect(eventsIn(bytes.toString())).toMatchObject([{ event: 'done', job: { id } }])
  })

  it.each(['/api/imports/4711', '/api/imports/4711/events', '/api/imports/0', '/api/imports/x'])(
    'return an error for %s',
    async (path) => {
      expect(await admin.call('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )
})

describe('Many simultaneous uploads', () => {
  it('are processed one after the other, each once', async () => {
    const files = Array.from({ length: 12 }, (_none, index) =>
      xccdfDocument({ release: String(index + 1), rules: 300 }),
    )
    const ids = await Promise.all(
      files.map(async (file) => {
        const { status, body } = await send(admin, file, { headers: ASYNC })
        expect(status).toBe(202)
        return uploaded.parse(body).id
      }),
    )
    for (const id of ids) expect(await whenOver(admin, id)).toMatchObject({ state: 'finished' })
    expect(await inventory(guidance())).toMatchObject({ benchmarks: 12, files: [] })
  })
})

interface StoredJob {
  readonly spool?: string
  readonly state?: 'waiting' | 'running'
  readonly done?: number
  readonly imported?: readonly object[]
}

/** An import that an earlier run has promised: its row, and its file where there is one. */
async function promise(
  fresh: FreshDatabase,
  { spool = 'a-file', state = 'waiting', done = 0, imported = [] }: StoredJob,
): Promise<number> {
  const database = await fresh.open()
  const now = new Date().toISOString()
  const outcome = { imported, already_imported: [], refused: [], problem: null }
  const { id } = await database.transact((writer) =>
    writer
      .insertInto('imports')
      .values({
        user_id: null,
        file_name: 'library.zip',
        spool,
        state,
        done,
        total: done,
        actor: JSON.stringify({ id: 4711, name: 'Somebody who left', via: 'session' }),
        options: JSON.stringify({ replace: false }),
        outcome: JSON.stringify(outcome),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}

async function spoolFile(dataDir: string, name: string, content: Buffer | string): Promise<void> {
  await mkdir(join(dataDir, 'imports'), { recursive: true })
  await writeFile(join(dataDir, 'imports', name), content)
}

/** Runs a service on a database while a test does its work. */
async function whileRunning(
  database: FreshDatabase,
  work: (guidance: GuidanceUnderTest, root: Client) => Promise<void>,
): Promise<void> {
  const started = await startGuidance(database.dataDir, environmentOf(database))
  try {
    await work(started, await started.signUp('Root', { admin: true, email: `${Math.random()}@example.org` }))
  } finally {
    await started.service.close()
  }
}

describe('A starting service', () => {
  it('processes accepted uploads in the name of their senders, and deletes files that belong to none', async () => {
    const fresh = await freshDatabase()
    const id = await promise(fresh, {})
    await spoolFile(fresh.dataDir, 'a-file', await library(2))
    await spoolFile(fresh.dataDir, 'left-behind', 'half a file')
    await mkdir(join(fresh.dataDir, 'uploads'), { recursive: true })
    await writeFile(join(fresh.dataDir, 'uploads', 'half'), 'what came before a crash')
    await whileRunning(fresh, async (started, root) => {
      expect(await whenOver(root, id)).toMatchObject({ state: 'finished', done: 2, total: 2 })
      expect(await inventory(started)).toMatchObject({ benchmarks: 2, files: [] })
    })
    expect(
      await fresh.run(`select name, actor_id, count(*) as entries from audits
        where auditable_type = 'STIG' group by name, actor_id`),
    ).toMatchObject([{ name: 'Somebody who left', actor_id: 4711 }])
  })

  it('resumes imports without repeating finished steps', async () => {
    const fresh = await freshDatabase()
    const done = { kind: 'stig', benchmark_id: 'Teapot_STIG', title: 'Teapot', rule_count: 1 }
    const counted = { severity_counts: { high: 0, medium: 0, low: 0 }, replaced: false }
    const imported = ['V1R1', 'V1R2'].map((version) => ({
      member: `${version}.xml`,
      id: 1,
      ...done,
      version,
      ...counted,
      warnings: [],
    }))
    const id = await promise(fresh, { state: 'running', done: 2, imported })
    await spoolFile(fresh.dataDir, 'a-file', await library(5))
    await whileRunning(fresh, async (_started, root) => {
      const over = await whenOver(root, id)
      expect(over).toMatchObject({ state: 'finished', done: 5 })
      expect(over.imported.map(({ version }) => version)).toEqual(['V1R1', 'V1R2', 'V1R3', 'V1R4', 'V1R5'])
      // Members that were already marked done are skipped, so this import did not store them.
      const { body } = await root.call('GET', '/stigs')
      expect(body).toMatchObject([{ version: 'V1R3' }, { version: 'V1R4' }, { version: 'V1R5' }])
    })
  })

  it('keeps files that belong to another process', async () => {
    const fresh = await freshDatabase()
    const id = await promise(fresh, { spool: 'in-another-folder' })
    await whileRunning(fresh, async (_started, root) => {
      await sleep(300)
      expect((await root.call('GET', `/api/imports/${id}`)).body).toMatchObject({ state: 'waiting' })
    })
  })

  it('finishes imports that were accepted before the stop', async () => {
    const fresh = await freshDatabase()
    let id = 0
    await whileRunning(fresh, async (_started, root) => {
      const { status, body } = await send(root, await library(12, 60), { headers: ASYNC })
      expect(status).toBe(202)
      id = uploaded.parse(body).id
    })
    const rows = await fresh.run(`select done, state from imports where id = ${id}`)
    expect(rows).toMatchObject([{ state: matching(/^(waiting|running)$/) }])
    await whileRunning(fresh, async (started, root) => {
      const over = await whenOver(root, id)
      expect(over).toMatchObject({ state: 'finished', done: 12, total: 12, refused: [] })
      expect(over.imported).toHaveLength(12)
      expect(over.already_imported).toEqual([])
      expect(await inventory(started)).toMatchObject({ benchmarks: 12, benchmark_rules: 720, files: [] })
    })
  })
})

/** Progress events leave out the list of members. */
const progressSchema = jobSchema
  .pick({ id: true, file_name: true, state: true, done: true, total: true, updated_at: true })
  .strict()

function eventsIn(
  text: string,
): readonly { readonly event: string; readonly job: ReturnType<typeof progressSchema.parse> }[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
      const schema = event === 'done' ? jobSchema : progressSchema
      return { event, job: schema.parse(JSON.parse(data)) }
    })
}
