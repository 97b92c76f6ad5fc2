// @module-tag database

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { unifiedAnswer } from '../../../src/contracts/search-answer.ts'
import { insertComponent } from '../../../src/guidance/authoring/components/record.ts'
import { storeWith } from '../../support/catalogue.ts'
import { freshDatabase, type FreshDatabase } from '../../support/fresh-database.ts'
import { PASSWORD } from '../../support/guidance.ts'
import { isDeep } from '../../support/runs.ts'
import { prepareService, type ServiceProcess } from '../../support/service-process.ts'

const EMAIL = 'root@example.org'
const ROOT = {
  id: 1,
  name: 'Root',
  email: EMAIL,
  admin: true,
  provider: null,
  via: { kind: 'session', id: 1 },
} as const
/** Changes through another service are found within this time. */
const SOON_MS = 2000

interface Running {
  readonly process: ServiceProcess
  readonly port: number
}

async function started(fresh: FreshDatabase): Promise<Running> {
  const process = prepareService({
    SERVICE_DATA_DIR: fresh.dataDir,
    SERVICE_ADMIN_EMAIL: EMAIL,
    SERVICE_ADMIN_PASSWORD: PASSWORD,
    SERVICE_RATE_LIMIT_ENABLED: 'false',
    ...(fresh.url !== null && { SERVICE_DATABASE_URL: fresh.url }),
  })
  await process.loaded()
  await process.open()
  return { process, port: await process.listening() }
}

type Headers = Readonly<Record<string, string>>

async function send(
  { port }: Running,
  [method, path]: readonly [string, string],
  { headers, body }: { readonly headers: Headers; readonly body?: unknown },
): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const said: unknown = await answer.json()
  expect([answer.status, said]).toEqual([answer.ok ? answer.status : 200, said])
  return said
}

async function signIn({ port }: Running): Promise<Headers> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { cookie, 'X-CSRF-Token': answer.headers.get('x-csrf-token') ?? '' }
}

async function found(running: Running, headers: Headers, q: string): Promise<readonly string[]> {
  const path = `/api/search/unified?${new URLSearchParams({ q }).toString()}`
  const url = `${path}&kind=component`
  const answer = unifiedAnswer.parse(await send(running, ['GET', url], { headers }))
  return answer.results.map(({ label }) => label)
}

/** A component, made past HTTP; its number. */
async function component(fresh: FreshDatabase, projectId: number): Promise<number> {
  const database = await fresh.open()
  const srg = { id: 'Teapot_SRG', kind: 'srg', rules: 1 } as const
  return database.transact(async (writer) => {
    const srgIds = [await storeWith(writer, srg)]
    return insertComponent(
      writer,
      {
        projectId,
        documentType: 'stig',
        srgIds,
        overlaid: null,
        publishedSource: null,
        name: 'Teapot',
        prefix: 'TEAP-00',
        title: 'Guide',
        description: null,
        version: 1,
        release: 1,
        admin: null,
        advancedFields: false,
        metadata: {},
      },
      ROOT,
    )
  })
}

/** With both databases at hand this runs on PostgreSQL only, except in a deep run. */
const isElsewhere =
  process.env['PARAPET_TEST_POSTGRES'] !== undefined && process.env['PARAPET_TEST_DIALECT'] !== 'postgres' && !isDeep

describe.skipIf(isElsewhere)('Two services on one database', () => {
  it('find edits of the other service, even if that is killed', async () => {
    const fresh = await freshDatabase()
    const first = await started(fresh)
    const second = await started(fresh)
    const headers = await signIn(first)
    const project = { project: { name: 'Kitchen' } }
    const created = await send(first, ['POST', '/projects'], { headers, body: project })
    const id = await component(fresh, z.object({ id: z.int() }).parse(created).id)
    expect(await found(second, headers, 'teapot')).toEqual(['Teapot'])

    const rename = async (running: Running, name: string): Promise<void> => {
      await send(running, ['PUT', `/components/${id}`], { headers, body: { component: { name } } })
    }
    await rename(first, 'Samovar')
    const edited = performance.now()
    expect(await found(second, headers, 'samovar')).toEqual(['Samovar'])
    expect(performance.now() - edited).toBeLessThan(SOON_MS)
    await rename(second, 'Kettle')
    expect(await found(first, headers, 'kettle')).toEqual(['Kettle'])
    expect(await found(first, headers, 'samovar')).toEqual([])

    await rename(first, 'Percolator')
    await first.process.kill()
    expect(await found(second, headers, 'percolator')).toEqual(['Percolator'])
    const third = await started(fresh)
    expect(await found(third, headers, 'percolator')).toEqual(['Percolator'])
    expect(await found(third, headers, 'kettle')).toEqual([])
  })
})
