import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { startArguments } from '../support/build.ts'
import { runProgram, type Ended } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folder.ts'
import { onlyDeep } from '../support/runs.ts'
import { ingestInto } from '../support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'

/** The arguments of a command, and the code of its refusal. */
type Refused = readonly [args: readonly string[], code: string]

function run(dataDir: string, command: string, ...args: readonly string[]): Promise<Ended> {
  return runProgram(`src/commands/${command}.ts`, args, { SERVICE_DATA_DIR: dataDir })
}

describe('npm run ingest', () => {
  it('reports its progress, the checks and the release', async () => {
    const dataDir = await temporaryFolder()
    const ended = await run(dataDir, 'ingest', TEN, '--version', '1.0.0', '--date', '2026-01-31')
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stdout).toMatch(/^check +severity +violations +for example$/m)
    expect(ended.stdout).toMatch(/^Release 1\.0\.0 \(2026-01-31T00:00:00\.000Z\) is new: \d+ statements/m)
    expect(ended.stderr).toContain(`Parsing ${TEN}`)
    expect(await readFile(join(dataDir, 'ontology', 'active'), 'utf8')).toBe('1.0.0\n')
    expect(ended.stdout).toMatch(/has no records of \/api\/event\/\{event\}\.json, \/api\/acf\//)
    expect(ended.stdout).not.toMatch(/no records of .*\/api\/technique\//)
  })

  it.each<Refused>([
    [['--nonsense'], 'usage'],
    [[TEN], 'version_unknown'],
    [[TEN, '--max-mb', 'many'], 'usage'],
    [['missing.ttl'], 'source_not_found'],
    ...onlyDeep<Refused>([
      [[], 'usage'],
      [[TEN, '--version', '1.0.0'], 'version_unknown'],
      [[TEN, '--version', '../1', '--date', '2026-01-31'], 'version_unknown'],
      [[TEN, '--version', '1', '--date', 'yesterday'], 'usage'],
      [[TEN, '--format', 'docx'], 'source_format_unknown'],
      [['missing-*.ttl'], 'source_not_found'],
      [['http://127.0.0.1:9/o.ttl'], 'source_unreachable'],
    ]),
  ])('%j is refused in one sentence with the code %s and leaves nothing', async (args, code) => {
    const dataDir = await temporaryFolder()
    const ended = await run(dataDir, 'ingest', ...args)
    expect(ended.code).toBe(1)
    expect(ended.stdout).toBe('')
    expect(ended.stderr.trimEnd()).toMatch(new RegExp(`\\[${code}\\]$`))
    expect(ended.stderr).not.toContain('    at ')
    expect(await readdir(dataDir)).toEqual([])
  })

  it('names file, line and column of a syntax error', async () => {
    const dataDir = await temporaryFolder()
    const file = join(dataDir, 'broken.ttl')
    await writeFile(file, '@prefix d3f: <http://x.example/> .\nd3f:a d3f:b "never ends')
    const { code, stderr } = await run(dataDir, 'ingest', file)
    expect(code).toBe(1)
    expect(stderr).toMatch(/broken\.ttl, line 2, column \d+: .*\[source_syntax\]/)
  })

  it('prints its usage', async () => {
    const { code, stdout } = await run(await temporaryFolder(), 'ingest', '--help')
    expect(code).toBe(0)
    expect(stdout).toContain('--replace')
  })
})

describe('npm run publish', () => {
  it('writes the tree and reports its size', async () => {
    const dataDir = await temporaryFolder()
    await run(dataDir, 'ingest', TEN, '--version', '1.0.0', '--date', '2026-01-31')
    const out = join(dataDir, 'out')
    const base = ['--base-url', 'https://x.example/site/']
    const { code, stdout } = await run(dataDir, 'publish', '--out', out, '--portable', ...base)
    expect(code).toBe(0)
    expect(stdout).toMatch(/Release 1\.0\.0 is published in .*: \d+ files written, 0 kept/)
    expect(await readdir(out)).toEqual(expect.arrayContaining(['api', 'manifest.json']))
    expect(await readFile(join(out, 'sitemap.xml'), 'utf8')).toContain('>https://x.example/site/api')
    expect((await readdir(join(out, 'api', 'tactic'))).join()).toContain('~3A')
  })

  it.each<Refused>([
    [['--out', 'x', '--threads', '0'], 'usage'],
    [['--out', 'x', '--only', 'csv'], 'usage'],
    [['--out', 'x', '--base-url', 'x.example?y'], 'usage'],
    [['--out', '/dev/null/x'], 'release_not_found'],
    ...onlyDeep<Refused>([
      [[], 'usage'],
      [['--out', 'x', '--threads', '0.5'], 'usage'],
      [['--out', 'x', 'y'], 'usage'],
    ]),
  ])('%j is refused with the code %s', async (args, code) => {
    const { code: status, stderr } = await run(await temporaryFolder(), 'publish', ...args)
    expect(status).toBe(1)
    expect(stderr.trimEnd()).toMatch(new RegExp(`\\[${code}\\]$`))
  })
})

describe('A data folder that cannot be used', () => {
  it('is refused by every command', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    const release = ['--version', '1.0.0', '--date', '2026-01-31']
    const ingest = await run(file, 'ingest', TEN, ...release)
    const publish = await run(file, 'publish', '--out', `${file}-out`)
    for (const { code, stderr } of [ingest, publish]) {
      expect(code).toBe(1)
      expect(stderr).toContain('SERVICE_DATA_DIR')
      expect(stderr.trimEnd()).toMatch(/\[folder_unusable\]$/)
    }
  })
})

