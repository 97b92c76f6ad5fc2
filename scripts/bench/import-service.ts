import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { isOver } from '../../src/guidance/catalogue/imports/importer.ts'
import { jobSchema, type ImportJob } from '../../src/guidance/catalogue/imports/jobs.ts'
import { encodeForm } from '../../test/support/form.ts'
import { freePort } from '../../test/support/free-port.ts'
import { serve } from './child.ts'
import { environment, ingest, standardData } from './data.ts'
import { untilReady } from './get.ts'
import { EMAIL, PASSWORD } from './guidance-data.ts'
import type { Upload } from './import-data.ts'
import { signIn, statusOf } from './sample.ts'
import type { Workspace } from './workspace.ts'

const LIMIT_MS = 900_000
const POLL_MS = 5

/** A database for the service, beside a data folder that has an ontology. */
export interface BenchDatabase {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
  readonly drop: () => Promise<void>
}

/** On SQLite, and on PostgreSQL where `PARAPET_TEST_POSTGRES` names a server. */
export async function openDatabases(workspace: Workspace, name: string): Promise<readonly BenchDatabase[]> {
  const sqlite = await openDatabase(workspace, { name: 'SQLite', folder: `${name}-sqlite` })
  const server = process.env['PARAPET_TEST_POSTGRES']
  if (server === undefined) return [sqlite]
  const postgres = await openDatabase(workspace, { name: 'PostgreSQL', folder: `${name}-postgres` })
  const database = `parapet_bench_${randomBytes(4).toString('hex')}`
  const url = new URL(server)
  url.pathname = `/${database}`
  await execute(server, `create database ${database}`)
  const drop = (): Promise<void> => execute(server, `drop database ${database} with (force)`)
  const env = { ...postgres.env, SERVICE_DATABASE_URL: url.href }
  return [sqlite, { ...postgres, env, drop }]
}

/** On SQLite. */
export async function openDatabase(
  workspace: Workspace,
  { name, folder }: { readonly name: string; readonly folder: string },
): Promise<BenchDatabase> {
  const { dataDir } = await ingest(workspace, await standardData(workspace), folder)
  const env = {
    SERVICE_DATA_DIR: dataDir,
    SERVICE_DATABASE_URL: '',
    SERVICE_ADMIN_EMAIL: EMAIL,
    SERVICE_ADMIN_PASSWORD: PASSWORD,
    SERVICE_RATE_LIMIT_ENABLED: 'false',
    SERVICE_SESSION_IDLE_MINUTES: '1440',
  }
  return { name, env, drop: () => Promise.resolve() }
}

async function execute(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The service, and who may import into it. */
export interface Service {
  readonly origin: string
  readonly pid: number
  /** From spawn to the first answer. */
  readonly readyMs: number
  readonly admin: Readonly<Record<string, string>>
}

/** Starts the service at a place, and ends it however the work ends. */
export async function withService<T>(
  workspace: Workspace,
  { env }: BenchDatabase,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const begin = performance.now()
  const settings = { ...environment('', port), ...env }
  const server = serve([process.execPath, 'dist/main.js'], { workspace, env: settings })
  try {
    await untilReady(`${origin}/api/version`, POLL_MS)
    const readyMs = performance.now() - begin
    return await work({ origin, pid: server.pid, readyMs, admin: await signInto(origin) })
  } finally {
    await server.stop()
  }
}

async function signInto(origin: string): Promise<Service['admin']> {
  const session = await signIn(origin, { email: EMAIL, password: PASSWORD })
  const response = await fetch(`${origin}/api/auth/csrf`, { headers: session })
  const { csrf_token } = z.object({ csrf_token: z.string() }).parse(await response.json())
  return { ...session, 'X-CSRF-Token': csrf_token }
}

/** A benchmark that was stored. */
export type StoredBenchmark = Pick<ImportJob['imported'][number], 'id' | 'kind' | 'rule_count'>

/** Result of an import. */
export interface ImportOutcome {
  /** Null where the answer was a refusal. */
  readonly job: ImportJob | null
  /** In short: what was answered. */
  readonly answer: string
}

/** Sends a file and takes the first answer, which may be that the import goes on. */
export async function send(service: Service, upload: Upload, prefer: string): Promise<ImportOutcome> {
  const { headers, body } = encodeForm({ file: upload.bytes, fileName: upload.fileName })
  const response = await fetch(`${service.origin}/stigs`, {
    method: 'POST',
    headers: { ...service.admin, ...headers, Prefer: prefer },
    body,
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  const answer: unknown = await response.json()
  if (response.ok) return endOf(jobSchema.parse(answer))
  const { code } = z.object({ code: z.string() }).parse(answer)
  return { job: null, answer: `${response.status} ${code}` }
}

/** Sends a file and follows the import to its end. */
export async function follow(
  service: Service,
  upload: Upload,
  heard: (job: ImportJob) => void = () => undefined,
): Promise<ImportOutcome> {
  const sent = await send(service, upload, 'respond-async')
  if (sent.job === null) return sent
  heard(sent.job)
  let { job } = sent
  if (isOver(job)) return sent
  for await (const next of jobUpdates(service, job)) {
    job = next
    heard(next)
  }
  return endOf(job)
}

function endOf(job: ImportJob): ImportOutcome {
  const { state, problem } = job
  return { job, answer: problem === null ? state : `${state}: ${problem.code}` }
}

/** Progress events leave the members out. */
async function* jobUpdates({ origin, admin }: Service, job: ImportJob): AsyncGenerator<ImportJob> {
  const { id } = job
  const response = await fetch(`${origin}/api/imports/${id}/events`, {
    headers: admin,
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  if (!response.ok || response.body === null) throw new Error(`Import ${id}: ${response.status}`)
  const body: AsyncIterable<Uint8Array> = response.body
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const events = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield jobSchema.parse({ ...job, ...jobSchema.partial().parse(JSON.parse(data)) })
    }
  }
}

export async function remove({ origin, admin }: Service, { id, kind }: StoredBenchmark): Promise<void> {
  const path = `${origin}/${kind}s/${id}`
  const status = await statusOf(fetch(path, { method: 'DELETE', headers: admin }))
  if (status !== 200) throw new Error(`DELETE ${path} answers ${status}`)
}

/** Milliseconds until the links of a benchmark are told; null where nobody tells them. */
export async function countLinks({ origin }: Service, { id, kind }: StoredBenchmark): Promise<number | null> {
  const path = `${origin}/api/${kind}s/${id}/countermeasures.json`
  const begin = performance.now()
  const status = await statusOf(fetch(path, { signal: AbortSignal.timeout(LIMIT_MS) }))
  if (status === 404) return null
  if (status !== 200) throw new Error(`${path} answers ${status}`)
  return performance.now() - begin
}

/** Memory of a process, in MB. */
export interface Memory {
  readonly now: number
  readonly peak: number
}

/** Null where the system does not say it. */
export async function memoryOf({ pid }: Service): Promise<Memory | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null)
  if (status === null) return null
  const megabytes = (field: string): number =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024) / 1e6
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** Resets the peak of memory, if the system supports that. */
export async function forgetPeak({ pid }: Service): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined)
}
