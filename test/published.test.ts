import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ALL_VIEWS } from '../src/ontology/endpoints/list.ts'
import { publish, ReleaseFolder } from '../src/ontology/index.ts'
import { RESPONSE_SCHEMAS } from '../src/ontology/views/schemas.ts'
import { hasNginx, startNginx } from './support/nginx.ts'
import { digest, fileOf, manifestIn, type TreeManifest } from './support/published-tree.ts'
import { spreadOf } from './support/runs.ts'
import { ingestInto, jsonOf, STARTER, startService, type TestService } from './support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const ODD_NAMES = 'test/fixtures/ontology/odd-names.ttl'
const FAMILIES = 'test/fixtures/ontology/families.ttl'

/** So many files of a view are compared. */
const EACH = 20
/** Paths of subjects with odd names. */
const ODD = /%|x\.example|urn:x|\/(?:con|t9|\.\.)\.json/i

const BASE_URL = 'https://x.example/site'

let dataDir: string
let out: string
let service: TestService
let manifest: TreeManifest
let files: TreeManifest['files']

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
  out = join(dataDir, 'published')
  await ingestInto(dataDir, [...STARTER, ODD_NAMES, FAMILIES])
  service = await startService(dataDir)
  await publish(service.folder, { out, dataDir, baseUrl: BASE_URL })
  manifest = await manifestIn(out)
  files = manifest.files
})

afterAll(async () => {
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** A tree with the odd names and little else. */
async function publishLittle(options: Partial<Parameters<typeof publish>[1]>): Promise<string> {
  const home = await mkdtemp(join(dataDir, 'little-'))
  await ingestInto(home, [SMALL, ODD_NAMES], { version: '1.0.0', date: '2026-01-31' })
  const tree = join(home, 'published')
  const asked = { out: tree, dataDir: home, baseUrl: BASE_URL, ...options }
  await publish(new ReleaseFolder(home), asked)
  return tree
}

/** Through nginx, all odd names of the little tree, and of the large one as many as there are there. */
function askedOf<T>(items: readonly T[], names: string): readonly T[] {
  return names === 'readable' ? spreadOf(items, 5 * EACH) : items
}

function pathsOf(template: string): readonly string[] {
  const [before = '', after = ''] = template.split(/\{.*\}/)
  if (!template.includes('{')) return [template]
  const documents = ALL_VIEWS.map((view) => view.path)
  return Object.keys(files).filter((path) => {
    const inbound = path.startsWith('/api/ontology/describe/inbound/')
    if (documents.includes(path) || inbound !== before.includes('inbound')) return false
    return path.startsWith(before) && path.endsWith(after)
  })
}

describe('The published tree', () => {
  it.each(ALL_VIEWS)(
    'holds byte for byte what HTTP answers at $path, in the shape that is stated',
    async ({ path: template, format, responseType }) => {
      const allPaths = pathsOf(template)
      expect(allPaths.length).toBeGreaterThan(0)
      // Files of one kind are written alike, so a sample is enough; odd names are all compared.
      const paths = [...spreadOf(allPaths, EACH), ...allPaths.filter((path) => ODD.test(path))]
      const isJson = format.mediaType.startsWith('application/json') && responseType !== 'File'
      const schema: z.ZodType = RESPONSE_SCHEMAS[responseType]
      for (const path of paths) {
        const file = await readFile(fileOf(out, files, path))
        const answer = await service.get(path)
        const { status, body } = answer
        expect({ path, status, same: body.equals(file) }).toEqual({ path, status: 200, same: true })
        if (isJson) expect(schema.safeParse(jsonOf(answer)).error, path).toBeUndefined()
      }
    },
  )

  it('lists every file with its digest, and nothing else is there', async () => {
    const folders = ['api', 'ontologies'].map((folder) => join(out, folder))
    const names = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })))
    expect(names.flat().filter((entry) => entry.isFile())).toHaveLength(Object.keys(files).length)
    for (const [path, { bytes, sha256 }] of Object.entries(files)) {
      const content = await readFile(fileOf(out, files, path))
      expect(content.length).toBe(bytes)
      expect(digest(content)).toBe(sha256)
    }
    const { site } = manifest
    expect((await readdir(out)).sort()).toEqual(['api', 'manifest.json', 'ontologies', ...site].sort())
  })

  it('has both files for every subject, and for every named object', () => {
    const described = pathsOf('/api/ontology/describe/{subject}.json')
    const inbound = pathsOf('/api/ontology/describe/inbound/{subject}.json')
    expect(described).toHaveLength(inbound.length)
    const subjects = service.ontology.current?.manifest.counts.subjects ?? Infinity
    expect(described.length).toBeGreaterThan(subjects)
  })

  it('begins with an index for people and programs, and has all addresses in its sitemap', async () => {
    const page = await readFile(join(out, 'index.html'), 'utf8')
    const links = Array.from(page.matchAll(/<a href="([^"]+)"/g), ([, link = '']) => `/${link}`)
    expect(links.filter((link) => /^\/(?:api|ontologies)\//.test(link))).toHaveLength(ALL_VIEWS.length)
    const index = indexForm.parse(JSON.parse(await readFile(join(out, 'index.json'), 'utf8')))
    const examples = index.endpoints.map(({ example }) => example)
    for (const link of [...links, ...examples, index.manifest, index.sitemap]) {
      expect([...Object.keys(files), ...manifest.site.map((name) => `/${name}`)]).toContain(
        link === '/manifest.json' ? '/index.json' : link,
      )
    }
    const counted = index.endpoints.reduce((sum, endpoint) => sum + endpoint.files, 0)
    expect(counted).toBe(Object.keys(files).length)
    const sitemap = await readFile(join(out, 'sitemap.xml'), 'utf8')
    const addresses = Array.from(sitemap.matchAll(/<loc>([^<]+)<\/loc>/g), ([, url = '']) =>
      url.replaceAll('&#39;', "'").slice(BASE_URL.length),
    )
    expect(addresses).toEqual(expect.arrayContaining(['/', ...Object.keys(files)]))
    expect(addresses).toHaveLength(counted + 1)
  })

  it('tells Netlify and Cloudflare Pages one media type for each path', async () => {
    const rules = (await readFile(join(out, '_headers'), 'utf8')).split(/\n(?=\/)/)
    expect(rules.length).toBeLessThanOrEqual(100)
    for (const { path, format } of ALL_VIEWS) {
      const matching = rules.filter((rule) => {
        const [pattern = ''] = rule.split('\n')
        return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
      })
      const types = matching.flatMap((rule) => rule.match(/(?<=Content-Type: ).*/g) ?? [])
      // JSON, CSV and TSV stand in one folder there, and hosts know these extensions.
      const expected = path.startsWith('/api/mappings/{') ? [] : [format.mediaType]
      expect({ path, types }).toEqual({ path, types: expected })
    }
  })
})

