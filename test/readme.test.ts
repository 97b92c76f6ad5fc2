// @module-tag long

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, type Block } from './support/markdown.ts'
import { isDeep } from './support/runs.ts'

const REPOSITORY = resolve('.')
const hasTools = ['/bin/bash', '/usr/bin/curl', '/usr/bin/timeout'].every((path) => existsSync(path))
/** Seconds: before the test gives up, so that it can tell where the commands were. */
const PATIENCE = 290

/** A document with commands. */
interface Page {
  readonly name: string
  readonly markdown: string
  readonly blocks: readonly Block[]
}

const UNDERSTOOD = /^(?:|not run: .+|refused: \d{3}|stays open)$/

/** The line by which a page of docs/ says that its commands need those of the README. */
const BEFORE = /^Read the \[README\]\(\.\.\/README\.md\) first/m

/** The README, then the pages that go on from it. */
async function pagesWithCommands(): Promise<readonly Page[]> {
  const docs = (await readdir('docs')).filter((name) => name.endsWith('.md')).sort()
  const names = ['README.md', ...docs.map((name) => `docs/${name}`)]
  const pages = names.map(async (name) => {
    const markdown = await readFile(name, 'utf8')
    return { name, markdown, blocks: blocksOf(markdown).filter(({ language }) => language === 'sh') }
  })
  return (await Promise.all(pages)).filter(({ blocks }) => blocks.length > 0)
}

function isRun({ remark }: Block): boolean {
  return !remark.startsWith('not run: ')
}

/**
 * Differences from a terminal: dependencies are installed already, the service starts in the background and replaces
 * the one before, and curl fails on a refusal, unless the page announces it.
 */
const PRELUDE = `
set -eEuo pipefail
trap 'echo "$page: the block at line $line fails" >&2' ERR
trap 'kill $(jobs -p) 2>/dev/null' EXIT
expected=
limit=600
npm() {
  case "$1" in
    ci) ;;
    start) stop_service; start_service ;;
    *) command npm "$@" ;;
  esac
}
stop_service() {
  [ -f service.pid ] || return 0
  kill -- "-$(cat service.pid)"
  while command curl -s "$base/healthz" >/dev/null; do sleep 0.1; done
}
start_service() {
  setsid npm start >start.log 2>error.log &
  echo $! >service.pid
  for attempt in $(seq 600); do
    command curl -fs "$base/readyz" >/dev/null && return
    kill -0 "$(cat service.pid)" || break
    sleep 0.2
  done
  cat start.log error.log
  return 1
}
curl() {
  local answer=0
  if [ -z "$expected" ]; then
    command curl --fail-with-body --silent --show-error --max-time "$limit" "$@" || answer=$?
    [ "$answer" = 28 ] && [ "$limit" != 600 ] || return "$answer"
  else
    answer=$(command curl --silent --write-out ' %{http_code}' "$@")
    echo "$answer"
    [ "\${answer##* }" = "$expected" ]
  fi
}
`

interface Ports {
  readonly service: number
  /** The receiver of webhooks. */
  readonly receiver: number
}

function scriptOf(pages: readonly Page[], ports: Ports): string {
  const base = `http://localhost:${ports.service}`
  const steps = pages.flatMap(({ name, blocks }) =>
    blocks
      .filter(isRun)
      .map(({ line, text: commands, remark }) =>
        [
          `page=${name}; line=${line}; echo "--- $page, line $line"`,
          `expected=${/^refused: (\d+)$/.exec(remark)?.[1] ?? ''}`,
          `limit=${remark === 'stays open' ? 2 : 600}`,
          commands
            .replaceAll('http://localhost:3000', base)
            .replaceAll('4000', String(ports.receiver))
            .replace('TOKEN-OF-THE-LINK', `'"$(sed -n 's/.*token=//p' start.log)"'`),
        ].join('\n'),
      ),
  )
  return [`base=${base}`, PRELUDE, ...steps].join('\n')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe.skipIf(!hasTools)('The README, and the pages that go on from it', () => {
  let home = ''
  let pages: readonly Page[] = []

  /** A folder that looks like a fresh clone: what commands leave behind stays out of the sources. */
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'parapet-readme-'))
    const names = await readdir(REPOSITORY)
    const cloned = names.filter((name) => !['.git', 'var', 'site'].includes(name))
    await Promise.all(cloned.map((name) => symlink(join(REPOSITORY, name), join(home, name))))
    pages = await pagesWithCommands()
  })

  afterAll(async () => {
    const service = await readFile(join(home, 'service.pid'), 'utf8').catch(() => '')
    try {
      if (service !== '') process.kill(-Number(service), 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
    await rm(home, { recursive: true, force: true })
  })

  it('have only known remarks, and few commands that are not run', () => {
    const blocks = pages.flatMap((page) => page.blocks)
    expect(blocks.length).toBeGreaterThan(50)
    expect(blocks.filter(({ remark }) => !UNDERSTOOD.test(remark))).toEqual([])
    expect(blocks.filter((block) => !isRun(block)).length).toBeLessThan(13)
  })

  it('say in their first lines whether they need the README', () => {
    const silent = pages.filter(
      ({ name, markdown, blocks }) =>
        name !== 'README.md' && blocks.some(isRun) && !BEFORE.test(markdown.slice(0, 300)),
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  // At each commit, what they name is looked for (documents.test.ts); every night, each is done.
  it(
    `have commands of which each${isDeep ? '' : ' of the README'} works, in order, on a fresh clone`,
    async () => {
      const ports = { service: await freePort(), receiver: await freePort() }
      await writeFile(join(home, 'readme.sh'), scriptOf(isDeep ? pages : pages.slice(0, 1), ports))
      const ownVariables = Object.entries(process.env).filter(([name]) => !/^(SERVICE_|NODE_ENV)/.test(name))
      const settings = { SERVICE_PORT: String(ports.service), SERVICE_DRAIN_SECONDS: '0' }
      const shell = spawn('timeout', [String(PATIENCE), 'bash', 'readme.sh'], {
        cwd: home,
        env: { ...Object.fromEntries(ownVariables), ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [out, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)])
      if (shell.exitCode === null) await once(shell, 'exit')
      const failure = shell.exitCode === 0 ? '' : `${out.slice(-3000)}\n${errors.slice(-2000)}`
      expect(failure).toBe('')
      const left = await readdir(home)
      const expected = ['var', 'cookies.txt', ...(isDeep ? ['site', 'received.log'] : [])]
      expect(left).toEqual(expect.arrayContaining(expected))
    },
    (PATIENCE + 10) * 1000,
  )
})
