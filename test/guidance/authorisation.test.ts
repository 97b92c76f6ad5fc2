// @module-tag database

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ROLES } from '../../src/guidance/parts/project-access.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { PERSONAS, readAuthorisationTable, type Persona, type Row } from '../support/authorisation-table.ts'
import { CallMaker, methodsOf, titledCalls, type Call, type Caller } from '../support/calls.ts'
import { SAMPLE_ONTOLOGY } from '../support/catalogue-samples.ts'
import {
  guidanceService,
  startGuidance,
  type Answer,
  type GuidanceUnderTest,
  type Person,
} from '../support/guidance.ts'
import { slapdPath, startLdapServer, type LdapServer } from '../support/ldap-server.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { startOidcServer, type OidcServer } from '../support/oidc-server.ts'
import { isDeep, someOf, spreadOf } from '../support/runs.ts'
import { samplesOf } from '../support/sample-requests.ts'
import { ingestInto } from '../support/service.ts'

/** With a name, which passkeys need. */
const BASE_URL = 'http://localhost:4711'

const hasDirectory = slapdPath() !== null
const calls = titledCalls()

/** Rules of access do not depend on the database, so on PostgreSQL only one permitted person sends each request. */
const isSecond = process.env['PARAPET_TEST_DIALECT'] === 'postgres' && !isDeep

function personasOf({ outcomes }: Call): readonly Persona[] {
  if (!isSecond) return PERSONAS
  return [outcomes['project admin'] === 'ok' ? 'project admin' : 'site admin']
}

const comparisons = calls.flatMap(([, call]) => personasOf(call)).length

let dataDir: string
let mail: MailServer
let oidc: OidcServer
let directory: LdapServer | null = null
let guidance: GuidanceUnderTest
let callers: Record<Persona, Caller>
let owner: Person
let maker: CallMaker

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
  await ingestInto(dataDir, SAMPLE_ONTOLOGY)
  mail = await startMailServer()
  oidc = await startOidcServer({ redirectUris: [`${BASE_URL}/users/auth/oidc/callback`] })
  if (hasDirectory) directory = await startLdapServer()
  guidance = await startGuidance(dataDir, {
    SERVICE_BASE_URL: BASE_URL,
    SERVICE_SMTP_URL: mail.url,
    SERVICE_OIDC_ISSUER: oidc.issuer,
    SERVICE_OIDC_CLIENT_ID: oidc.clientId,
    SERVICE_OIDC_CLIENT_SECRET: oidc.clientSecret,
    ...(directory !== null && {
      SERVICE_LDAP_URL: directory.url,
      SERVICE_LDAP_BASE_DN: directory.baseDn,
      SERVICE_LDAP_BIND_DN: directory.bindDn,
      SERVICE_LDAP_BIND_PASSWORD: directory.bindPassword,
    }),
  })
  maker = new CallMaker(guidance, oidc)
  owner = await maker.person()
  callers = await makeCallers()
})

