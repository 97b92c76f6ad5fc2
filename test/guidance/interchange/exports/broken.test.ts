import { request } from 'node:http'
import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { alter, setRows, rowOf } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { matching } from '../../../support/matchers.ts'

const lines: string[] = []
const guidance = guidanceService({}, pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }))

const session = signedIn(guidance, 'Ann')
let projectId = 0
let made: MadeComponent

beforeAll(async () => {
  projectId = await guidance().project(session, { name: 'Pots' })
  made = await makeComponent(guidance(), session, { projectId, rules: 600 })
  await set(made.rules, { fixtext: 'Shut the lid. '.repeat(40) })
})

beforeEach(() => {
  lines.length = 0
})

async function set(
  ids: readonly number[],
  values: { readonly fixtext?: string; readonly locked_fields?: string },
): Promise<void> {
  await alter(guidance(), (writer) => writer.updateTable('rules').set(values).where('id', 'in', ids).execute())
}

interface Heard {
  /** Null: not even the head came. */
  readonly status: number | null
  readonly bytes: number
  /** Whether the body came to its end. */
  readonly whole: boolean
  readonly fault: string | null
}

/** Downloads over a bare connection and notes how many bytes arrived and how it ended. */
function listen(path: string): Promise<Heard> {
  const { baseUrl } = guidance().service
  return new Promise((resolve) => {
    const headers = { Cookie: session.cookie, Accept: '*/*' }
    const outgoing = request(`${baseUrl}${path}`, { headers, agent: false }, (response) => {
      let bytes = 0
      let fault: string | null = null
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('error', (error) => (fault = error.message))
      response.on('close', () => {
        resolve({ status: response.statusCode ?? null, bytes, whole: response.complete, fault })
      })
    })
    outgoing.on('error', ({ message }) => {
      resolve({ status: null, bytes: 0, whole: false, fault: message })
    })
    outgoing.end()
  })
}

const entry = z.looseObject({ msg: z.string(), err: z.looseObject({ message: z.string() }) })

function logged(): readonly z.infer<typeof entry>[] {
  return lines.map((line) => entry.parse(JSON.parse(line)))
}

const ARCHIVE = '/export/json_archive'

describe('An export whose source fails in the middle', () => {
  it('is aborted without a regular end, and the reason is logged', async () => {
    const path = `/components/${made.id}${ARCHIVE}`
    expect(await listen(path)).toMatchObject({ status: 200, whole: true, fault: null })
    expect(lines).toEqual([])
    await set(made.rules.slice(-1), { locked_fields: '{' })
    const broken = await listen(path)
    expect([broken.whole, broken.fault === null]).toEqual([false, false])
    expect(logged()).toMatchObject([{ msg: 'An answer broke off', err: { message: matching(/JSON/) } }])
    await set(made.rules.slice(-1), { locked_fields: '{}' })
    expect(await listen(path)).toMatchObject({ status: 200, whole: true })
  })

  it('is aborted if the document of an SRG is damaged', async () => {
    const path = `/projects/${projectId}${ARCHIVE}?include_srg=true`
    const whole = await listen(path)
    expect(whole).toMatchObject({ status: 200, whole: true })
    const { content } = await rowOf(guidance(), 'benchmark_files', { benchmark_id: made.srgId })
    const damaged = Buffer.from(content).subarray(0, content.length >> 1)
    const store = (bytes: Buffer) =>
      setRows(guidance(), 'benchmark_files', { content: bytes }, { benchmark_id: made.srgId })
    await store(damaged)
    // More often than there are connections to the database.
    for (let round = 0; round < 12; round += 1) {
      const broken = await listen(path)
      expect([broken.whole, broken.fault === null]).toEqual([false, false])
      expect(broken.bytes).toBeLessThan(whole.bytes)
    }
    expect(logged()).toHaveLength(12)
    expect(logged()[0]).toMatchObject({ msg: 'An answer broke off', err: { code: 'Z_BUF_ERROR' } })
    await store(Buffer.from(content))
    expect(await listen(path)).toMatchObject({ status: 200, whole: true })
  })
})

describe('An export whose source fails before the first byte', () => {
  it.each(['csv', 'cklb'])('returns a problem document: %s', async (type) => {
    const path = `/components/${made.id}/export/${type}`
    await rename('rule_checks', 'rule_checks_away')
    const { status, headers, body } = await session.call('GET', path)
    await rename('rule_checks_away', 'rule_checks')
    expect([status, body]).toMatchObject([500, { code: 'internal_error' }])
    expect(headers).not.toHaveProperty('content-disposition')
    expect(logged()).toMatchObject([{ err: { message: matching(/rule_checks/) } }])
    expect(await listen(path)).toMatchObject({ status: 200, whole: true })
  })

  async function rename(from: string, to: string): Promise<void> {
    await alter(guidance(), (writer) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(writer))
  }
})
