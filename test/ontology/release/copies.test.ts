import { text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { openReleases } from '../../../src/ontology/release/copies.ts'
import { ReleaseFolder } from '../../../src/ontology/release/folder.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { ingestInto } from '../../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const RELEASED = { date: '2026-01-01' }

describe('The releases in a backup', () => {
  it('are from one moment, during activations and removals', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], { version: '1.0.0', ...RELEASED })
    await ingestInto(dataDir, [SMALL], { version: '2.0.0', ...RELEASED })
    const folder = new ReleaseFolder(dataDir)
    await folder.activate('1.0.0')
    const list = vi.spyOn(folder, 'versions').mockImplementationOnce(async () => {
      await folder.activate('2.0.0')
      await folder.remove('1.0.0')
      return folder.versions()
    })
    const opened = await openReleases(folder)
    expect(list).toHaveBeenCalledTimes(3)
    expect(opened).toMatchObject({ active: '2.0.0', leftOut: [] })
    expect(opened.releases.map(({ version }) => version)).toEqual(['2.0.0'])
    expect(opened.history).toContain('"2.0.0"')
    await Promise.all(opened.releases.map(({ close }) => close()))
  })

  it('are complete if one is removed meanwhile', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], { version: '1.0.0', ...RELEASED })
    const folder = new ReleaseFolder(dataDir)
    const { releases } = await openReleases(folder)
    await folder.remove('1.0.0')
    const [release] = releases
    const written = release === undefined ? '' : await text(release.graph())
    expect(written).toContain('<')
    await release?.close()
  })

  it('are taken during continuous activations', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL], { version: '1.0.0', ...RELEASED })
    await ingestInto(dataDir, [SMALL], { version: '2.0.0', ...RELEASED })
    const folder = new ReleaseFolder(dataDir)
    const versions = folder.versions.bind(folder)
    vi.spyOn(folder, 'versions').mockImplementation(async () => {
      await folder.activate((await folder.active()) === '1.0.0' ? '2.0.0' : '1.0.0')
      return versions()
    })
    const { active, releases } = await openReleases(folder)
    expect(active).not.toBeNull()
    expect(releases).toHaveLength(2)
    await Promise.all(releases.map(({ close }) => close()))
  })
})
