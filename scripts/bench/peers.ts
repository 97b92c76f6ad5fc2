import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/support/free-port.ts'
import { findProgram, serve, type ServerProcess } from './child.ts'
import { environment } from './data.ts'
import { untilReady } from './get.ts'
import { untilQuiet } from './processor-time.ts'
import type { Workspace } from './workspace.ts'

/** A server under load. The goal is the least that ours must reach, as a share of its requests. */
export interface Peer extends ServerProcess {
  readonly name: string
  readonly goal: number | null
  readonly origin: string
}

interface PeerOptions {
  readonly name: string
  readonly goal: number | null
  readonly command: (port: number) => readonly string[] | Promise<readonly string[]>
  /** Asked until it answers 200. */
  readonly path: string
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Resolves when what follows its start is done: that would be measured as well. */
export async function startOurs(workspace: Workspace, dataDir: string): Promise<Peer> {
  const command = (): readonly string[] => [process.execPath, 'dist/main.js']
  const start = { name: 'ours', goal: null, command, path: VERSION, dataDir }
  const ours = await startPeer(workspace, start)
  await untilQuiet(ours.pid)
  return ours
}

export function startExpress(workspace: Workspace, site: string): Promise<Peer> {
  const script = fileURLToPath(new URL('./express-peer.js', import.meta.url))
  return startPeer(workspace, {
    name: 'express.static',
    goal: 8,
    command: (port) => [process.execPath, script, String(port), site],
    path: VERSION,
  })
}

export function startBare(workspace: Workspace, file: string, encoding: 'gzip' | 'identity' = 'gzip'): Promise<Peer> {
  const script = fileURLToPath(new URL('./bare-peer.js', import.meta.url))
  return startPeer(workspace, {
    name: 'bare node:http',
    goal: 0.9,
    command: (port) => [process.execPath, script, String(port), file, encoding],
    path: '/',
  })
}

/** nginx with one worker and with one per core; none where it is not installed. */
export async function startNginx(workspace: Workspace, site: string): Promise<readonly Peer[]> {
  const program = findProgram('nginx')
  if (program === null) return []
  const start = (workers: string, goal: number | null): Promise<Peer> =>
    startPeer(workspace, {
      name: `nginx, workers ${workers}`,
      goal,
      command: async (port) => {
        const prefix = join(workspace.folder, `nginx-${workers}`)
        await mkdir(prefix)
        await writeFile(join(prefix, 'nginx.conf'), nginxConfiguration(site, workers, port))
        return [program, '-p', prefix, '-c', 'nginx.conf', '-e', 'stderr']
      },
      path: VERSION,
    })
  return [await start('1', 0.6), await start('auto', null)]
}

const VERSION = '/api/version.json'

export async function startPeer(
  workspace: Workspace,
  { name, goal, command, path, dataDir = '', env: more }: PeerOptions,
): Promise<Peer> {
  const port = await freePort()
  const env = { ...environment(dataDir, port), ...more }
  const running = serve(await command(port), { workspace, env })
  const origin = `http://127.0.0.1:${port}`
  await untilReady(origin + path)
  return { name, goal, origin, ...running }
}

function nginxConfiguration(site: string, workers: string, port: number): string {
  // Started by root, workers would otherwise be somebody who cannot read the site.
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
