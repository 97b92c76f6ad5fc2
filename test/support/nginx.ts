import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawResponse, RequestOptions } from './service.ts'

/** Where Debian puts it. */
const NGINX = '/usr/sbin/nginx'

export const hasNginx = existsSync(NGINX)

if (!hasNginx) {
  // eslint-disable-next-line no-console -- whoever runs the tests must see what was left out
  console.warn(`No nginx at ${NGINX}: published trees are not tried behind it.`)
}

export interface StaticServer {
  get(path: string, options?: RequestOptions): Promise<RawResponse>
  close(): Promise<void>
}

/** nginx on a socket of its own, with the settings that a published tree brings along. */
export async function startNginx(root: string): Promise<StaticServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-nginx-'))
  const socketPath = join(folder, 'socket')
  await writeFile(join(folder, 'main.conf'), mainSettings(folder, root))
  const program = spawn(NGINX, ['-p', folder, '-c', 'main.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const complaints = text(program.stderr)
  while (!existsSync(socketPath)) {
    if (program.exitCode !== null) throw new Error(await complaints)
    await sleep(20)
  }
  return {
    get: (path, options) => get(socketPath, path, options),
    close: async () => {
      const gone = once(program, 'exit')
      program.kill('SIGTERM')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function mainSettings(folder: string, root: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
master_process off;
pid ${folder}/pid;
events {}
http {
  access_log off;
  ${temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  server {
    listen unix:${folder}/socket;
    root ${root};
    include ${root}/nginx.conf;
  }
}
`
}

function get(
  socketPath: string,
  path: string,
  { body, ...options }: RequestOptions = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path, ...options }, (response) => {
      const { statusCode: status = 0, headers } = response
      buffer(response).then((content) => {
        resolve({ status, headers, body: content })
      }, reject)
    })
    outgoing.on('error', reject).end(body)
  })
}
