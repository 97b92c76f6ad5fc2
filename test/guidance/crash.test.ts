// @module-tag database

import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.ts'
import { PASSWORD } from '../support/guidance.ts'
import { isDeep, runs } from '../support/runs.ts'
import { prepareService, type ServiceProcess } from '../support/service-process.ts'

const EMAIL = 'root@example.org'
/** Each database dies once while it is made, and then while it is written. */
const DATABASES = Math.min(runs(1), 4)
const KILLS_WHILE_WRITING = isDeep ? 6 : 3
const WRITES = 200
const AT_ONCE = 8
const TOKENS = 4

interface Answer {
  readonly status: number
  readonly cookie: string
  readonly csrfToken: string
  readonly body: unknown
}

interface Session {
  readonly cookie: string
  readonly csrfToken: string
}

interface CrashedService {
  readonly fresh: FreshDatabase
  readonly env: Readonly<Record<string, string>>
  /** A statement for each acknowledged write, that finds it together with its audit entry. */
  readonly acknowledged: string[]
  readonly projects: number[]
  readonly tokens: string[]
  readonly people: number[]
}

const withId = z.object({ id: z.int() })
const newUser = z.object({ user: withId })
const newToken = z.object({ token: z.string(), personal_access_token: withId })

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

/** The answer, or null when the service died before it came. */
function send(
  port: number,
  [method, path]: readonly [string, string],
  how: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer | null> {
  const headers = { 'Content-Type': 'application/json', ...how.headers }
  return new Promise((resolve) => {
    const outgoing = request({ port, method, path, agent, headers, timeout: 20_000 }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', () => {
        resolve(null)
      })
      incoming.on('end', () => {
        resolve({
          status: incoming.statusCode ?? 0,
          cookie: (incoming.headers['set-cookie'] ?? []).join('; ').split(';')[0] ?? '',
          csrfToken: String(incoming.headers['x-csrf-token']),
          body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
        })
      })
    })
    outgoing.on('error', () => {
      resolve(null)
    })
    outgoing.end(how.body === undefined ? undefined : JSON.stringify(how.body))
  })
}

async function newService(): Promise<CrashedService> {
  const fresh = await freshDatabase('empty')
  const env = {
    SERVICE_DATA_DIR: fresh.dataDir,
    SERVICE_ADMIN_EMAIL: EMAIL,
    SERVICE_ADMIN_PASSWORD: PASSWORD,
    SERVICE_RATE_LIMIT_ENABLED: 'false',
    ...(fresh.url !== null && { SERVICE_DATABASE_URL: fresh.url }),
  }
  return { fresh, env, acknowledged: [], projects: [], tokens: [], people: [] }
}

async function signIn(port: number): Promise<Session> {
  const answer = await send(port, ['POST', '/api/auth/login'], { body: { email: EMAIL, password: PASSWORD } })
  if (answer?.status !== 200) throw new Error(`Nobody was signed in: ${JSON.stringify(answer)}`)
  return answer
}

type Write = (
  crashed: CrashedService,
  index: number,
) => {
  readonly to: readonly [string, string]
  readonly body: unknown
  /** Notes what was acknowledged. */
  readonly note: (body: unknown) => void
}

const audited = (type: string, id: number, action: string): string =>
  `(select count(*) from audits where auditable_type = '${type}' and auditable_id = ${id}
    and action = '${action}')`

const addProject: Write = ({ acknowledged, projects }, index) => {
  const name = `Project ${index} of ${randomInt(2 ** 31)}`
  return {
    to: ['POST', '/projects'],
    body: { project: { name, project_metadata_attributes: { data: { index: `${index}` } } } },
    note: (body) => {
      const { id } = withId.parse(body)
      projects.push(id)
      acknowledged.push(
        `select 1 from projects where id = ${id} and name = '${name}'
          and ${audited('Project', id, 'create')} = 1`,
      )
    },
  }
}

const changeProject: Write = ({ acknowledged, projects }, index) => {
  const id = projects[index % projects.length] ?? 0
  const description = `Description ${index} of ${randomInt(2 ** 31)}`
  return {
    to: ['PATCH', `/projects/${id}`],
    body: { project: { description } },
    // Another change may have come after it: the trail knows of both.
    note: () =>
      acknowledged.push(
        `select 1 from audits where auditable_id = ${id} and auditable_type = 'Project'
          and action = 'update' and changes like '%"new_value":"${description}"%'`,
      ),
  }
}

const addPerson: Write = ({ acknowledged, people }, index) => ({
  to: ['POST', '/users/admin_create'],
  body: { user: { name: `Person ${index}`, email: `${index}.${randomInt(2 ** 31)}@example.org` } },
  note: (body) => {
    const { id } = newUser.parse(body).user
    people.push(id)
    acknowledged.push(`select 1 from users where id = ${id} and ${audited('User', id, 'create')} = 1`)
  },
})

const addMember: Write = ({ acknowledged, projects, people }) => {
  const membership_id = projects.at(-1) ?? 0
  const user_id = people[randomInt(people.length)] ?? 0
  const named = { membership_type: 'Project', membership_id, user_id, role: 'author' }
  return {
    to: ['POST', '/memberships'],
    body: { membership: named },
    note: () =>
      acknowledged.push(
        `select 1 from memberships join audits on auditable_id = memberships.id
          and auditable_type = 'Membership' and action = 'create'
          where user_id = ${user_id} and memberships.project_id = ${membership_id}`,
      ),
  }
}

