// @module-tag long

import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fetchRelease, publish, ReleaseFolder } from '../src/ontology/index.ts'
import { temporaryFolder } from './support/folder.ts'
import { hasNginx, startNginx } from './support/nginx.ts'
import { digest, fileOf, manifestIn, type TreeManifest } from './support/published-tree.ts'
import { readByOxigraph } from './support/rdf-tools.ts'
import { spreadOf } from './support/runs.ts'
import { ingestInto, jsonOf, startService, type TestService } from './support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const TEN = 'test/fixtures/ontology/ten.ttl'
const ODD_NAMES = 'test/fixtures/ontology/odd-names.ttl'

/** Versions that some file systems take for one, and one whose address is escaped. */
const RELEASES = [
  { version: '1.0.0-RC', date: '2026-01-01', sources: [TEN] },
  { version: '1.0.0-rc', date: '2026-01-02', sources: [SMALL] },
  { version: '2.0.0+odd', date: '2026-01-03', sources: [TEN, ODD_NAMES] },
]
const ACTIVE = '2.0.0+odd'

type Options = Partial<Parameters<typeof publish>[1]>

let dataDir: string
let out: string
let service: TestService
let files: TreeManifest['files']

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
  out = join(dataDir, 'published')
  for (const { sources, ...release } of RELEASES) await ingestInto(dataDir, sources, release)
  service = await startService(dataDir, { SERVICE_BASE_URL: 'https://x.example' })
  expect((await publishTo(out)).pinned).toEqual(RELEASES.map(({ version }) => version).reverse())
  files = (await manifestIn(out)).files
})