afterAll(async () => {
  await guidance.service.close()
  await directory?.close()
  await oidc.close()
  await mail.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('The authorisation table', () => {
  it('has rows for exactly the declared endpoints and their rules', () => {
    const written = readAuthorisationTable().map(({ methods, path, rule, authentication }) =>
      [methods.join(', '), path, rule, authentication].join(' | '),
    )
    expect([...new Set(written)].sort()).toEqual(endpoints().map(declared).sort())
  })

  it('has one row for each sample request', () => {
    const written = readAuthorisationTable().map((row) => `${maker.endpoint(row).operation} ${row.case}`.trim())
    const samples = endpoints().flatMap(({ operation }) => samplesOf(operation))
    expect(written.sort()).toEqual(samples.map(([name]) => name).sort())
  })
})

describe(`Each of ${calls.length} requests, made by several callers (${comparisons} comparisons)`, () => {
  it.for(calls)('%s ends as the table says', async ([, call], { skip }) => {
    skip(needsDirectory(call) && !hasDirectory, 'No slapd')
    const requests = new Requests(call)
    const found: Record<string, string> = {}
    for (const persona of personasOf(call)) found[persona] = await outcomeOf(requests, persona)
    const expected = personasOf(call).map((persona) => [persona, call.outcomes[persona]])
    expect(found).toEqual(Object.fromEntries(expected))
  })
})

describe.skipIf(isSecond)('A write by session', () => {
  const writes = calls.filter(([, { method, authentication }]) => method !== 'GET' && authentication !== 'none')
  // Nothing becomes of these requests, so that all can be made in the same sessions.
  let admin: Awaited<ReturnType<CallMaker['session']>>
  let foreign: Awaited<ReturnType<CallMaker['session']>>

  beforeAll(async () => {
    admin = await maker.session(true)
    foreign = await maker.session(true)
  })

  it.for(writes)('to %s is refused without its own CSRF token', async ([, call]) => {
    const request = await maker.request(call, admin.person)
    const before = await traces()
    const wrong = ['', foreign.csrfToken, `${admin.csrfToken}x`]
    const turn = writes.findIndex(([, other]) => other === call)
    for (const token of someOf(wrong, 1, turn)) {
      const answer = await admin.client.call(call.method, request.address, {
        ...request,
        headers: { ...request.headers, 'X-CSRF-Token': token },
      })
      expect(answer).toMatchObject({ status: 403, body: { code: 'invalid_csrf_token' } })
      expect(await traces()).toBe(before)
    }
  })
})

describe.skipIf(isSecond)('A request with a session and a token that does not work', () => {
  // One place looks at tokens, before any operation.
  it.for(spreadOf(calls, 60))('to %s is refused, unless everybody may make it', async ([, call], { skip }) => {
    skip(needsDirectory(call) && !hasDirectory, 'No slapd')
    const admin = call.authentication === 'none' ? await maker.session(true) : callers['site admin']
    const request = await maker.request(call, admin.person)
    const { status, body } = await admin.client.call(call.method, request.address, {
      ...request,
      headers: { ...request.headers, Authorization: 'Token svc_unknown' },
    })
    if (call.authentication === 'none') expect(status < 400 ? 'ok' : String(status)).toBe(call.outcomes.stranger)
    else expect({ status, body }).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
  })
})

describe('Where only site admins create projects', () => {
  const strict = guidanceService({ SERVICE_PROJECT_CREATION_ENABLED: 'false' })

  it('everybody else is refused', async () => {
    const callers = new CallMaker(strict())
    const [person, root] = [await callers.session(), await callers.session(true)]
    const body = { project: { name: 'New' } }
    const refused = await person.client.call('POST', '/projects', { body })
    expect(refused).toMatchObject({ status: 403, body: { code: 'permission_denied', admins: [] } })
    expect((await root.client.call('POST', '/projects', { body })).status).toBe(200)
  })
})

function needsDirectory({ path }: Row): boolean {
  return path.includes('ldap')
}

/** Requests of one call. What was refused, or only read, is there for the next caller. */
class Requests {
  readonly call: Call
  #kept: Awaited<ReturnType<CallMaker['request']>> | null = null
  #for = ''

  constructor(call: Call) {
    this.call = call
  }

  async for(persona: Persona, person: Person): ReturnType<CallMaker['request']> {
    const project = persona === 'stranger, discoverable' ? 'discoverable' : 'hidden'
    if (this.#kept === null || this.#kept.isOwn || this.#for !== project)
      this.#kept = await maker.request(this.call, person, () => makeProject(project))
    this.#for = project
    return this.#kept
  }

  /** A sign-in that comes back brings a cookie, and works once. */
  spend(): void {
    const isRead = this.call.method === 'GET' && this.#kept?.headers === undefined
    if (!isRead) this.#kept = null
  }
}

/** The outcome of a request, after checking what must hold for every request. */
async function outcomeOf(requests: Requests, persona: Persona): Promise<string> {
  const { call } = requests
  const spent = maker.isSpending(call) && isSession(persona)
  const { client, person } = spent ? await maker.session(persona === 'site admin') : callers[persona]
  const request = await requests.for(persona, person)
  const before = await traces()
  const answer = await client.call(call.method, request.address, request)
  if (answer.status < 400) {
    requests.spend()
    return 'ok'
  }
  expect(await traces()).toBe(before)
  checkRefusal(answer, persona)
  return String(answer.status)
}

function checkRefusal({ status, body }: Answer, persona: Persona): void {
  const { code } = z.looseObject({ code: z.string() }).parse(body)
  if (status === 401) expect(code).toBe('not_authenticated')
  if (status === 403 && isSession(persona)) expect(code).toBe('permission_denied')
  // Nothing may tell what is hidden from what is not there.
  if (status === 404)
    expect(body).toEqual({
      type: '/docs/api/errors#not_found',
      title: 'Not found',
      status: 404,
      detail: 'The requested resource could not be found.',
      code: 'not_found',
    })
}

/** The last entry of the audit trail. Registrations are finished after their answer and may come late. */
async function traces(): Promise<number> {
  const { id } = await guidance.service.guidance.database.read
    .selectFrom('audits')
    .select('id')
    .where('via', '<>', 'registration')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

/** A project of somebody else, in which those with a role have it. */
function makeProject(visibility: 'hidden' | 'discoverable'): Promise<number> {
  const members = ROLES.map((role) => [callers[personaOf(role)].person, role] as const)
  return maker.project([[owner, 'admin'], ...members], visibility)
}

function personaOf(role: (typeof ROLES)[number]): Persona {
  return role === 'admin' ? 'project admin' : role
}

async function makeCallers(): Promise<Record<Persona, Caller>> {
  const [stranger, admin] = [await maker.session(), await maker.session()]
  const site = await maker.session(true)
  const byToken = async ({ person }: Caller, scope: string): Promise<Caller> => ({
    person,
    client: await guidance.token(person, [scope]),
    headers: {},
  })
  return {
    anonymous: { person: owner, client: guidance.nobody, headers: {} },
    stranger,
    'stranger, discoverable': stranger,
    viewer: await maker.session(),
    author: await maker.session(),
    reviewer: await maker.session(),
    'project admin': admin,
    'site admin': site,
    'token read': await byToken(admin, 'read'),
    'token write': await byToken(admin, 'write'),
    'token admin': await byToken(admin, 'admin'),
    'site token': await byToken(site, 'admin'),
  }
}

function isSession(persona: Persona): boolean {
  return persona !== 'anonymous' && !persona.includes('token')
}

function endpoints(): readonly Endpoint[] {
  return guidance.service.guidance.endpoints
}

function declared(endpoint: Endpoint): string {
  return [methodsOf(endpoint), endpoint.path, endpoint.access.rule, endpoint.access.authentication].join(' | ')
}