describe('A port that is taken', () => {
  it('stops the start with its number', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-31' })
    const ended = await runProgram('src/main.ts', [], { SERVICE_PORT: String(port), SERVICE_DATA_DIR: dataDir })
    taken.close()
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain(`SERVICE_PORT ${port}`)
    expect(ended.stderr).toContain('[setting_invalid]')
  })
})

describe('A setting that cannot be used', () => {
  it.each([
    ['SERVICE_PORT', 'eighty'],
    ...onlyDeep([
      ['SERVICE_PORT', '70000'],
      ['SERVICE_BASE_URL', 'nowhere'],
    ]),
  ])('%s=%s stops the start with its name', async (name, value) => {
    const ended = await runProgram('src/main.ts', [], { [name]: value, SERVICE_DATA_DIR: await temporaryFolder() })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(new RegExp(`^${name}: .* \\[setting_invalid\\]$`, 'm'))
  })
})

describe('npm run admin', () => {
  const ADA = 'ada@example.org'
  const PASSWORD = 'Correct-Horse-42-!Staple'

  /** As with a pipe: the password comes on standard input. */
  async function runWithInput(dataDir: string, input: string, ...args: readonly string[]): Promise<Ended> {
    const env = { ...process.env, SERVICE_DATA_DIR: dataDir }
    const child = spawn(process.execPath, [...startArguments('src/commands/admin.ts'), ...args], { env })
    child.stdin.end(input)
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    if (child.exitCode === null) await once(child, 'exit')
    return { code: child.exitCode ?? -1, stdout, stderr }
  }

  it('creates a site administrator in files for their owner alone, and prints a link for choosing the password', async () => {
    const dataDir = await temporaryFolder()
    const created = await run(dataDir, 'admin', 'create', ADA, '--name', 'Ada Lovelace')
    expect(created.code).toBe(0)
    expect(created.stdout).toMatch(/\/users\/password\/edit\?reset_password_token=[\w-]{43}$/m)
    const listed = await run(dataDir, 'admin', 'list')
    expect(listed.stdout).toMatch(/^ada@example\.org +Ada Lovelace +yes +local/m)
    const names = await readdir(dataDir)
    expect(names).toEqual(expect.arrayContaining(['parapet.db', 'secret.key']))
    for (const name of names) expect((await stat(join(dataDir, name))).mode & 0o077).toBe(0)
  })

  it('sets a password from standard input, and never shows it', async () => {
    const dataDir = await temporaryFolder()
    const args = ['create', ADA, '--user', '--password-stdin']
    const created = await runWithInput(dataDir, `${PASSWORD}\n`, ...args)
    expect(created).toMatchObject({ code: 0, stdout: `${ADA} has an account now.\n` })
    const weak = await runWithInput(dataDir, 'weak', 'set-password', ADA, '--password-stdin')
    expect(weak.code).toBe(1)
    expect(weak.stderr).toContain('[validation_failed]')
    expect(`${created.stdout}${created.stderr}${weak.stderr}`).not.toContain(PASSWORD)
    expect(await readFile(join(dataDir, 'parapet.db'), 'latin1')).not.toContain(PASSWORD)
  })

  it('grants and revokes, but never takes away the last site administrator', async () => {
    const dataDir = await temporaryFolder()
    await run(dataDir, 'admin', 'create', ADA)
    const refused = await run(dataDir, 'admin', 'revoke', ADA)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('This is the last site administrator')
    await run(dataDir, 'admin', 'create', 'bob@example.org', '--user')
    expect(await run(dataDir, 'admin', 'grant', 'bob@example.org')).toMatchObject({ code: 0 })
    expect(await run(dataDir, 'admin', 'revoke', ADA)).toMatchObject({ code: 0 })
    const link = ['link', ADA, '--provider', 'ldap', '--identity', 'UID=Ada,dc=example']
    expect(await run(dataDir, 'admin', ...link)).toMatchObject({ code: 0 })
    expect((await run(dataDir, 'admin', ...link)).stderr).toContain('uid=ada,dc=example is already linked')
  })

  it.each<Refused>([
    [['nonsense'], 'usage'],
    [['create', 'nobody'], 'usage'],
    ...onlyDeep<Refused>([
      [[], 'usage'],
      [['create'], 'usage'],
      [['create', ADA, 'more'], 'usage'],
      [['unlock', 'nobody@example.org'], 'usage'],
    ]),
  ])('refuses %j as %s', async (args, code) => {
    const ended = await run(await temporaryFolder(), 'admin', ...args)
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain(`[${code}]`)
  })
})