const addToken: Write = ({ acknowledged, tokens }, index) => ({
  to: ['POST', '/personal_access_tokens'],
  body: {
    personal_access_token: {
      name: `Token ${index}`,
      scopes: ['read'],
      expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
      current_password: PASSWORD,
    },
  },
  note: (body) => {
    const { token, personal_access_token } = newToken.parse(body)
    tokens.push(token)
    acknowledged.push(
      `select 1 from personal_access_tokens where id = ${personal_access_token.id}
        and ${audited('PersonalAccessToken', personal_access_token.id, 'create')} = 1`,
    )
  },
})

function writeOf({ projects, people }: CrashedService, index: number): Write {
  if (projects.length === 0) return addProject
  if (people.length < 3) return addPerson
  if (index % (WRITES / TOKENS) === 7) return addToken
  return [addProject, changeProject, addProject, addMember][index % 4] ?? addProject
}

/** Writes as several people at once would; kills the service after some of it was acknowledged. */
async function writeUntilKilled(
  crashed: CrashedService,
  service: ServiceProcess,
  { port, session }: { readonly port: number; readonly session: Session },
): Promise<void> {
  const headers = { Cookie: session.cookie, 'X-CSRF-Token': session.csrfToken }
  const killAt = crashed.acknowledged.length + randomInt(1, WRITES)
  let dying: Promise<void> | null = null
  let next = 0
  const writer = async (): Promise<void> => {
    while (next < WRITES) {
      const index = next++
      const { to, body, note } = writeOf(crashed, index)(crashed, index)
      const answer = await send(port, to, { body, headers })
      if (answer === null) return
      // Somebody may be a member already: that is refused, and nothing is written.
      if (answer.status === 200) note(answer.body)
      else expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
      if (crashed.acknowledged.length >= killAt) dying ??= service.kill()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, writer))
  await service.kill()
}

/** Queries for records that were only half written. Each must find nothing. */
const HALVES = [
  `select id from projects where not exists (select 1 from memberships
    where project_id = projects.id and role = 'admin')`,
  ...[
    ['Project', 'projects'],
    ['Membership', 'memberships'],
    ['User', 'users'],
    ['PersonalAccessToken', 'personal_access_tokens'],
  ].flatMap(([type, table]) => [
    `select id from ${table} where 1 <> (select count(*) from audits where action = 'create'
      and auditable_type = '${type}' and auditable_id = ${table}.id)`,
    `select id from audits where action = 'create' and auditable_type = '${type}'
      and not exists (select 1 from ${table} where id = auditable_id)`,
  ]),
  `select id from projects where lock_version <> (select count(*) from audits
    where action = 'update' and auditable_type = 'Project' and auditable_id = projects.id)`,
]

async function checkDatabase({ fresh, acknowledged }: CrashedService): Promise<void> {
  for (let start = 0; start < acknowledged.length; start += 100) {
    const some = acknowledged.slice(start, start + 100)
    const counted = some.map((query) => `select count(*) as n from (${query}) as found`)
    const rows = await fresh.run(counted.join(' union all '))
    expect(rows.filter(({ n }) => Number(n) !== 1)).toEqual([])
  }
  for (const half of HALVES) expect([half, await fresh.run(half)]).toEqual([half, []])
  if (fresh.url !== null) return
  expect(await fresh.run('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(await fresh.run('pragma foreign_key_check')).toEqual([])
}

async function checkService({ tokens }: CrashedService, port: number, session: Session): Promise<void> {
  const me = ['GET', '/api/auth/me'] as const
  const bySession = await send(port, me, { headers: { Cookie: session.cookie } })
  expect(bySession?.status).toBe(200)
  for (const token of tokens) {
    const byToken = await send(port, me, { headers: { Authorization: `Token ${token}` } })
    expect(byToken?.status).toBe(200)
  }
}

describe('The guidance service', () => {
  it('keeps all it acknowledged, and nothing by halves, whenever it is killed', async () => {
    let kills = 0
    for (let database = 0; database < DATABASES; database += 1) {
      const crashed = await newService()
      const first = prepareService(crashed.env)
      let next = prepareService(crashed.env)
      await first.loaded()
      await first.open()
      await sleep(randomInt(80))
      await first.kill()
      kills += 1
      let session: Session | null = null
      for (let round = 0; round <= KILLS_WHILE_WRITING; round += 1) {
        const service = next
        await service.loaded()
        await service.open()
        const port = await service.listening()
        session ??= await signIn(port)
        await checkDatabase(crashed)
        await checkService(crashed, port, session)
        if (round === KILLS_WHILE_WRITING) break
        next = prepareService(crashed.env)
        await writeUntilKilled(crashed, service, { port, session })
        kills += 1
      }
      expect(crashed.projects.length).toBeGreaterThan(0)
    }
    expect(kills).toBe(DATABASES * (1 + KILLS_WHILE_WRITING))
  }, 600_000)
})
