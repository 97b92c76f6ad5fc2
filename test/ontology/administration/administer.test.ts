import { createHash } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { activateRelease, removeRelease, rollbackRelease } from '../../../src/ontology/administration/administer.ts'
import { ReleaseFolder } from '../../../src/ontology/release/folder.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'
import { manifestOf } from '../../support/release.ts'

const nothing = (): Promise<void> => Promise.resolve()

async function folderWith(...versions: readonly string[]) {
  const dataDir = await temporaryFolder()
  const folder = new ReleaseFolder(dataDir)
  for (const version of versions) {
    const nquads = `<a:s> <a:p> "${version}" .\n`
    const sha256 = createHash('sha256').update(nquads).digest('hex')
    await folder.write(manifestOf({ version, sha256, graphFile: 'graph.nq' }), nquads)
    await folder.activate(version)
  }
  return { folder, home: (version: string) => join(dataDir, 'ontology', 'releases', version) }
}

describe('activateRelease', () => {
  it('serves a release and returns the one before it', async () => {
    const { folder } = await folderWith('1.0.0', '2.0.0')
    expect(await activateRelease(folder, '1.0.0', nothing)).toEqual({ from: '2.0.0', to: '1.0.0' })
    expect(await folder.active()).toBe('1.0.0')
  })

  it('refuses an unknown version and suggests similar ones', async () => {
    const { folder } = await folderWith('1.0.0', '2.0.0')
    const refusal = await refusalOf(() => activateRelease(folder, 'v1.0.1', nothing))
    expect(refusal).toMatchObject({ code: 'release_not_found' })
    expect(refusal.members).toEqual({ did_you_mean: ['1.0.0'] })
  })

  it('refuses a release whose graph is damaged', async () => {
    const { folder, home } = await folderWith('1.0.0', '2.0.0')
    await writeFile(join(home('1.0.0'), 'graph.nq'), 'damaged')
    const refusal = await refusalOf(() => activateRelease(folder, '1.0.0', nothing))
    expect(refusal.code).toBe('folder_unusable')
    expect(await folder.active()).toBe('2.0.0')
  })

  it('changes nothing if the preceding step fails', async () => {
    const { folder } = await folderWith('1.0.0', '2.0.0')
    const fail = (): Promise<never> => Promise.reject(new Error('no audit'))
    await expect(activateRelease(folder, '1.0.0', fail)).rejects.toThrow('no audit')
    expect(await folder.active()).toBe('2.0.0')
  })

  it('runs concurrent activations one at a time', async () => {
    const { folder } = await folderWith('1.0.0', '2.0.0')
    const versions = Array.from({ length: 10 }, (_, index) => `${(index % 2) + 1}.0.0`)
    const changes = await Promise.all(versions.map((version) => activateRelease(folder, version, nothing)))
    expect(changes.map(({ to }) => to)).toEqual(versions)
  })
})

describe('rollbackRelease', () => {
  it('rolls back one release at a time, and refuses at the first one', async () => {
    const { folder } = await folderWith('1.0.0', '2.0.0', '3.0.0')
    expect(await rollbackRelease(folder, nothing)).toEqual({ from: '3.0.0', to: '2.0.0' })
    expect(await rollbackRelease(folder, nothing)).toEqual({ from: '2.0.0', to: '1.0.0' })
    const refusal = await refusalOf(() => rollbackRelease(folder, nothing))
    expect(refusal.code).toBe('no_earlier_release')
    expect(await folder.active()).toBe('1.0.0')
  })

  it('skips releases that are removed or damaged', async () => {
    const { folder, home } = await folderWith('1.0.0', '2.0.0', '3.0.0', '4.0.0')
    await removeRelease(folder, '3.0.0', nothing)
    await writeFile(join(home('2.0.0'), 'graph.nq'), 'damaged')
    expect(await rollbackRelease(folder, nothing)).toEqual({ from: '4.0.0', to: '1.0.0' })
  })

  it('is complete or without effect wherever it is interrupted', async () => {
    const { folder } = await folderWith('1.0.0', '2.0.0', '3.0.0')
    const dataDir = join(folder.root, '..')
    const cut = new ReleaseFolder(dataDir, (name) => {
      if (name === 'history.json') throw new Error('cut off')
    })
    await expect(rollbackRelease(cut, nothing)).rejects.toThrow('cut off')
    expect(await folder.active()).toBe('2.0.0')
    expect(await rollbackRelease(folder, nothing)).toEqual({ from: '2.0.0', to: '1.0.0' })
  })
})

describe('Without the file that names the active release', () => {
  const without = async (...versions: readonly string[]) => {
    const { folder } = await folderWith(...versions)
    await rm(join(folder.root, 'active'))
    return folder
  }

  it('a rollback serves the last served release, then earlier ones', async () => {
    const folder = await without('1.0.0', '2.0.0', '3.0.0')
    expect(await rollbackRelease(folder, nothing)).toEqual({ from: null, to: '3.0.0' })
    expect(await rollbackRelease(folder, nothing)).toEqual({ from: '3.0.0', to: '2.0.0' })
  })

  it('another release can be activated', async () => {
    const folder = await without('1.0.0', '2.0.0')
    await activateRelease(folder, '1.0.0', nothing)
    expect(await rollbackRelease(folder, nothing)).toEqual({ from: '1.0.0', to: '2.0.0' })
  })

  it('the release that was served is activated again with its history', async () => {
    const folder = await without('1.0.0', '2.0.0')
    await activateRelease(folder, '2.0.0', nothing)
    expect(await rollbackRelease(folder, nothing)).toEqual({ from: '2.0.0', to: '1.0.0' })
  })

  it('a rollback of the only release is refused with the remedy', async () => {
    const folder = await without('1.0.0')
    const { code, message } = await refusalOf(() => rollbackRelease(folder, nothing))
    expect(code).toBe('no_earlier_release')
    expect(message).toContain('ontology/active of the data folder is missing. There are: 1.0.0.')
    expect(message).toContain('releases -- activate VERSION')
  })

  it('a folder without releases has no active one', async () => {
    const folder = new ReleaseFolder(await temporaryFolder())
    const { message } = await refusalOf(() => rollbackRelease(folder, nothing))
    expect(message).toBe('Nothing has been ingested yet.')
  })
})

describe('removeRelease', () => {
  it('removes a release with its files, also one whose manifest is damaged', async () => {
    const { folder, home } = await folderWith('1.0.0', '2.0.0')
    await writeFile(join(home('1.0.0'), 'manifest.json'), '{')
    await removeRelease(folder, '1.0.0', nothing)
    expect(await folder.versions()).toEqual(['2.0.0'])
    expect(await readdir(join(folder.root, 'releases'))).toEqual(['2.0.0'])
  })

  it.each([
    ['2.0.0', 'release_is_active'],
    ['3.0.0', 'release_not_found'],
    ['../releases', 'release_not_found'],
  ])('refuses %s as %s', async (version, code) => {
    const { folder } = await folderWith('1.0.0', '2.0.0')
    const refusal = await refusalOf(() => removeRelease(folder, version, nothing))
    expect(refusal.code).toBe(code)
    expect(await folder.versions()).toHaveLength(2)
  })
})
