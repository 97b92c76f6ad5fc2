import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { activateRelease, rollbackRelease } from '../../src/ontology/index.ts'
import { temporaryFolder } from '../support/folder.ts'
import { containing } from '../support/matchers.ts'
import { runs } from '../support/runs.ts'
import { ingestInto, jsonOf, startService, type TestService } from '../support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'
const SMALL = 'test/fixtures/ontology/small.ttl'
const SOON = { timeout: 15_000, interval: 100 }

const logged: string[] = []
const log = pino({ base: null }, { write: (line) => void logged.push(line) })

let running: TestService | null = null

async function waitForLog(text: RegExp): Promise<void> {
  await vi.waitFor(() => {
    expect(logged.join('')).toMatch(text)
  }, SOON)
}

async function start(dataDir: string): Promise<TestService> {
  running = await startService(dataDir, {}, log)
  return running
}

afterEach(async () => {
  await running?.close()
  running = null
  logged.length = 0
})

describe('An ontology service', () => {
  it('is not ready and returns 503 before the first ingest', async () => {
    const service = await start(await temporaryFolder())
    const answer = await service.get('/api/matrix.json')
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
    expect(jsonOf(answer)).toMatchObject({ code: 'no_release' })
    expect((await service.get('/readyz')).status).toBe(503)
    expect((await service.get('/healthz')).status).toBe(200)
  })

  it('serves a release that is ingested while it runs, and the next one after it', async () => {
    const dataDir = await temporaryFolder()
    const service = await start(dataDir)
    await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-01' })
    await vi.waitFor(async () => {
      expect(jsonOf(await service.get('/readyz'))).toMatchObject({ release: '1.0.0' })
    }, SOON)
    await ingestInto(dataDir, [SMALL], { version: '2.0.0', date: '2026-02-01' })
    await vi.waitFor(async () => {
      expect(jsonOf(await service.get('/api/version.json'))).toMatchObject({ version: '2.0.0' })
    }, SOON)
    const pinned = await service.get('/releases/1.0.0/api/version.json')
    expect(jsonOf(pinned)).toMatchObject({ version: '1.0.0' })
  })

  it('serves replaced content under the same version', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-01' })
    const service = await start(dataDir)
    const before = await service.get('/api/version.json')
    await ingestInto(dataDir, [SMALL], { version: '1.0.0', date: '2026-01-01', replace: true })
    await vi.waitFor(async () => {
      const after = await service.get('/api/version.json')
      expect(after.headers.etag).not.toBe(before.headers.etag)
    }, SOON)
  })

  it('keeps serving the old release when the new one cannot be opened, and opens it once it can', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-01' })
    const service = await start(dataDir)
    await ingestInto(dataDir, [SMALL], { version: '2.0.0', date: '2026-02-01', activate: false })
    const home = join(dataDir, 'ontology', 'releases', '2.0.0')
    const graph = join(home, (await readdir(home)).find((name) => name.endsWith('.nq')) ?? '')
    const whole = await readFile(graph)
    await writeFile(graph, 'damaged <')
    await service.folder.activate('2.0.0')
    await waitForLog(/Release 2\.0\.0 cannot be opened: .+\.nq is damaged/)
    expect(jsonOf(await service.get('/api/version.json'))).toMatchObject({ version: '1.0.0' })
    const pinned = await service.get('/releases/2.0.0/api/version.json')
    expect(pinned.status).toBe(503)
    expect(pinned.headers['retry-after']).toBe('1')
    expect(jsonOf(pinned)).toMatchObject({ code: 'release_unusable' })
    expect(pinned.body.toString()).not.toContain(dataDir)
    await writeFile(graph, whole)
    await vi.waitFor(async () => {
      expect(jsonOf(await service.get('/api/version.json'))).toMatchObject({ version: '2.0.0' })
    }, SOON)
    const again = await service.get('/releases/2.0.0/api/version.json')
    expect(jsonOf(again)).toMatchObject({ version: '2.0.0' })
  })

  it('logs once that the active version is damaged, and once that it is repaired', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-01' })
    const manifest = join(dataDir, 'ontology', 'releases', '1.0.0', 'manifest.json')
    const whole = await readFile(manifest, 'utf8')
    await writeFile(manifest, whole.replace('"version":', '"version"'))
    const service = await start(dataDir)
    expect((await service.get('/readyz')).status).toBe(503)
    await waitForLog(/releases\/1\.0\.0\/manifest\.json, line 2, column 13: /)
    await writeFile(manifest, whole)
    await waitForLog(/The active release is served again/)
    logged.length = 0
    await service.folder.activate('1.0.1')
    await waitForLog(/\\"active\\" names \\"1\.0\.1\\", and there is no such release/)
    // Two more rounds.
    await setTimeout(4500)
    expect(logged.filter((line) => line.includes('1.0.1'))).toHaveLength(1)
    await service.folder.activate('1.0.0')
    await waitForLog(/The active release is served again/)
    expect(jsonOf(await service.get('/api/version.json'))).toMatchObject({ version: '1.0.0' })
  })

  it('refuses a release whose manifest is damaged as one that cannot be opened, and names files in the log alone', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-01' })
    await ingestInto(dataDir, [SMALL], { version: '2.0.0', date: '2026-02-01' })
    const file = join(dataDir, 'ontology', 'releases', '1.0.0', 'manifest.json')
    const whole = await readFile(file, 'utf8')
    await writeFile(file, whole.replace('2026-01-01', '2026-01-02'))
    const service = await start(dataDir)
    const paths = ['/releases/1.0.0/api/version.json', '/releases/1.0.0/manifest.json']
    for (const path of [...paths, ...paths]) {
      const refused = await service.get(path)
      expect([refused.status, jsonOf(refused)]).toMatchObject([503, { code: 'release_unusable' }])
      expect(refused.body.toString()).not.toContain(dataDir)
    }
    const lines = logged.filter((line) => line.includes('manifestSha256'))
    expect(lines).toEqual([containing('releases/1.0.0/manifest.json')])
    await writeFile(file, whole)
    for (const path of paths) expect((await service.get(path)).status).toBe(200)
  })

  it('returns 503 if no release is named as active, logs it, and serves the next one activated', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-01' })
    await ingestInto(dataDir, [SMALL], { version: '2.0.0', date: '2026-02-01' })
    const active = join(dataDir, 'ontology', 'active')
    await rm(active)
    const service = await start(dataDir)
    const refused = await service.get('/api/version.json')
    expect(refused.status).toBe(503)
    expect(jsonOf(refused)).toMatchObject({
      code: 'no_release',
      detail: containing('There are: 1.0.0, 2.0.0. 2.0.0 was served last.'),
    })
    expect((await service.get('/readyz')).status).toBe(503)
    expect((await service.get('/.well-known/void')).status).toBe(503)
    await waitForLog(/"level":50.*ontology\/active of the data folder is missing/)
    expect(service.ontology.isFaulty).toBe(true)

    await activateRelease(service.folder, '2.0.0', () => Promise.resolve())
    await waitForLog(/The active release is served again/)
    expect(jsonOf(await service.get('/api/version.json'))).toMatchObject({ version: '2.0.0' })
    expect(service.ontology.isFaulty).toBe(false)

    logged.length = 0
    await rm(active)
    await waitForLog(/"level":50.*ontology\/active of the data folder is missing/)
    expect(service.ontology.isFaulty).toBe(true)
    expect(jsonOf(await service.get('/api/version.json'))).toMatchObject({ version: '2.0.0' })
    await rollbackRelease(service.folder, () => Promise.resolve())
    await waitForLog(/The active release is served again/)
  })

  it('fails no request while releases are swapped', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [TEN], { version: '1.0.0', date: '2026-01-01' })
    const service = await start(dataDir)
    const statuses = new Set<number>()
    let swapped = false
    const ask = async (): Promise<void> => {
      for (let i = 0; !swapped; i += 1) {
        const answer = await service.get(`/api/version.json?${i}`)
        statuses.add(answer.status)
        statuses.add((await service.get(`/api/technique/d3f:Nothing${i}.json`)).status)
        await setTimeout(5)
      }
    }
    const asking = Array.from({ length: 8 }, ask)
    await ingestInto(dataDir, [SMALL], { version: '2.0.0', date: '2026-02-01' })
    await vi.waitFor(async () => {
      expect(jsonOf(await service.get('/readyz'))).toMatchObject({ release: '2.0.0' })
    }, SOON)
    swapped = true
    await Promise.all(asking)
    expect([...statuses].sort()).toEqual([200, 404])
  })

  it('fails no request of 32 readers during repeated activations and rollbacks', async () => {
    const dataDir = await temporaryFolder()
    for (const version of ['1.0.0', '2.0.0']) await ingestInto(dataDir, [TEN], { version, date: '2026-01-01' })
    const service = await start(dataDir)
    const statuses = new Map<number, number>()
    const versions = new Set<string>()
    let isOver = false
    const read = async (_: unknown, reader: number): Promise<void> => {
      const prefix = reader % 4 === 0 ? '/releases/1.0.0' : ''
      while (!isOver) {
        const { status, body } = await service.get(`${prefix}/api/version.json`)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (prefix === '') versions.add(body.toString())
        await setTimeout(10)
      }
    }
    const readers = Array.from({ length: 32 }, read)
    const nothing = (): Promise<void> => Promise.resolve()
    const isServed = (version: string): Promise<void> =>
      vi.waitFor(
        () => {
          expect(service.ontology.current?.manifest.version).toBe(version)
        },
        { timeout: 15_000, interval: 5 },
      )
    for (let turn = 0; turn < Math.min(runs(2), 25); turn += 1) {
      await activateRelease(service.folder, '1.0.0', nothing)
      await isServed('1.0.0')
      await rollbackRelease(service.folder, nothing)
      await isServed('2.0.0')
    }
    isOver = true
    await Promise.all(readers)
    expect([...statuses.keys()]).toEqual([200])
    expect(versions.size).toBe(2)
  })

  it('keeps the last used pinned releases open within a limit of memory', async () => {
    const dataDir = await temporaryFolder()
    const versions = ['1.0.0', '2.0.0', '3.0.0', '4.0.0']
    for (const version of versions) {
      await ingestInto(dataDir, [TEN], { version, date: '2026-01-01' })
    }
    running = await startService(dataDir, { SERVICE_RELEASES_MB: '100' }, log)
    const { ontology } = running
    for (const version of ['1.0.0', '2.0.0', '3.0.0', '1.0.0']) {
      const answer = await running.get(`/releases/${version}/api/version.json`)
      expect(jsonOf(answer)).toMatchObject({ version })
      const taken = [...ontology.pinnedSizes.values()].reduce((sum, bytes) => sum + bytes, 0)
      expect(taken).toBeLessThanOrEqual(100 * 1024 * 1024)
      expect([...ontology.pinnedSizes.keys()].at(-1)).toBe(version)
    }
    expect(ontology.pinnedSizes.size).toBeGreaterThan(1)
    await running.get('/releases/4.0.0/api/version.json')
    expect([...ontology.pinnedSizes.keys()]).not.toContain('4.0.0')
  })

  it('opens a release larger than the limit, and many at once', async () => {
    const dataDir = await temporaryFolder()
    const versions = ['1.0.0', '2.0.0', '3.0.0', '4.0.0']
    for (const version of versions) {
      await ingestInto(dataDir, [TEN], { version, date: '2026-01-01' })
    }
    const service = await startService(dataDir, { SERVICE_RELEASES_MB: '1' }, log)
    running = service
    const asked = [...versions, ...versions]
    const answers = await Promise.all(asked.map((version) => service.get(`/releases/${version}/api/version.json`)))
    expect(answers.map((answer) => jsonOf(answer))).toMatchObject(asked.map((version) => ({ version })))
    expect(service.ontology.pinnedSizes.size).toBe(1)
    expect(logged.join('')).toContain('larger than SERVICE_RELEASES_MB')
  })
})
