import { readdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fetchRelease } from '../../../src/ontology/administration/fetch.ts'
import { formatPublicManifest } from '../../../src/ontology/administration/public-manifest.ts'
import { ReleaseFolder } from '../../../src/ontology/release/folder.ts'
import type { Manifest } from '../../../src/ontology/release/manifest.ts'
import { formatList } from '../../../src/ontology/reports/list.ts'
import type { Refusal } from '../../../src/platform/errors.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'
import { startServer } from '../../support/server.ts'
import { ingestInto } from '../../support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'
const HOME = '/releases/1.0.0'

/** The body at a path, or a function that answers. */
type Served = string | Buffer | ((response: ServerResponse) => void)

interface Source {
  readonly manifest: Manifest
  readonly nquads: string
  readonly graphUrl: string
  /** Bodies of a service that has the release, by path. */
  readonly served: Readonly<Record<string, Served>>
}

async function sourceOf(): Promise<Source> {
  const dataDir = await temporaryFolder()
  await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-01' })
  const folder = new ReleaseFolder(dataDir)
  const manifest = await folder.manifest('1.0.0')
  if (manifest === null) throw new Error('There is no release')
  const nquads = await folder.graph(manifest)
  const graphUrl = `${HOME}/${manifest.graphFile}`
  const served = {
    '/api/releases.json': formatList({ releases: [manifest], active: '1.0.0', previous: null, damaged: [] }),
    [`${HOME}/manifest.json`]: formatPublicManifest(manifest),
    [graphUrl]: nquads,
  }
  return { manifest, nquads, graphUrl, served }
}

function serverOf(served: Readonly<Record<string, Served>>): Promise<string> {
  return startServer((request, response) => {
    const content = served[request.url ?? '']
    if (content === undefined) response.writeHead(404).end('{}')
    else if (typeof content === 'function') content(response)
    else response.end(content)
  })
}

interface FetchOptions {
  readonly version?: string
  readonly replace?: boolean
  readonly maxBytes?: number
  readonly timeoutMs?: number
}

function fetchInto(dataDir: string, source: string, options: FetchOptions = {}) {
  const usual = { version: undefined, replace: false, activate: true, maxBytes: 1e7 }
  const silent = { step: () => undefined, bytes: () => undefined }
  const folder = new ReleaseFolder(dataDir)
  return fetchRelease(folder, { source, ...usual, timeoutMs: 5000, ...options }, silent)
}

/** The refusal of a fetch, which must leave nothing behind. */
async function refused(
  served: Readonly<Record<string, Served>>,
  { path = '', ...options }: FetchOptions & { readonly path?: string } = {},
): Promise<Refusal> {
  const dataDir = await temporaryFolder()
  const base = await serverOf(served)
  const refusal = await refusalOf(() => fetchInto(dataDir, base + path, options))
  expect(await readdir(dataDir)).toEqual([])
  return refusal
}

function withManifest(source: Source, changes: Partial<Manifest>): Source['served'] {
  const changed = formatPublicManifest({ ...source.manifest, ...changes })
  return { ...source.served, [`${HOME}/manifest.json`]: changed }
}

