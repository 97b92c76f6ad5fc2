import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { NGINX, nginx } from './programs.ts'
import type { RawResponse, RequestOptions } from './service.ts'

export const hasNginx = nginx.isInstalled

export interface StaticServer {
  get(path: string, options?: RequestOptions): Promise<RawResponse>
  /** Resolves with the error log of the server. */
  close(): Promise<string>
}

/** A server of nginx with the settings of a published tree. */
export function startNginx(root: string): Promise<StaticServer> {
  return runNginx((address) => `server { listen ${address}; root ${root}; include ${root}/nginx.conf; }`)
}

/** One nginx with a server for each tree; a request names the tree in its header `Host`. */
export function startNginxOf(roots: ReadonlyMap<string, string>): Promise<StaticServer> {
  return runNginx((address) =>
    Array.from(
      roots,
      ([name, root]) => `server { listen ${address}; server_name ${name}; root ${root}; include ${root}/nginx.conf; }`,
    ).join('\n'),
  )
}

/** nginx with this server, which listens on a socket of its own; with TLS where its settings say so. */
export async function runNginx(serverAt: (address: string) => string): Promise<StaticServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-nginx-'))
  const socketPath = join(folder, 'socket')
  const server = serverAt(`unix:${socketPath}`)
  await writeFile(join(folder, 'main.conf'), mainSettings(folder, server))
  const program = spawn(NGINX, ['-p', folder, '-c', 'main.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const complaints = text(program.stderr)
  while (!existsSync(socketPath)) {
    if (program.exitCode !== null) throw new Error(await complaints)
    await sleep(20)
  }
  return {
    get: (path, options) => get({ socketPath, path, isSecure: server.includes(' ssl;') }, options),
    close: async () => {
      const gone = once(program, 'exit')
      program.kill('SIGTERM')
      await gone
      await rm(folder, { recursive: true, force: true })
      return complaints
    },
  }
}

function mainSettings(folder: string, server: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
master_process off;
pid ${folder}/pid;
events {}
http {
  access_log off;
  ${temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  ${server}
}
`
}

function get(
  { isSecure, ...where }: { socketPath: string; path: string; isSecure: boolean },
  { body, ...options }: RequestOptions = {},
): Promise<RawResponse> {
  const request = isSecure ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    // The certificate of a test is not signed by an authority.
    const whole = { ...where, ...options, rejectUnauthorized: false }
    const outgoing = request(whole, (response) => {
      const { statusCode: status = 0, headers } = response
      buffer(response).then((content) => {
        resolve({ status, headers, body: content })
      }, reject)
    })
    outgoing.on('error', reject).end(body)
  })
}
