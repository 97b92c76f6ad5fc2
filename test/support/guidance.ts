import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'
import { insertMembership } from '../../src/guidance/authoring/memberships/writer.ts'
import type { Role } from '../../src/guidance/database/schema/memberships.ts'
import { insertUser } from '../../src/guidance/identity/users/writer.ts'
import { SYSTEM } from '../../src/http/caller.ts'
import { REFUSALS } from '../../src/platform/errors.ts'
import type { Log } from '../../src/platform/log.ts'
import { encodeForm, type Form } from './form.ts'
import { ingestInto, startService, type TestService } from './service.ts'

/** The password of all people in tests. */
export const PASSWORD = 'Correct-Horse-42-!Staple'

/** The digest has the smallest cost, because most tests sign somebody in. */
let hashed: Promise<string> | null = null

export interface Person {
  readonly id: number
  readonly name: string
  readonly email: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON, or the text of another type; null for an empty body. */
  readonly body: unknown
  /** The body as received. */
  readonly bytes: Buffer
}

interface Sent {
  readonly body?: unknown
  /** Replaces the body. */
  readonly form?: Form | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** A client of the service: anonymous, with a session, or with a token. */
export interface Client {
  call(method: string, path: string, sent?: Sent): Promise<Answer>
}

export interface SessionClient extends Client {
  readonly cookie: string
  readonly csrfToken: string
}

/** A guidance service with its own database, and functions to fill and to call it. */
export interface GuidanceUnderTest {
  readonly service: TestService
  readonly nobody: Client
  /** Adds an account with {@link PASSWORD}. */
  person(name: string, how?: { admin?: boolean; email?: string }): Promise<Person>
  signIn(email: string, password?: string): Promise<SessionClient>
  /** Adds an account, and signs it in. */
  signUp(name: string, how?: { admin?: boolean; email?: string }): Promise<Person & SessionClient>
  /** A client with a new token of this person. */
  token(person: Person, scopes: readonly string[], allowedIps?: readonly string[]): Promise<Client>
  /** A project of this person; the number. */
  project(owner: SessionClient, project?: Record<string, unknown>): Promise<number>
  member(projectId: number, person: Person, role: Role): Promise<void>
}

/**
 * A guidance service for all tests of a file. Requests are not limited, unless the settings say otherwise. Without
 * sources, there is no ontology.
 */
export function guidanceService(
  env: Readonly<Record<string, string>> = {},
  log?: Log,
  sources: readonly string[] = [],
): () => GuidanceUnderTest {
  let dataDir = ''
  let under: GuidanceUnderTest | null = null
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
    if (sources.length > 0) await ingestInto(dataDir, sources)
    under = await startGuidance(dataDir, env, log)
  })
  afterAll(async () => {
    await under?.service.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return () => {
    if (under === null) throw new Error('The service has not been started')
    return under
  }
}

/** A person with an account and a session, created before the first test of a file. */
export function signedIn(
  guidance: () => GuidanceUnderTest,
  name: string,
  how?: { admin?: boolean; email?: string },
): Person & SessionClient {
  let person: (Person & SessionClient) | null = null
  beforeAll(async () => {
    person = await guidance().signUp(name, how)
  })
  const get = (): Person & SessionClient => {
    if (person === null) throw new Error(`${name} has not signed in yet`)
    return person
  }
  return {
    name,
    get id() {
      return get().id
    },
    get email() {
      return get().email
    },
    get cookie() {
      return get().cookie
    },
    get csrfToken() {
      return get().csrfToken
    },
    call: (...request) => get().call(...request),
  }
}

const UNBOUNDED = { SERVICE_RATE_LIMIT_ENABLED: 'false' }

export async function startGuidance(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  log?: Log,
): Promise<GuidanceUnderTest> {
  const service = await startService(dataDir, { ...UNBOUNDED, ...env }, log)
  return {
    service,
    nobody: clientOf(service, {}),
    person: (name, how) => addPerson(service, name, how),
    signIn: (email, password = PASSWORD) => signIn(service, email, password),
    signUp: async (name, how) => {
      const person = await addPerson(service, name, how)
      return { ...person, ...(await signIn(service, person.email, PASSWORD)) }
    },
    token: async (person, scopes, allowedIps = []) => {
      const session = await signIn(service, person.email, PASSWORD)
      const { body } = await session.call('POST', '/personal_access_tokens', {
        body: {
          personal_access_token: {
            name: 'Token of a test',
            scopes,
            allowed_ips: allowedIps,
            expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
            current_password: PASSWORD,
          },
        },
      })
      const { token } = z.object({ token: z.string() }).parse(body)
      return clientOf(service, { Authorization: `Token ${token}` })
    },
    project: async (owner, project = { name: 'Project of a test' }) => {
      const { body } = await owner.call('POST', '/projects', { body: { project } })
      return z.object({ id: z.int() }).parse(body).id
    },
    member: (projectId, person, role) =>
      service.guidance.database.transact((writer) =>
        insertMembership(writer, { projectId, userId: person.id, role }, SYSTEM),
      ),
  }
}

async function addPerson(
  { guidance }: TestService,
  name: string,
  { admin = false, email = `${name.toLowerCase().replaceAll(' ', '.')}@example.org` } = {},
): Promise<Person> {
  hashed ??= hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  const passwordHash = await hashed
  const account = { name, email, admin, passwordHash, confirmed: true }
  // A repeated test creates a new person, so the person of its first run loses the address.
  const earlier = await guidance.database.read.selectFrom('users').select('id').where('email', '=', email).execute()
  const { id } = await guidance.database.transact(async (writer) => {
    for (const person of earlier)
      await writer
        .updateTable('users')
        .set({ email: `${person.id}@earlier.example.org` })
        .where('id', '=', person.id)
        .execute()
    return insertUser(writer, account, { actor: SYSTEM, title: 'Could not add a person.' })
  })
  return { id, name, email }
}

async function signIn(service: TestService, email: string, password: string): Promise<SessionClient> {
  const { status, headers, body } = await clientOf(service, {}).call('POST', '/api/auth/login', {
    body: { email, password },
  })
  if (status !== 200) throw new Error(`Nobody was signed in: ${JSON.stringify(body)}`)
  const cookie = (headers['set-cookie'] ?? []).map((header) => header.split(';')[0]).join('; ')
  const csrfToken = String(headers['x-csrf-token'])
  const client = clientOf(service, { Cookie: cookie, 'X-CSRF-Token': csrfToken })
  return { ...client, cookie, csrfToken }
}

/** Compares refusals with the list of codes, in addition to the checks of `TestService.get`. */
export function clientOf(service: TestService, always: Readonly<Record<string, string>>): Client {
  return {
    call: async (method, path, { headers, ...sent } = {}) => {
      const encoded = encode(sent)
      const answer = await service.get(path, {
        method,
        headers: { ...encoded.headers, ...always, ...headers },
        ...(encoded.body !== undefined && { body: encoded.body }),
      })
      const { status, headers: received, body: bytes } = answer
      const type = received['content-type']
      const shaped = readBody(bytes, type)
      const where = `${method} ${path} → ${status} ${JSON.stringify(shaped)}`
      const isProblem = status >= 400 && method !== 'HEAD'
      const body = isProblem ? withoutId(shaped, received['x-request-id']) : shaped
      if (isProblem) checkProblem({ status, body, type, where })
      return { status, headers: received, body, bytes }
    },
  }
}

/** A problem without the id of its request, which differs each time. */
function withoutId(problem: unknown, id: string | string[] | undefined): unknown {
  const { request_id, ...others } = z.looseObject({ request_id: z.string() }).parse(problem)
  if (request_id !== id) throw new Error(`${request_id} is not ${String(id)}`)
  return others
}

interface Encoded {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

function encode({ body, form }: Omit<Sent, 'headers'>): Encoded {
  if (form !== undefined) return encodeForm(form)
  if (body === undefined) return { headers: {} }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { headers: { 'Content-Type': 'application/json' }, body: text }
}

function readBody(bytes: Buffer, type = ''): unknown {
  const text = bytes.toString('utf8')
  if (text === '') return null
  return /^application\/(?:problem\+)?json\b/.test(type) ? JSON.parse(text) : text
}

interface Refused {
  readonly status: number
  readonly body: unknown
  readonly type: string | undefined
  /** The whole exchange, for a message. */
  readonly where: string
}

const problem = z
  .looseObject({ type: z.string(), title: z.string(), status: z.int(), detail: z.string(), code: z.string() })
  .refine(({ type, code }) => type === `/docs/api/errors#${code}`)

function checkProblem({ status, body, type, where }: Refused): void {
  const { code, title } = parse(problem, body, where)
  const listed = Object.entries(REFUSALS).find(([name]) => name === code)
  if (listed !== undefined && (listed[1].status !== status || listed[1].title !== title))
    throw new Error(`The problem is not the one of the list: ${where}`)
  if (type !== 'application/problem+json; charset=utf-8') throw new Error(`No problem: ${where}`)
}

function parse<T>(schema: z.ZodType<T>, body: unknown, where: string): T {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new Error(`Not what is documented: ${where}\n${parsed.error.message}`)
  return parsed.data
}
