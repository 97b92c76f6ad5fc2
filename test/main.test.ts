import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { builtModule, builtProgram } from './support/build.ts'
import { temporaryFolder } from './support/folder.ts'
import { containing } from './support/matchers.ts'
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

async function start(
  dataDir: string,
  ...program: readonly string[]
): Promise<{ process: ChildProcess; url: string }> {
  const port = await freePort()
  const env = {
    ...process.env,
    SERVICE_DATA_DIR: dataDir,
    SERVICE_PORT: String(port),
    SERVICE_DRAIN_SECONDS: '0',
  }
  child = spawn(process.execPath, program, { env, stdio: 'pipe' })
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

describe('The program', () => {
  it.each([
    ['as it is built', [builtProgram('src/main.ts')]] as const,
    // Nothing of the service is other then; to read the sources is most of the work.
    ...onlyDeep([['from its sources', FROM_SOURCES] as const]),
  ])(
    'shows a newcomer the bundled ontology %s, and stops cleanly when told to',
    async (_how, program) => {
      const { process: running, url } = await start(await temporaryFolder(), ...program)
      const matrix: unknown = await (await fetch(`${url}/api/matrix.json`)).json()
      expect(matrix).toHaveLength(7)
      for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) running.kill(signal)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      running.kill('SIGTERM')
      await once(running, 'exit')
      expect(running.exitCode).toBe(0)
    },
  )

  /** How it ends, and what it says to whoever started it. */
  async function refused(env: Readonly<Record<string, string>>): Promise<unknown> {
    const settings = { PATH: process.env['PATH'], SERVICE_LOG_LEVEL: 'warn', ...env }
    child = spawn(process.execPath, [builtProgram('src/main.ts')], { env: settings, stdio: 'pipe' })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => (said += text.toString()))
    await once(child, 'close')
    return { code: child.exitCode, said: said.trim().split('\n') }
  }

  it('says in one line that its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? String(address.port) : ''
    const env = { SERVICE_DATA_DIR: await temporaryFolder(), SERVICE_PORT: port }
    expect(await refused(env)).toEqual({
      code: 1,
      said: [containing(`SERVICE_PORT ${port}: listen EADDRINUSE`)],
    })
  })

  it('does not begin in a folder that a restore has left', async () => {
    const dataDir = await temporaryFolder()
    await mkdir(join(dataDir, '.restoring'))
    expect(await refused({ SERVICE_DATA_DIR: dataDir, SERVICE_PORT: '0' })).toEqual({
      code: 1,
      said: [containing('.restoring says that a restore is running, or was cut off.')],
    })
    expect(await readdir(dataDir)).toEqual(['.restoring'])
  })

  it('finishes the answer under way before it stops', async () => {
    const main = builtProgram('src/main.ts')
    const { process: running, url } = await start(await temporaryFolder(), main)
    const answer = fetch(`${url}/api/ontology/inference/onto-full-mappings.json`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    running.kill('SIGTERM')
    expect((await answer).status).toBe(200)
    await once(running, 'exit')
    expect(running.exitCode).toBe(0)
  })
})
