import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { publish, ReleaseFolder, type PublishOutcome } from '../../../src/ontology/index.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'
import { ingestInto } from '../../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const TEN = 'test/fixtures/ontology/ten.ttl'
const RELEASE = { version: '1.0.0', date: '2026-01-01' }

const pathForm = z.object({ path: z.string() })

type Options = Partial<Parameters<typeof publish>[1]>

async function publishTo(dataDir: string, options: Options = {}): Promise<PublishOutcome> {
  const out = join(dataDir, 'out')
  const baseUrl = 'https://x.example'
  return publish(new ReleaseFolder(dataDir), { out, dataDir, baseUrl, threads: 1, ...options })
}

async function snapshot(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const contents = files.map(async (entry) => {
    const file = join(entry.parentPath, entry.name)
    return [file.slice(folder.length), await readFile(file, 'utf8')] as const
  })
  return Object.fromEntries(await Promise.all(contents))
}

describe('Publishing', () => {
  it('gives the same bytes every time, however many threads work', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], RELEASE)
    await publishTo(dataDir)
    await publishTo(dataDir, { out: join(dataDir, 'again'), threads: 3 })
    expect(await snapshot(join(dataDir, 'again'))).toEqual(await snapshot(join(dataDir, 'out')))
  })

  it('leaves the descriptions out when asked to', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], RELEASE)
    const full = await publishTo(dataDir)
    const short = await publishTo(dataDir, { out: join(dataDir, 'short'), describe: false })
    expect(short.written).toBeLessThan(full.written)
    const families = await readdir(join(dataDir, 'short', 'api', 'ontology'))
    expect(families.sort()).toEqual(['inference', 'mappings', 'properties'])
  })

  it('writes only the JSON of the API when asked to, each file as in the whole tree', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], RELEASE)
    await publishTo(dataDir)
    await publishTo(dataDir, { out: join(dataDir, 'json'), onlyJson: true })
    const wholeTree = await snapshot(join(dataDir, 'out'))
    const onlyJson = await snapshot(join(dataDir, 'json'))
    const answers = Object.keys(onlyJson).filter((name) => /^\/(?:api|ontologies)\//.test(name))
    const expected = Object.keys(wholeTree).filter((name) => /^\/api\/.*\.json$/.test(name))
    expect(expected.length).toBeGreaterThan(20)
    expect(answers.sort()).toEqual(expected.sort())
    for (const name of answers) expect(onlyJson[name]).toBe(wholeTree[name])
  })

  it('writes compressed siblings with the same content', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], RELEASE)
    await publishTo(dataDir, { compress: true, describe: false })
    const file = join(dataDir, 'out', 'api', 'matrix.json')
    const plain = await readFile(file)
    expect(gunzipSync(await readFile(`${file}.gz`)).equals(plain)).toBe(true)
    expect(brotliDecompressSync(await readFile(`${file}.br`)).equals(plain)).toBe(true)
  })

  it('continues an interrupted run, and rewrites damaged files', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], RELEASE)
    const whole = await publishTo(dataDir)
    const before = await snapshot(join(dataDir, 'out'))
    const interrupted = publishTo(dataDir, {
      onProgress: (done) => {
        if (done === 10) throw new Error('interrupted')
      },
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    const journal = join(dataDir, 'out', '.publish-journal')
    const [, first = ''] = (await readFile(journal, 'utf8')).split('\n')
    await writeFile(join(dataDir, 'out', pathForm.parse(JSON.parse(first)).path), 'damaged')
    await writeFile(journal, '{"path":"/api/half', { flag: 'a' })
    const resumed = await publishTo(dataDir)
    expect(resumed.kept).toBeGreaterThan(0)
    expect(resumed.kept + resumed.written).toBe(whole.written)
    expect(await snapshot(join(dataDir, 'out'))).toEqual(before)
  })

  it('does not go on with the journal of another release', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], RELEASE)
    const interrupted = publishTo(dataDir, {
      onProgress: () => {
        throw new Error('interrupted')
      },
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    await ingestInto(dataDir, [TEN], { ...RELEASE, version: '2.0.0' })
    expect(await publishTo(dataDir)).toMatchObject({ kept: 0, version: '2.0.0' })
  })

  it('does not go on with the journal of another program', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], RELEASE)
    const interrupted = publishTo(dataDir, {
      onProgress: (done) => {
        if (done === 10) throw new Error('interrupted')
      },
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    const journal = join(dataDir, 'out', '.publish-journal')
    const text = await readFile(journal, 'utf8')
    await writeFile(journal, text.replace(/"program":"[0-9a-f]{64}"/, `"program":"${'0'.repeat(64)}"`))
    expect(await publishTo(dataDir)).toMatchObject({ kept: 0 })
  })

  it('removes the files of an earlier release, but only files that it wrote', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], RELEASE)
    await publishTo(dataDir, { compress: true })
    const ownFile = join(dataDir, 'out', 'api', 'technique', 'notes.txt')
    await writeFile(ownFile, 'not ours')
    await ingestInto(dataDir, [TEN], { ...RELEASE, version: '2.0.0' })
    const { removed, foreign } = await publishTo(dataDir)
    expect(removed).toBeGreaterThan(0)
    expect(foreign).toEqual([])
    expect(await readFile(join(dataDir, 'out', 'index.html'), 'utf8')).toContain('Release 2.0.0')
    expect(await readFile(ownFile, 'utf8')).toBe('not ours')
    await rm(ownFile)
    await publishTo(dataDir, { out: join(dataDir, 'fresh') })
    const listed = Object.keys(await snapshot(join(dataDir, 'out'))).filter((name) => !/\.(gz|br)$/.test(name))
    expect(listed.sort()).toEqual(Object.keys(await snapshot(join(dataDir, 'fresh'))).sort())
  })

  it('removes compressed siblings that a run without compression would leave stale', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], RELEASE)
    await publishTo(dataDir, { compress: true })
    await publishTo(dataDir)
    const names = Object.keys(await snapshot(join(dataDir, 'out')))
    expect(names.filter((name) => /\.(gz|br)$/.test(name))).toEqual([])
  })

  it('publishes another release than the active one by its version', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], RELEASE)
    await ingestInto(dataDir, [TEN], { ...RELEASE, version: '2.0.0' })
    expect(await publishTo(dataDir, { version: '1.0.0', allReleases: true })).toMatchObject({ version: '1.0.0' })
    const releases = await readFile(join(dataDir, 'out/api/releases.json'), 'utf8')
    expect(JSON.parse(releases)).toMatchObject({ active: '1.0.0', previous: null })
  })

  it('refuses an unknown release and an unusable folder', async () => {
    const dataDir = await temporaryFolder()
    expect(await refusalOf(() => publishTo(dataDir))).toMatchObject({ code: 'release_not_found' })
    await ingestInto(dataDir, [TEN], RELEASE)
    const unknown = await refusalOf(() => publishTo(dataDir, { version: '9.9.9' }))
    expect(unknown).toMatchObject({ code: 'release_not_found' })
    const file = join(dataDir, 'file')
    await writeFile(file, '')
    const unusable = await refusalOf(() => publishTo(dataDir, { out: join(file, 'below') }))
    expect(unusable).toMatchObject({ code: 'folder_unusable' })
    expect((await stat(file)).size).toBe(0)
  })

  it('never leaves its folder, and writes every requestable name, however odd or long', async () => {
    const dataDir = await temporaryFolder()
    const odd = join(dataDir, 'odd.ttl')
    await mkdir(dataDir, { recursive: true })
    const long = `http://x.example/${'a'.repeat(300)}`
    const names = ['http://x.example/../../../../escape', long, `${long}${'b'.repeat(1024)}`]
    const statements = names.map((name) => `<${name}> <http://x.example/p> "v" .`)
    await writeFile(odd, statements.join('\n'))
    await ingestInto(dataDir, [odd], RELEASE)
    await publishTo(dataDir)
    expect((await readdir(dataDir)).sort()).toEqual(['odd.ttl', 'ontology', 'out'])
    const described = Object.keys(await snapshot(join(dataDir, 'out', 'api/ontology/describe')))
    expect(described.filter((name) => /^\/http.*x\.example/.test(name))).toEqual([
      '/http:~2F~2Fx.example~2F..~2F..~2F..~2F..~2Fescape.json',
      expect.stringMatching(/^\/http:~2F~2Fx\.example~2Fa+~~[0-9a-f]{64}\.json$/),
    ])
  })

  it('replaces an older tree, but keeps an index of another author', async () => {
    const dataDir = await temporaryFolder()
    const out = join(dataDir, 'out')
    await ingestInto(dataDir, [TEN], RELEASE)
    const files = { '/api/old%3A.json': {}, '/api/Matrix.json': {}, '/api/deep/er.json': {} }
    await mkdir(join(out, 'api/deep'), { recursive: true })
    for (const path of Object.keys(files)) await writeFile(join(out, path), 'old')
    await mkdir(join(out, 'technique/d3f:Old'), { recursive: true })
    const site = ['technique/d3f:Old/index.html']
    for (const page of site) await writeFile(join(out, page), 'old')
    await writeFile(join(out, 'manifest.json'), JSON.stringify({ compressed: false, files, site }))
    await writeFile(join(out, 'index.html'), 'mine')
    expect(await publishTo(dataDir)).toMatchObject({ removed: 3, foreign: ['index.html'] })
    expect(await readFile(join(out, 'index.html'), 'utf8')).toBe('mine')
    const names = await readdir(join(out, 'api'))
    expect(names).toContain('matrix.json')
    for (const gone of ['old%3A.json', 'Matrix.json', 'deep']) expect(names).not.toContain(gone)
    expect(await readdir(out)).not.toContain('technique')
  })

  it('ignores a manifest with paths outside, and does not overwrite one of another program', async () => {
    const dataDir = await temporaryFolder()
    const out = join(dataDir, 'out')
    await ingestInto(dataDir, [TEN], RELEASE)
    const precious = join(dataDir, 'precious')
    await writeFile(precious, 'mine')
    await mkdir(out)
    const foreign = [
      { name: 'The manifest of a web application' },
      { compressed: false, names: 'readable', files: { '/api/x.json': { file: '../precious' } } },
      { compressed: false, files: { '/../precious': {} } },
      { compressed: false, names: 'readable', files: {}, site: ['../precious'] },
    ]
    for (const manifest of foreign) {
      await writeFile(join(out, 'manifest.json'), JSON.stringify(manifest))
      expect(await refusalOf(() => publishTo(dataDir))).toMatchObject({ code: 'folder_unusable' })
    }
    expect(await readFile(precious, 'utf8')).toBe('mine')
  })
})
