import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { EngineSettings } from '../../../src/graph/engine/engine.ts'
import { OntologyService, ReleaseFolder } from '../../../src/ontology/index.ts'
import { parseManifest } from '../../../src/ontology/release/manifest.ts'
import { Reports } from '../../../src/ontology/reports/reports.ts'
import { createLog } from '../../../src/platform/log.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { ingestInto } from '../../support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'
const SMALL = 'test/fixtures/ontology/small.ttl'
const PAIR = { from: '1.0.0', to: '2.0.0', form: 'json' } as const
const NEVER = 1e6

async function twoReleases(): Promise<string> {
  const dataDir = await temporaryFolder()
  await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-01' })
  await ingestInto(dataDir, [SMALL], { version: '2.0.0', date: '2026-02-01' })
  return dataDir
}

async function serve(dataDir: string, prepareMs = NEVER): Promise<OntologyService> {
  const log = createLog('silent')
  const room = { cacheBytes: 1024 * 1024, releasesBytes: 1024 * 1024 }
  const service = new OntologyService({ dataDir, ...room, baseUrl: '', log, prepareMs })
  onTestFinished(() => service.close())
  await service.start()
  return service
}

async function manifestText(folder: ReleaseFolder): Promise<string> {
  return JSON.stringify(await folder.manifest('2.0.0'))
}

function keptIn(dataDir: string): Promise<readonly string[]> {
  return readdir(join(dataDir, 'ontology', 'derived')).catch(() => [])
}

function kindsOf(names: readonly string[]): readonly string[] {
  return names.map((name) => name.replace(/-.*/, '')).sort()
}

/** Files are written behind the answer. */
async function untilKept(dataDir: string, kinds: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(kindsOf(await keptIn(dataDir))).toEqual(kinds)
    },
    { timeout: 30_000, interval: 50 },
  )
}

describe('Expensive reports on releases', () => {
  it('depend on where the release is read: hashes of the folder are not those of an engine', async () => {
    const dataDir = await twoReleases()
    const folder = new ReleaseFolder(dataDir)
    const sources = { folder, manifest: async () => parseManifest(await manifestText(folder), '') }
    let engine: EngineSettings | null = null
    const reports = new Reports(sources, {
      dataDir,
      cacheBytes: 1024 * 1024,
      baseUrl: '',
      log: createLog('silent'),
      get engine() {
        return engine
      },
    })
    onTestFinished(() => reports.close())
    const fromFolder = await reports.hashes('2.0.0', 'gzip')
    // Nobody is there, so that what is answered can only come from memory.
    engine = { url: 'http://127.0.0.1:9/sparql', graph: 'urn:{version}' }
    await expect(reports.hashes('2.0.0', 'gzip')).rejects.toThrow()
    engine = null
    expect(await reports.hashes('2.0.0', 'gzip')).toBe(fromFolder)
  })

  it('are kept in the data folder, where another process finds them without the releases', async () => {
    const dataDir = await twoReleases()
    const first = await serve(dataDir)
    const changes = await first.reports.changes(PAIR, 'gzip')
    const hashes = await first.reports.hashes('2.0.0', 'gzip')
    await untilKept(dataDir, ['changes', 'changes', 'hashes'])
    await first.close()
    const second = await serve(dataDir)
    for (const version of ['1.0.0', '2.0.0']) {
      const home = join(dataDir, 'ontology', 'releases', version)
      for (const name of await readdir(home)) if (name.endsWith('.nq')) await rm(join(home, name))
      // A folder of a release takes part in the limits of threads by the size of its graph.
      const manifest = await second.folder.manifest(version)
      await writeFile(join(home, manifest?.graphFile ?? ''), 'gone')
    }
    expect(await second.reports.changes(PAIR, 'gzip')).toEqual(changes)
    expect(await second.reports.hashes('2.0.0', 'gzip')).toEqual(hashes)
    const names = await keptIn(dataDir)
    expect(names).toHaveLength(3)
    const brotli = await second.reports.hashes('2.0.0', 'br')
    expect([brotli.sha256, brotli.length]).toEqual([hashes.sha256, hashes.length])
    const csv = await second.reports.changes({ ...PAIR, form: 'csv' }, 'gzip')
    expect(gunzipSync(csv.body).toString()).toMatch(/^kind,change/)
  })

  it('are rebuilt if the file is damaged, and computed if nothing can be stored', async () => {
    const dataDir = await twoReleases()
    const first = await serve(dataDir)
    const changes = await first.reports.changes(PAIR, 'gzip')
    await untilKept(dataDir, ['changes', 'changes'])
    await first.close()
    const home = join(dataDir, 'ontology', 'derived')
    for (const name of await readdir(home)) await writeFile(join(home, name), 'damaged')
    const second = await serve(dataDir)
    expect(await second.reports.changes(PAIR, 'gzip')).toEqual(changes)
    await second.close()
    await rm(home, { recursive: true })
    await writeFile(home, 'no folder')
    const third = await serve(dataDir)
    expect(await third.reports.changes(PAIR, 'gzip')).toEqual(changes)
    expect((await third.reports.hashes('1.0.0', 'gzip')).length).toBeGreaterThan(1000)
  })

  it('depend on the content of releases, not on their versions', async () => {
    const dataDir = await twoReleases()
    const service = await serve(dataDir)
    const before = await service.reports.changes(PAIR, 'gzip')
    await ingestInto(dataDir, [TEN], { version: '2.0.0', date: '2026-02-01', replace: true })
    const after = await service.reports.changes(PAIR, 'gzip')
    expect(after.sha256).not.toBe(before.sha256)
    expect(after.length).toBeLessThan(before.length)
  })

  it('are prepared for the served release before the first request', async () => {
    const dataDir = await twoReleases()
    await serve(dataDir, 1)
    await untilKept(dataDir, ['changes', 'changes', 'hashes'])
  })

  it('do not delay other answers', async () => {
    const dataDir = await twoReleases()
    const service = await serve(dataDir)
    const done: string[] = []
    const hashing = service.reports.hashes('2.0.0', 'gzip').then(() => done.push('hashes'))
    const release = await service.release(null)
    await release.answer('/api/technique/all.json', 'gzip').then(() => done.push('answer'))
    await hashing
    expect(done).toEqual(['answer', 'hashes'])
  })
})
