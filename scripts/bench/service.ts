import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { freePort } from '../../test/support/free-port.ts'
import { serve, type ServerProcess } from './child.ts'
import { environment } from './data.ts'
import { untilReady } from './get.ts'
import { EMAIL, PASSWORD } from './guidance-data.ts'
import { signIn } from './sample.ts'
import type { Workspace } from './workspace.ts'

const POLL_MS = 5

type Settings = Readonly<Record<string, string>>

/** A built service that runs. */
export interface Service extends ServerProcess {
  readonly origin: string
}

/** Resolves with the service once `path` answers 200. */
export async function startService(workspace: Workspace, env: Settings, path = '/api/version'): Promise<Service> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const settings = { ...environment('', port), ...env, SERVICE_PORT: String(port) }
  const server = serve([process.execPath, 'dist/main.js'], { workspace, env: settings })
  try {
    await untilReady(origin + path, POLL_MS)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { ...server, origin }
}

/** A service with the headers of its administrator. */
export interface SignedInService extends Service {
  readonly admin: Settings
}

/** Starts a service that has an administrator, and stops it after the work, even after an error. */
export async function withService<T>(
  workspace: Workspace,
  env: Settings,
  work: (service: SignedInService) => Promise<T>,
): Promise<T> {
  const administrator = { SERVICE_ADMIN_EMAIL: EMAIL, SERVICE_ADMIN_PASSWORD: PASSWORD }
  const service = await startService(workspace, { ...env, ...administrator })
  try {
    return await work({ ...service, admin: await signInAsAdministrator(service.origin) })
  } finally {
    await service.stop()
  }
}

async function signInAsAdministrator(origin: string): Promise<Settings> {
  const session = await signIn(origin, { email: EMAIL, password: PASSWORD })
  const response = await fetch(`${origin}/api/auth/csrf`, { headers: session })
  const { csrf_token } = z.object({ csrf_token: z.string() }).parse(await response.json())
  return { ...session, 'X-CSRF-Token': csrf_token }
}

/** Resident memory of a process, in MB. */
export async function memoryOf(pid: number): Promise<{ readonly now: number; readonly peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string): number =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024) / 1e6
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}
