import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/support/free-port.ts'
import { findProgram, serve, type ServerProcess } from './child.ts'
import { untilReady, type HttpAnswer } from './get.ts'
import { untilQuiet } from './processor-time.ts'
import { startService } from './service.ts'
import type { Workspace } from './workspace.ts'

/** A server under load. The goal is the share of its requests per second that Parapet must reach. */
export interface Peer extends ServerProcess {
  readonly name: string
  readonly goal: number | null
  readonly origin: string
}

const VERSION = '/api/version.json'

/** Resolves when the work after its start is done, so that this work is not measured. */
export async function startOurs(workspace: Workspace, dataDir: string): Promise<Peer> {
  const ours = await startService(workspace, { SERVICE_DATA_DIR: dataDir }, VERSION)
  await untilQuiet(ours.pid)
  return { name: 'ours', goal: null, ...ours }
}

export function startExpress(workspace: Workspace, site: string): Promise<Peer> {
  return startPeer(workspace, { name: 'express.static', goal: 8, script: 'express-peer.js', args: [site] })
}

/** Headers of the connection, which each server sets itself. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive'])

/** Sends a file with the headers of Parapet's answer, so that only the way to the answer differs. */
export async function startBare(workspace: Workspace, file: string, answer: HttpAnswer): Promise<Peer> {
  const headers = Object.entries(answer.headers).filter(([name]) => !OF_CONNECTION.has(name))
  const args = [file, JSON.stringify(Object.fromEntries(headers))]
  return startPeer(workspace, { name: 'bare node:http', goal: 0.9, script: 'bare-peer.js', args, path: '/' })
}

interface PeerOptions {
  readonly name: string
  readonly goal?: number
  /** A file of this folder that listens on the port in its first argument. */
  readonly script: string
  readonly args?: readonly string[]
  /** The path that is requested until it answers 200. */
  readonly path?: string
}

export function startPeer(workspace: Workspace, { name, goal, script, args = [], path }: PeerOptions): Promise<Peer> {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const command = (port: number): string[] => [process.execPath, file, String(port), ...args]
  return start(workspace, { name, goal: goal ?? null, command, path })
}

/** nginx with one worker and with one per core; empty if it is not installed. */
export async function startNginx(workspace: Workspace, site: string): Promise<readonly Peer[]> {
  const program = findProgram('nginx')
  if (program === null) return []
  const startWith = (workers: string, goal: number | null): Promise<Peer> =>
    start(workspace, {
      name: `nginx, workers ${workers}`,
      goal,
      command: async (port) => {
        const prefix = join(workspace.folder, `nginx-${workers}`)
        await mkdir(prefix)
        await writeFile(join(prefix, 'nginx.conf'), nginxConfiguration(site, workers, port))
        return [program, '-p', prefix, '-c', 'nginx.conf', '-e', 'stderr']
      },
    })
  return [await startWith('1', 0.6), await startWith('auto', null)]
}

interface StartOptions {
  readonly name: string
  readonly goal: number | null
  readonly command: (port: number) => readonly string[] | Promise<readonly string[]>
  readonly path?: string | undefined
}

async function start(workspace: Workspace, { name, goal, command, path = VERSION }: StartOptions): Promise<Peer> {
  const port = await freePort()
  const running = serve(await command(port), { workspace })
  const origin = `http://127.0.0.1:${port}`
  await untilReady(origin + path)
  return { name, goal, origin, ...running }
}

function nginxConfiguration(site: string, workers: string, port: number): string {
  // If root starts nginx, its workers otherwise run as a user who cannot read the site.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `${user}
daemon off;
worker_processes ${workers};
pid nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  types { application/json json; text/csv csv; }
  ${temporary.map((name) => `${name}_temp_path ${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    root ${site};
    gzip_static on;
  }
}
`
}