const indexForm = z.object({
  manifest: z.string(),
  sitemap: z.string(),
  endpoints: z.array(z.object({ example: z.string(), files: z.int() })),
})

describe.skipIf(!hasNginx)('A published tree behind nginx', () => {
  const LIKE_THE_SERVICE = [
    'content-type',
    'access-control-allow-origin',
    'access-control-expose-headers',
    'x-content-type-options',
    'cache-control',
  ]

  it.each(['readable', 'portable'] as const)(
    'answers every address of the manifest like the service, with %s names',
    async (names) => {
      const tree = names === 'readable' ? out : await publishLittle({ names })
      const nginx = await startNginx(tree)
      const listed = (await manifestIn(tree)).files
      expect(Object.keys(listed).length).toBeGreaterThan(names === 'readable' ? 1000 : 50)
      for (const [url, { sha256 }] of askedOf(Object.entries(listed), names)) {
        const { status, body } = await nginx.get(url)
        expect({ url, status, sha256: digest(body) }).toEqual({ url, status: 200, sha256 })
      }
      const urls = ALL_VIEWS.flatMap(({ path }) => pathsOf(path).find((url) => url in listed) ?? [])
      expect(urls.length).toBeGreaterThan(names === 'readable' ? ALL_VIEWS.length - 1 : 10)
      for (const url of urls) {
        const [ours, theirs] = [await service.get(url), await nginx.get(url)]
        for (const name of LIKE_THE_SERVICE) expect(theirs.headers[name]).toBe(ours.headers[name])
      }
      await nginx.close()
    },
  )

  it('is packed, revalidated, and refuses in problems', async () => {
    const tree = await publishLittle({ compress: true })
    const nginx = await startNginx(tree)
    const packed = await nginx.get('/api/matrix.json', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(packed.body.equals(await readFile(join(tree, 'api/matrix.json.gz')))).toBe(true)
    const { etag = '' } = packed.headers
    const again = { headers: { 'If-None-Match': etag, 'Accept-Encoding': 'gzip' } }
    expect(await nginx.get('/api/matrix.json', again)).toMatchObject({ status: 304 })
    expect(await nginx.get('/')).toMatchObject({ status: 200 })
    const preflight = await nginx.get('/api/matrix.json', { method: 'OPTIONS' })
    expect(preflight).toMatchObject({ status: 204 })
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
    const refused = [
      ['/api/technique/d3f:Nothing.json', 'GET', 404, 'route_not_found'],
      ['/api/', 'GET', 404, 'route_not_found'],
      ['/nginx.conf', 'GET', 404, 'route_not_found'],
      ['/api/matrix.json', 'POST', 405, 'method_not_allowed'],
    ] as const
    for (const [path, method, status, code] of refused) {
      const answer = await nginx.get(path, { method })
      expect(answer.headers).toMatchObject({
        'content-type': 'application/problem+json; charset=utf-8',
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
      })
      expect(answer.status).toBe(status)
      expect(jsonOf(answer)).toMatchObject({ status, code })
    }
    await nginx.close()
  })
})