afterAll(async () => {
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function publishTo(tree: string, options: Options = {}, home = dataDir) {
  const asked = { out: tree, dataDir: home, baseUrl: 'https://x.example', allReleases: true }
  return publish(new ReleaseFolder(home), { ...asked, threads: 1, ...options })
}

function linesOf(text: string): readonly string[] {
  return readByOxigraph({ syntax: 'turtle', text }).trim().split('\n')
}

function addressesIn(turtle: string): readonly string[] {
  return Array.from(turtle.matchAll(/<https:\/\/x\.example(\/ontologies[^>]*)>/g), ([, path = '']) => path)
}

function homesOf({ version }: { readonly version: string }) {
  const name = encodeURIComponent(version)
  return [`/releases/${name}/`, `/ontologies/d3fend/${name}/`, `/api/releases/${name}/`]
}

describe('A tree of all releases', () => {
  it('has the answers of the service byte for byte, under every version', async () => {
    const urls = Object.keys(files).filter((url) => url !== '/.well-known/void')
    for (const home of RELEASES.flatMap(homesOf))
      expect([home, urls.some((url) => url.startsWith(home))]).toEqual([home, true])
    const reports = urls.filter((url) => url.startsWith('/api/releases'))
    // Each of three has its hashes, and changes to both others in two forms; then the list and the feed.
    expect(reports).toHaveLength(3 * (1 + 2 * 2) + 2)
    const notReports = urls.filter((url) => !url.startsWith('/api/releases'))
    for (const url of [...reports, ...spreadOf(notReports, 80)]) {
      const { status, body } = await service.get(url)
      const content = await readFile(fileOf(out, files, url))
      expect({ url, status, same: body.equals(content) }).toEqual({ url, status: 200, same: true })
    }
  })

  it('has each whole release, with its files for fetching', () => {
    for (const { version } of RELEASES) {
      const name = encodeURIComponent(version)
      for (const extension of ['ttl', 'nt', 'nq', 'rdf', 'owl', 'jsonld', 'json', 'csv'])
        expect(Object.keys(files)).toContain(`/ontologies/d3fend/${name}/d3fend.${extension}`)
      expect(Object.keys(files)).toContain(`/releases/${name}/manifest.json`)
    }
  })

  it('lists every file with its digest, and nothing else is there', async () => {
    const entries = await readdir(out, { recursive: true, withFileTypes: true })
    const written = entries.filter((entry) => entry.isFile() && entry.parentPath !== out)
    expect(written).toHaveLength(Object.keys(files).length)
    const folded = written.map(({ parentPath, name }) => join(parentPath, name).toLowerCase())
    expect(new Set(folded).size).toBe(written.length)
    for (const [url, { bytes, sha256 }] of Object.entries(files)) {
      const content = await readFile(fileOf(out, files, url))
      expect([url, content.length, digest(content)]).toEqual([url, bytes, sha256])
    }
  })

  it('describes only its own content', async () => {
    const turtle = await readFile(join(out, '.well-known/void'), 'utf8')
    const served = await service.get('/.well-known/void')
    const ofTree = linesOf(turtle)
    const ofService = linesOf(served.body.toString())
    const missing = ofService.filter((line) => !ofTree.includes(line))
    expect(ofTree.filter((line) => !ofService.includes(line))).toEqual([])
    expect(missing.filter((line) => !/sparql|#guidance|ns\/guidance/.test(line))).toEqual([])
    expect(addressesIn(turtle).filter((path) => !(path in files))).toEqual([])
  })

  it('serves every release to fetch', async () => {
    for (const version of [undefined, '1.0.0-RC', '1.0.0-rc']) {
      const home = new ReleaseFolder(await temporaryFolder())
      const asked = { source: out, version, replace: false, activate: true, maxBytes: 1e8 }
      await fetchRelease(home, { ...asked, timeoutMs: 5000 }, { step: () => undefined, bytes: () => undefined })
      const fetched = await home.manifest((await home.active()) ?? '')
      expect(fetched?.sha256).toBe((await service.folder.manifest(version ?? ACTIVE))?.sha256)
    }
  })

  it('continues after an interruption, and removes releases that are no longer published', async () => {
    const home = await temporaryFolder()
    const tree = join(home, 'tree')
    const odd = join(home, 'odd.ttl')
    // No XML name can stand for this property: the release has no RDF/XML.
    await writeFile(odd, '<http://x.example/a> <http://x.example/1> "v" .')
    const older = { version: '1.0.0', date: '2026-01-01' }
    await ingestInto(home, [TEN, odd], older)
    await ingestInto(home, [TEN], { version: '2.0.0', date: '2026-01-01' })
    const options = { describe: false, compress: true }
    const interrupted = async (share: number): Promise<number> => {
      let first = 0
      const onProgress = (done: number, total: number): void => {
        first ||= done
        if (done > share * total) throw new Error('interrupted')
      }
      const publishing = publishTo(tree, { ...options, onProgress }, home)
      await expect(publishing).rejects.toThrow('interrupted')
      return first
    }
    // While the second release is written.
    await interrupted(0.6)
    expect(await readdir(tree)).not.toContain('manifest.json')
    const { kept, written, pinned } = await publishTo(tree, options, home)
    const listed = (await manifestIn(tree)).files
    expect(pinned).toEqual(['2.0.0', '1.0.0'])
    expect([kept > 0, kept + written]).toEqual([true, Object.keys(listed).length])
    expect(listed).not.toHaveProperty(['/ontologies/d3fend/1.0.0/d3fend.rdf'])
    const turtle = await readFile(join(tree, '.well-known/void'), 'utf8')
    expect(addressesIn(turtle).filter((path) => !(path in listed))).toEqual([])

    await interrupted(0.6)
    await ingestInto(home, [SMALL], { ...older, replace: true, activate: false })
    expect(await interrupted(0)).toBe(1)

    await writeFile(join(tree, 'releases', 'mine.txt'), 'mine')
    await publishTo(tree, { ...options, allReleases: false }, home)
    expect(await readdir(join(tree, 'releases'))).toEqual(['mine.txt'])
    expect(await readdir(join(tree, 'api'))).not.toContain('releases.json')
    expect(await readdir(tree)).not.toContain('.well-known')
  })

  it('can put another release first, with the hashes of its content', async () => {
    const tree = await temporaryFolder()
    const front = '1.0.0-RC'
    await publishTo(tree, { version: front, describe: false })
    const list: unknown = JSON.parse(await readFile(join(tree, 'api/releases.json'), 'utf8'))
    expect(list).toMatchObject({ active: front })
    const { files: listed } = await manifestIn(tree)
    const name = `/api/releases/${front}/hashes.json`
    const hashes = z
      .object({ records: z.record(z.string(), z.object({ sha256: z.string() })) })
      .parse(JSON.parse(await readFile(join(tree, listed[name]?.file ?? ''), 'utf8')))
    expect(Object.keys(hashes.records).length).toBeGreaterThan(10)
    for (const [path, { sha256 }] of Object.entries(hashes.records))
      expect([path, listed[path]?.sha256]).toEqual([path, sha256])
  })
})

describe.skipIf(!hasNginx)('A tree of all releases behind nginx', () => {
  const LIKE_THE_SERVICE = ['content-type', 'access-control-allow-origin', 'x-content-type-options', 'cache-control']

  it('answers every address, with the headers of the service', async () => {
    const nginx = await startNginx(out)
    for (const [url, { sha256 }] of spreadOf(Object.entries(files), 150)) {
      const { status, body } = await nginx.get(url)
      expect({ url, status, sha256: digest(body) }).toEqual({ url, status: 200, sha256 })
    }
    const name = encodeURIComponent(ACTIVE)
    const urls = [
      '/api/matrix.json',
      '/api/releases.json',
      '/api/releases.atom',
      '/.well-known/void',
      `/api/releases/${name}/hashes.json`,
      `/api/releases/1.0.0-rc/changes/${name}.csv`,
      '/releases/1.0.0-RC/manifest.json',
      '/releases/1.0.0-RC/api/matrix.json',
      '/ontologies/d3fend/1.0.0-rc/d3fend.ttl',
      `/ontologies/d3fend/${name}/d3fend.json`,
      Object.keys(files).find((url) => url.endsWith('.nq') && url.startsWith('/releases/')) ?? '',
    ]
    for (const url of urls) {
      const [ours, theirs] = [await service.get(url), await nginx.get(url)]
      const actual = LIKE_THE_SERVICE.map((header) => [url, header, theirs.headers[header]])
      expect(actual).toEqual(LIKE_THE_SERVICE.map((header) => [url, header, ours.headers[header]]))
    }
    const missing = await nginx.get('/releases/3.0.0/api/matrix.json')
    expect([missing.status, jsonOf(missing)]).toMatchObject([404, { code: 'route_not_found' }])
    await nginx.close()
  })
})
