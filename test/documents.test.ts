import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readSettings, SETTING_NAMES } from '../src/platform/settings/settings.ts'
import { canMakeCertificates, makeCertificate } from './support/certificate.ts'
import { encodeForm } from './support/form.ts'
import { guidanceService, PASSWORD } from './support/guidance.ts'
import { blocksOf } from './support/markdown.ts'
import { hasNginx, runNginx, type StaticServer } from './support/nginx.ts'
import { jsonOf, starterService } from './support/service.ts'

const FOLDERS = ['.', 'docs', 'docs/decisions', 'docs/measurements', 'docs/operate', 'data', 'test/search']
const DOCUMENTS = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

/** The changelog names things as they were called then, so it is not checked against today's sources. */
const CURRENT = [...DOCUMENTS.filter((name) => name !== 'CHANGELOG.md'), 'NOTICE']

const SOURCES = ['src', 'test', 'scripts'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name}`),
)

const texts = new Map(DOCUMENTS.map((name) => [name, readFileSync(name, 'utf8')]))

function textOf(name: string): string {
  return texts.get(name) ?? readFileSync(name, 'utf8')
}

/** Without what stands in fences. */
function proseOf(name: string): string {
  return textOf(name).replace(/^ *```.*?^ *```$/gms, '')
}

/** Options, path and what else is said in a call of the service. */
const CALL = /curl([^|;\n]*?)http:\/\/localhost:3000(\/[^\s'"?)#]*)([^|;\n]*)/g

/** As GitHub makes them of headings. */
function anchorsOf(name: string): readonly string[] {
  return Array.from(proseOf(name).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function brokenLinks(name: string): readonly string[] {
  const targets = Array.from(proseOf(name).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target)
  return targets.filter((target) => {
    if (/^\w+:/.test(target)) return false
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? name : join(dirname(name), path)
    if (!existsSync(file)) return true
    return anchor !== undefined && !anchorsOf(file).includes(anchor)
  })
}

/** Reads the `NAME=value` lines of an example settings file. */
function settingsOf(text: string): Readonly<Record<string, string>> {
  const lines = text.matchAll(/^(\w+)=(.*)$/gm)
  return Object.fromEntries(Array.from(lines, ([, name = '', value = '']) => [name, value]))
}

describe('The documents', () => {
  it('have no broken links', () => {
    const broken = DOCUMENTS.flatMap((name) => brokenLinks(name).map((link) => `${name}: ${link}`))
    expect(broken).toEqual([])
  })

  it('name only existing source files, by the end of their path', () => {
    const missing = CURRENT.flatMap((name) =>
      Array.from(proseOf(name).matchAll(/`([\w./-]+\.(?:ts|rq|ru))`/g), ([, path = '']) => path)
        .filter((path) => !SOURCES.some((source) => source.endsWith(`/${path}`)))
        .map((path) => `${name}: ${path}`),
    )
    expect(missing).toEqual([])
  })

  it('name only existing settings', () => {
    const missing = [...DOCUMENTS, '.env.example', 'compose.yaml', 'Dockerfile'].flatMap((name) =>
      Array.from(textOf(name).matchAll(/\bSERVICE_[A-Z][A-Z_]*\b(?![…*])/g), ([setting]) => setting)
        .filter((setting) => !SETTING_NAMES.includes(setting))
        .map((setting) => `${name}: ${setting}`),
    )
    expect(missing).toEqual([])
  })

  it('show settings that a start accepts', () => {
    const blocks = CURRENT.flatMap((name) => blocksOf(textOf(name)))
    const settings = blocks.filter(({ language }) => language === 'ini').map(({ text }) => text)
    expect(settings.length).toBeGreaterThan(3)
    for (const text of settings) expect(() => readSettings(settingsOf(text))).not.toThrow()
  })

  it('list every decision with its title', () => {
    const records = readdirSync('docs/decisions').filter((name) => /^\d{4}-/.test(name))
    const wanted = records.map((name) => {
      const title = /^# (\d{4}) – (.*)$/m.exec(textOf(`docs/decisions/${name}`))
      return `- [${title?.[1] ?? ''}](${name}) ${title?.[2] ?? ''}`
    })
    const index = textOf('docs/decisions/README.md').match(/^- \[\d{4}\].*$/gm) ?? []
    expect(index).toHaveLength(wanted.length)
    expect(wanted.filter((start) => !index.some((line) => line.startsWith(start)))).toEqual([])
  })
})

/** The commands that documents ask readers to run. */
const COMMANDS = CURRENT.flatMap((name) =>
  blocksOf(textOf(name))
    .filter(({ language, remark }) => language === 'sh' && !remark.startsWith('not run: '))
    .map(({ line, text }) => ({ place: `${name}:${line}`, text: text.replaceAll('\\\n', ' ') })),
)

const openApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
const packageForm = z.object({ scripts: z.record(z.string(), z.string()) })

// Every night they are carried out (readme.test.ts).
describe('The commands of the documents', () => {
  const service = starterService()

  it('call only existing endpoints', async () => {
    const { paths } = openApi.parse(jsonOf(await service().get('/api/openapi.json')))
    const endpoints = Object.entries(paths).map(([path, methods]) => ({
      form: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]*\}/g, '[^/]+')}$`),
      methods: Object.keys(methods),
    }))
    const calls = COMMANDS.flatMap(({ place, text }) =>
      Array.from(text.matchAll(CALL), ([, options = '', path = '', rest = '']) => {
        const [, method] = /-X (\w+)/.exec(options + rest) ?? []
        return { place, path, method: method?.toLowerCase() }
      }),
    )
    expect(calls.length).toBeGreaterThan(60)
    const wrong = calls.filter(
      ({ path, method }) =>
        !endpoints.some(({ form, methods }) => form.test(path) && (method === undefined || methods.includes(method))),
    )
    expect(wrong).toEqual([])
  })

  it('run only existing scripts', () => {
    const { scripts } = packageForm.parse(JSON.parse(readFileSync('package.json', 'utf8')))
    const named = COMMANDS.flatMap(({ place, text }) =>
      Array.from(text.matchAll(/npm run (?:--silent )?([\w:-]+\w)/g), ([, script = '']) => ({ place, script })),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(({ script }) => !(script in scripts))).toEqual([])
  })

  it('are valid shell', () => {
    const input = COMMANDS.map(({ place, text }) => `: ${place}\n${text}`).join('\n')
    expect(spawnSync('bash', ['-n'], { input, encoding: 'utf8' }).stderr).toBe('')
  })
})

