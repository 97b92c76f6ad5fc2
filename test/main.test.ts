// @module-tag node

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { COMUNICA } from '../src/graph/engine/comunica.ts'
import { builtModule, builtProgram, startArguments } from './support/build.ts'
import { temporaryFolder } from './support/folder.ts'
import { containing } from './support/matchers.ts'
import { makePipe } from './support/pipe.ts'
import { onlyDeep } from './support/runs.ts'

let child: ChildProcess | null = null

afterEach(() => {
  child?.kill('SIGKILL')
  child = null
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function start(dataDir: string, ...program: readonly string[]): Promise<{ process: ChildProcess; url: string }> {
  const port = await freePort()
  const env = { ...process.env, SERVICE_DATA_DIR: dataDir, SERVICE_PORT: String(port), SERVICE_DRAIN_SECONDS: '0' }
  // Nobody reads what it writes: a pipe would be full after some hundred answers to the question below, and hold it up.
  child = spawn(process.execPath, program, { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(
    async () => {
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
    },
    { timeout: 60_000, interval: 50 },
  )
  return { process: child, url }
}

// `npm run dev` builds the pages first. They are the same here.
beforeAll(async () => {
  await cp(builtModule('src/web/built'), 'dist/web/built', { recursive: true })
})

/** As `npm run dev` does it. */
const FROM_SOURCES = ['--import', 'tsx', 'src/main.ts']

/** The built programs in a folder of their own, with every library but the optional one. */
async function programsWithoutComunica(): Promise<string> {
  const home = await temporaryFolder()
  const libraries = join(home, 'node_modules')
  await mkdir(libraries)
  const [scope] = COMUNICA.split('/')
  for (const name of await readdir('node_modules'))
    if (name !== scope) await symlink(resolve('node_modules', name), join(libraries, name))
  const programs = dirname(builtProgram('src/main.ts'))
  await cp(programs, join(home, 'programs'), { recursive: true })
  await cp(join(dirname(programs), 'package.json'), join(home, 'package.json'))
  // Programs look here for files, such as queries.
  await symlink(join(dirname(programs), 'src'), join(home, 'src'))
  return home
}

describe('The program', () => {
  it.each([
    ['as it is built', [builtProgram('src/main.ts')]] as const,
    // Nothing of the service is other then; to read the sources is most of the work.
    ...onlyDeep([['from its sources', FROM_SOURCES] as const]),
  ])('shows a newcomer the bundled ontology %s, and stops cleanly after a signal', async (_how, program) => {
    const { process: running, url } = await start(await temporaryFolder(), ...program)
    const matrix: unknown = await (await fetch(`${url}/api/matrix.json`)).json()
    expect(matrix).toHaveLength(7)
    for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) running.kill(signal)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    running.kill('SIGTERM')
    await once(running, 'exit')
    expect(running.exitCode).toBe(0)
  })

  /** How it ends, and what it says to whoever started it. */
  async function refused(
    env: Readonly<Record<string, string>>,
    program: readonly string[] = startArguments('src/main.ts'),
  ): Promise<unknown> {
    const settings = { PATH: process.env['PATH'], SERVICE_LOG_LEVEL: 'warn', ...env }
    child = spawn(process.execPath, program, { env: settings, stdio: 'pipe' })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (said += text.toString()))
    await once(child, 'close')
    return { code: child.exitCode, said: said.trim().split('\n') }
  }

  it('reports in one line that its port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? String(address.port) : ''
    const env = { SERVICE_DATA_DIR: await temporaryFolder(), SERVICE_PORT: port }
    expect(await refused(env)).toEqual({ code: 1, said: [containing(`SERVICE_PORT ${port}: listen EADDRINUSE`)] })
  })

  it('does not start in a folder of an unfinished restore', async () => {
    const dataDir = await temporaryFolder()
    await mkdir(join(dataDir, '.restoring'))
    expect(await refused({ SERVICE_DATA_DIR: dataDir, SERVICE_PORT: '0' })).toEqual({
      code: 1,
      said: [containing('.restoring says that a restore is running or was interrupted.')],
    })
    expect(await readdir(dataDir)).toEqual(['.restoring'])
  })

  it.runIf(process.platform === 'linux').each(['/proc/x', '/proc/x/y', '/dev/null/x', '/proc'])(
    'names the setting of a data folder that cannot be made: %s',
    async (dataDir) => {
      expect(await refused({ SERVICE_DATA_DIR: dataDir, SERVICE_PORT: '0' })).toEqual({
        code: 1,
        said: [containing('SERVICE_DATA_DIR cannot be used: E')],
      })
    },
  )

  it.each([
    ['SERVICE_SETTINGS_FILE', 'SERVICE_SETTINGS_FILE: must name a regular file'],
    ['SERVICE_SECRET_KEY_FILE', 'SERVICE_SECRET_KEY_FILE: must name a regular file'],
    ['SERVICE_DATABASE_URL', 'SERVICE_DATABASE_URL): file:'],
  ])('does not wait for a pipe that %s names', async (name, message) => {
    const [dataDir, folder] = [await temporaryFolder(), await temporaryFolder()]
    const pipe = makePipe(folder)
    const value = name === 'SERVICE_DATABASE_URL' ? `file:${pipe}` : pipe
    const env = { SERVICE_DATA_DIR: dataDir, SERVICE_PORT: '0', [name]: value }
    const said = [containing(message.replace('file:', pipe))]
    expect(await refused(env)).toEqual({ code: 1, said })
  })

  it.each([
    ['the service', 'main.js', []] as const,
    ['releases push', 'commands-releases.js', ['push', '1.0.0', '--to', 'http://127.0.0.1:8890/']] as const,
  ])('says what to install when %s needs the library for another engine', async (_name, file, args) => {
    const home = await programsWithoutComunica()
    const dataDir = join(home, 'var')
    const env = { SERVICE_DATA_DIR: dataDir, SERVICE_PORT: '0', SERVICE_SPARQL_URL: 'http://127.0.0.1:8890/sparql' }
    expect(await refused(env, [join(home, 'programs', file), ...args])).toEqual({
      code: 1,
      said: [containing(`SERVICE_SPARQL_URL: needs the library ${COMUNICA}, which is not installed`)],
    })
    expect(await readdir(home)).not.toContain('var')
  })

  it('finishes the answer under way before it stops', async () => {
    const main = startArguments('src/main.ts')
    const { process: running, url } = await start(await temporaryFolder(), ...main)
    const headers = { 'Content-Type': 'application/json', Expect: '100-continue' }
    const asked = request(`${url}/api/batch`, { method: 'POST', headers })
    asked.flushHeaders()
    // The service has taken the request up when it asks for its body.
    await once(asked, 'continue')
    running.kill('SIGTERM')
    asked.end(JSON.stringify({ ids: ['T1003'] }))
    const answered = await new Promise<IncomingMessage>((resolve) => asked.once('response', resolve))
    expect(answered.statusCode).toBe(200)
    expect(await text(answered)).toContain('T1003')
    await once(running, 'exit')
    expect(running.exitCode).toBe(0)
  })
})
