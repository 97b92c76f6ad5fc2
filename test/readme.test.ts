import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const REPOSITORY = resolve('.')
const hasTools = ['/bin/bash', '/usr/bin/curl'].every((path) => existsSync(path))

if (!hasTools) {
  // eslint-disable-next-line no-console -- whoever runs the tests must see what was left out
  console.warn('No bash or no curl: the commands of README.md are not run.')
}

/** A block of commands; a remark before it says what a reader would see, or what it needs. */
interface Block {
  readonly line: number
  readonly commands: string
  readonly remark: string
}

const BLOCK = /^(?:(?<indent> *)<!-- (?<remark>[^\n]*) -->\n\n)? *```sh\n(?<commands>.*?)^ *```$/gms

const UNDERSTOOD = /^(?:|not run: .+|refused: \d{3}|stays open)$/

function blocksOf(markdown: string): readonly Block[] {
  return Array.from(markdown.matchAll(BLOCK), ({ index, groups = {} }) => {
    const { commands = '', remark = '' } = groups
    const indent = /^ */.exec(commands)?.[0] ?? ''
    return {
      line: markdown.slice(0, index).split('\n').length,
      commands: commands.replace(new RegExp(`^${indent}`, 'gm'), ''),
      remark,
    }
  })
}

/**
 * What differs from a terminal: dependencies are there, the start goes to the background, and curl
 * fails with a refusal, unless the reader is told to expect it.
 */
const PRELUDE = `
set -eEuo pipefail
trap 'echo "README.md: the block at line $line fails" >&2' ERR
expected=
limit=600
npm() {
  case "$1" in
    ci) ;;
    start) start_service ;;
    *) command npm "$@" ;;
  esac
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

function scriptOf(blocks: readonly Block[], base: string): string {
  const steps = blocks
    .filter(({ remark }) => !remark.startsWith('not run: '))
    .map(({ line, commands, remark }) =>
      [
        `line=${line}; echo "--- line $line"`,
        `expected=${/^refused: (\d+)$/.exec(remark)?.[1] ?? ''}`,
        `limit=${remark === 'stays open' ? 2 : 600}`,
        commands
          .replaceAll('http://localhost:3000', base)
          .replace('TOKEN-OF-THE-LINK', `'"$(sed -n 's/.*token=//p' start.log)"'`),
      ].join('\n'),
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

describe.skipIf(!hasTools)('The README', () => {
  let home = ''
  let blocks: readonly Block[] = []

  /** A folder that looks like a fresh clone: what commands leave behind stays out of the sources. */
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'parapet-readme-'))
    const names = await readdir(REPOSITORY)
    const cloned = names.filter((name) => !['.git', 'var', 'site'].includes(name))
    await Promise.all(cloned.map((name) => symlink(join(REPOSITORY, name), join(home, name))))
    blocks = blocksOf(await readFile('README.md', 'utf8'))
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

  it('has remarks that are understood, and few commands that cannot be run here', () => {
    expect(blocks.length).toBeGreaterThan(15)
    const odd = blocks.filter(({ remark }) => !UNDERSTOOD.test(remark))
    expect(odd).toEqual([])
    expect(blocks.filter(({ remark }) => remark.startsWith('not run')).length).toBeLessThan(6)
  })

  it('holds what it says: every command works, in order, on a fresh clone', async () => {
    const port = await freePort()
    await writeFile(join(home, 'readme.sh'), scriptOf(blocks, `http://localhost:${port}`))
    const own = Object.entries(process.env).filter(([name]) => !/^(SERVICE_|NODE_ENV)/.test(name))
    const env = { ...Object.fromEntries(own), SERVICE_PORT: String(port) }
    const shell = spawn('bash', ['readme.sh'], {
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)])
    if (shell.exitCode === null) await once(shell, 'exit')
    const failure = shell.exitCode === 0 ? '' : `${out.slice(-2000)}\n${errors.slice(-2000)}`
    expect(failure).toBe('')
    expect(await readdir(home)).toEqual(expect.arrayContaining(['var', 'site', 'cookies.txt']))
  })
})