function blockOf(language: string): string {
  const block = blocksOf(textOf('docs/proxies.md')).find((candidate) => candidate.language === language)
  if (block === undefined) throw new Error(`docs/proxies.md has no ${language}`)
  return block.text
}

describe.skipIf(!hasNginx || !canMakeCertificates())('The nginx of docs/proxies.md', () => {
  const guidance = guidanceService(settingsOf(blockOf('ini')))
  let folder = ''
  let nginx: StaticServer | null = null

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parapet-proxy-'))
    const { certificate, key } = await makeCertificate(folder)
    nginx = await runNginx((address) =>
      blockOf('nginx')
        .replace('listen 443 ', `listen ${address} `)
        .replace('/etc/ssl/parapet.pem', certificate)
        .replace('/etc/ssl/parapet.key', key)
        .replace('http://127.0.0.1:3000', guidance().service.baseUrl),
    )
  })

  afterAll(async () => {
    await nginx?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('lets people sign in over https, and large files through', async () => {
    const { email } = await guidance().person('Ada', { admin: true })
    const host = { Host: 'parapet.example.org' }
    const signedIn = await nginx?.get('/api/auth/login', {
      method: 'POST',
      headers: { ...host, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    const cookie = signedIn?.headers['set-cookie']?.[0] ?? ''
    expect(cookie).toMatch(/^__Host-parapet=.*; Secure/)
    const form = encodeForm({ file: Buffer.alloc(2_000_000, 'x') })
    const sent = await nginx?.get('/stigs', {
      method: 'POST',
      headers: {
        ...host,
        ...form.headers,
        Cookie: cookie.split(';')[0] ?? '',
        'X-CSRF-Token': String(signedIn?.headers['x-csrf-token']),
      },
      body: form.body,
    })
    expect(JSON.parse(String(sent?.body))).toMatchObject({ code: 'unsupported_file_type' })
  })
})
