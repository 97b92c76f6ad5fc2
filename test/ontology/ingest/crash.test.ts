// @module-tag node

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ingest, ReleaseFolder } from '../../../src/ontology/index.ts'
import { openRelease, type Release } from '../../../src/ontology/release/release.ts'
import { temporaryFolder } from '../../support/folder.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const TEN = 'test/fixtures/ontology/ten.ttl'
const LIMITS = { maxBytes: 1_000_000, timeoutMs: 5000 }
const SILENT = { step: () => undefined, bytes: () => undefined }

/** An ingest that stops before it commits the file after so many others; returns all that it came to. */
async function stoppedIngest(
  dataDir: string,
  source: string,
  { version = '1.0.0', after = Infinity } = {},
): Promise<readonly string[]> {
  const files: string[] = []
  const folder = new ReleaseFolder(dataDir, (name) => {
    files.push(name.replace(/^[0-9a-f]{16}/, 'graph'))
    if (files.length > after) throw new Error('stopped here')
  })
  const ended = ingest(folder, { sources: [source], version, date: '2026-01-31', replace: true, ...LIMITS }, SILENT)
  if (after === Infinity) await ended
  else await expect(ended).rejects.toThrow('stopped here')
  return files
}

async function openVersion(dataDir: string, version: string): Promise<Release | null> {
  const folder = new ReleaseFolder(dataDir)
  const manifest = await folder.manifest(version)
  return manifest === null ? null : openRelease(folder, manifest)
}

describe('An ingest', () => {
  it('commits the graph, then the manifest, then the name of the active version', async () => {
    const dataDir = await temporaryFolder()
    expect(await stoppedIngest(dataDir, TEN)).toStrictEqual(['graph.nq', 'manifest.json', 'active'])
  })

  it.each([
    { after: 0, versions: ['1.0.0'], active: '1.0.0' },
    { after: 1, versions: ['1.0.0'], active: '1.0.0' },
    { after: 2, versions: ['1.0.0', '2.0.0'], active: '1.0.0' },
    { after: Infinity, versions: ['1.0.0', '2.0.0'], active: '2.0.0' },
  ])('that stops after $after commits leaves $versions, all whole, and $active active', async (stop) => {
    const { after, versions, active } = stop
    const dataDir = await temporaryFolder()
    await stoppedIngest(dataDir, TEN)
    await stoppedIngest(dataDir, SMALL, { version: '2.0.0', after })
    const folder = new ReleaseFolder(dataDir)
    expect([...(await folder.versions())].sort()).toStrictEqual(versions)
    expect(await folder.active()).toBe(active)
    for (const version of versions) {
      const release = await openVersion(dataDir, version)
      expect(release?.subjects.size).toBe(release?.manifest.counts.subjects)
    }
  })

  it('that stops while it replaces a release leaves the old or the new one, and the next one removes its traces', async () => {
    const dataDir = await temporaryFolder()
    await stoppedIngest(dataDir, TEN)
    const before = await openVersion(dataDir, '1.0.0')
    for (const after of [0, 1]) {
      await stoppedIngest(dataDir, SMALL, { after })
      const release = await openVersion(dataDir, '1.0.0')
      expect(release?.manifest).toStrictEqual(before?.manifest)
    }
    await stoppedIngest(dataDir, SMALL, { after: 2 })
    const replaced = await openVersion(dataDir, '1.0.0')
    expect(replaced?.manifest.sha256).not.toBe(before?.manifest.sha256)
    await stoppedIngest(dataDir, TEN)
    expect(await readdir(join(dataDir, 'ontology', 'releases', '1.0.0'))).toHaveLength(2)
    expect((await readdir(join(dataDir, 'ontology'))).sort()).toEqual(['active', 'releases'])
  })
})