describe('fetchRelease', () => {
  it.each([
    ['a service', ''],
    ['a service with a slash', '/'],
    ['one release of it', '/releases/1.0.0'],
    ['its manifest', '/releases/1.0.0/manifest.json'],
  ])('takes over the release of %s, and serves it', async (_, path) => {
    const { manifest, nquads, served } = await sourceOf()
    const dataDir = await temporaryFolder()
    const fetched = await fetchInto(dataDir, (await serverOf(served)) + path)
    expect(fetched).toMatchObject({ status: 'created', manifest: { sha256: manifest.sha256 } })
    const folder = new ReleaseFolder(dataDir)
    expect(await folder.active()).toBe('1.0.0')
    expect(await folder.graph(fetched.manifest)).toBe(nquads)
    const again = await fetchInto(dataDir, (await serverOf(served)) + path)
    expect(again.status).toBe('unchanged')
  })

  it('decompresses files and finds the release of a version', async () => {
    const { nquads, graphUrl, served } = await sourceOf()
    const packed = { ...served, [graphUrl]: gzipSync(nquads) }
    const dataDir = await temporaryFolder()
    const fetched = await fetchInto(dataDir, await serverOf(packed), { version: '1.0.0' })
    expect(fetched.status).toBe('created')
  })

  it('refuses a graph with another digest', async () => {
    const { nquads, graphUrl, served } = await sourceOf()
    for (const damaged of [nquads.replace('"', '"x'), nquads.slice(0, -100), '']) {
      const refusal = await refused({ ...served, [graphUrl]: damaged })
      expect(refusal.code).toBe('source_damaged')
      expect(refusal.message).toContain(graphUrl)
    }
  })

  it('refuses a manifest with another digest than the list has', async () => {
    const source = await sourceOf()
    const refusal = await refused(withManifest(source, { sha256: 'a'.repeat(64) }))
    expect(refusal).toMatchObject({ code: 'source_damaged' })
    expect(refusal.message).toContain('its list has')
  })

  it.each([
    [{ version: '../../escape' }, 'version'],
    [{ sha256: 'no digest' }, 'sha256'],
  ])('refuses the manifest of a release with %j', async (changes, expected) => {
    const source = await sourceOf()
    const refusal = await refused(withManifest(source, changes), { path: HOME })
    expect(refusal).toMatchObject({ code: 'source_damaged' })
    expect(refusal.message).toContain(expected)
  })

  it('ignores paths in the manifest', async () => {
    const source = await sourceOf()
    const served = { ...withManifest(source, { graphFile: '../../../escape.nq' }) }
    const dataDir = await temporaryFolder()
    await fetchInto(dataDir, await serverOf(served))
    expect(await readdir(dataDir, { recursive: true })).toContain(
      `ontology/releases/1.0.0/${source.manifest.graphFile}`,
    )
  })

  it('refuses a release with another number of statements than it says', async () => {
    const source = await sourceOf()
    const refusal = await refused(withManifest(source, { counts: { ...source.manifest.counts, statements: 7 } }))
    expect(refusal).toMatchObject({ code: 'source_damaged' })
    expect(refusal.message).toContain('statements, not 7')
  })

  it('refuses a file that ends too soon', async () => {
    const { nquads, graphUrl, served } = await sourceOf()
    const refusal = await refused({
      ...served,
      [graphUrl]: (response) => {
        response.writeHead(200, { 'Content-Length': nquads.length })
        response.write(nquads.slice(0, 500), () => response.destroy())
      },
    })
    expect(refusal).toMatchObject({ code: 'source_unreachable' })
    expect(refusal.message).toContain(graphUrl)
  })

  it.each([
    ['answers nothing', () => undefined],
    ['stops in the middle', (response: ServerResponse) => void response.write('<a:s> <a:p> ')],
  ])('refuses a server that %s', async (_, hang) => {
    const { graphUrl, served } = await sourceOf()
    const refusal = await refused({ ...served, [graphUrl]: hang }, { timeoutMs: 300 })
    expect(refusal).toMatchObject({ code: 'source_unreachable' })
    expect(refusal.message).toContain('not delivered within 0.3 s')
  })

  it('refuses files larger than the limit', async () => {
    const { served } = await sourceOf()
    expect(await refused(served, { maxBytes: 3000 })).toMatchObject({ code: 'source_too_large' })
  })

  it.each([
    ['a page', '<!doctype html><title>Hello</title>'],
    ['other JSON', '{"releases":"none"}'],
    ['a list that leads elsewhere', '{"releases":[{"version":"../x","sha256":"y","active":true}]}'],
    ['nothing', null],
  ])('refuses an address that has %s', async (_, content) => {
    const served = content === null ? {} : { '/manifest.json': content, '/api/releases.json': content }
    expect((await refused(served)).code).toMatch(/^source_(?:not_found|damaged)$/)
  })

  it('refuses an unknown version and lists the available ones', async () => {
    const { served } = await sourceOf()
    const refusal = await refused(served, { version: '1.0.1' })
    expect(refusal).toMatchObject({ code: 'release_not_found' })
    expect(refusal.members).toEqual({ did_you_mean: ['1.0.0'] })
  })

  it('refuses other content for an existing version, unless it may replace it', async () => {
    const { served } = await sourceOf()
    const base = await serverOf(served)
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, ['test/fixtures/ontology/small.ttl'], { version: '1.0.0', date: '2026-01-01' })
    const refusal = await refusalOf(() => fetchInto(dataDir, base))
    expect(refusal).toMatchObject({ code: 'version_taken' })
    expect((await fetchInto(dataDir, base, { replace: true })).status).toBe('replaced')
  })
})
