// @module-tag node

import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ReleaseFolder } from '../../../src/ontology/release/folder.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'
import { manifestOf } from '../../support/release.ts'
import { syncedDuring } from '../../support/synced.ts'

const FIRST = manifestOf({ version: '1.0.0', sha256: 'a'.repeat(64), graphFile: 'aaaa.nq' })
const SECOND = manifestOf({ version: '1.0.0', sha256: 'b'.repeat(64), graphFile: 'bbbb.nq' })
const NQUADS = '<a:s> <a:p> <a:o> .\n'

/** A folder of its own for each test: the release folder and where its files lie. */
async function newFolder(): Promise<{ folder: ReleaseFolder; root: string; releases: string }> {
  const dataDir = await temporaryFolder()
  const root = join(dataDir, 'ontology')
  return { folder: new ReleaseFolder(dataDir), root, releases: join(root, 'releases') }
}

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

describe('ReleaseFolder', () => {
  it('is empty at first', async () => {
    const { folder } = await newFolder()
    expect(await folder.active()).toBeNull()
    expect(await folder.versions()).toStrictEqual([])
    expect(await folder.manifest('1.0.0')).toBeNull()
  })

  it('returns the stored release', async () => {
    const { folder, releases } = await newFolder()
    await folder.write(FIRST, NQUADS)
    expect(await folder.versions()).toStrictEqual(['1.0.0'])
    expect(await folder.manifest('1.0.0')).toStrictEqual(FIRST)
    expect(await folder.graph(FIRST)).toBe(NQUADS)
    expect((await readdir(join(releases, '1.0.0'))).sort()).toStrictEqual(['aaaa.nq', 'manifest.json'])
  })

  it('does not serve a release until it is activated', async () => {
    const { folder } = await newFolder()
    await folder.write(FIRST, NQUADS)
    expect(await folder.active()).toBeNull()
    await folder.activate('1.0.0')
    expect(await folder.active()).toBe('1.0.0')
    await folder.activate('2.0.0')
    expect(await folder.active()).toBe('2.0.0')
  })

  it('keeps several versions apart', async () => {
    const { folder } = await newFolder()
    const other = manifestOf({ version: '2.0.0-beta.1', graphFile: 'cccc.nq' })
    await folder.write(FIRST, NQUADS)
    await folder.write(other, '<a:s> <a:p> "other" .\n')
    expect([...(await folder.versions())].sort()).toStrictEqual(['1.0.0', '2.0.0-beta.1'])
    expect(await folder.graph(FIRST)).toBe(NQUADS)
  })

  it('replaces a release and removes what it no longer needs', async () => {
    const { folder, releases } = await newFolder()
    await folder.write(FIRST, NQUADS)
    await folder.write(SECOND, '<a:s> <a:p> "new" .\n')
    expect(await folder.manifest('1.0.0')).toStrictEqual(SECOND)
    expect(await folder.graph(SECOND)).toBe('<a:s> <a:p> "new" .\n')
    expect((await readdir(join(releases, '1.0.0'))).sort()).toStrictEqual(['bbbb.nq', 'manifest.json'])
  })
})

describe('ReleaseFolder after a crash', () => {
  it('has the stored release: each file and its name are synced before the next one', async () => {
    const { folder, releases } = await newFolder()
    const synced = await syncedDuring(() => folder.write(FIRST, NQUADS))
    const home = join(releases, '1.0.0')
    const order = ['aaaa.nq', '.', 'manifest.json', '.'].map((name) => stat(join(home, name)))
    const inodes = (await Promise.all(order)).map(({ ino }) => ino)
    expect(synced.map(({ ino }) => ino)).toEqual(inodes)
  })

  it('does not count a folder without a manifest', async () => {
    const { folder, releases } = await newFolder()
    await mkdir(join(releases, '1.0.0'), { recursive: true })
    await writeFile(join(releases, '1.0.0', 'aaaa.nq'), NQUADS)
    expect(await folder.manifest('1.0.0')).toBeNull()
    expect(await folder.versions()).toStrictEqual([])
  })

  it('does not count the draft of a manifest, and clears it away with the next write', async () => {
    const { folder, releases } = await newFolder()
    const home = join(releases, '1.0.0')
    await mkdir(home, { recursive: true })
    await writeFile(join(home, '.manifest.json.1.tmp'), JSON.stringify(FIRST))
    expect(await folder.manifest('1.0.0')).toBeNull()
    await folder.write(FIRST, NQUADS)
    expect((await readdir(home)).sort()).toStrictEqual(['aaaa.nq', 'manifest.json'])
  })

  it.skipIf(process.platform !== 'linux')('leaves no files of a release for which there was no space', async () => {
    const { folder, releases } = await newFolder()
    const home = join(releases, '1.0.0')
    await mkdir(home, { recursive: true })
    await symlink('/dev/full', join(home, `.manifest.json.${process.pid}.tmp`))
    await expect(folder.write(FIRST, NQUADS)).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await readdir(releases)).toEqual([])
  })

  it('has the old release if a replacement stopped before its manifest', async () => {
    const { folder, releases } = await newFolder()
    await folder.write(FIRST, NQUADS)
    await writeFile(join(releases, '1.0.0', 'bbbb.nq'), 'half')
    await writeFile(join(releases, '1.0.0', '.manifest.json.1.tmp'), 'ha')
    expect(await folder.manifest('1.0.0')).toStrictEqual(FIRST)
    expect(await folder.graph(FIRST)).toBe(NQUADS)
  })
})

describe('ReleaseFolder.manifest', () => {
  it.each(['..', '.', '', '.hidden', '../1.0.0', 'a/b', 'a\\b', 'a b', 'x'.repeat(65)])(
    'treats %j as no version',
    async (version) => {
      const { folder, root } = await newFolder()
      await mkdir(join(root, 'releases'), { recursive: true })
      await writeFile(join(root, 'manifest.json'), JSON.stringify(FIRST))
      await writeFile(join(root, 'releases', 'manifest.json'), JSON.stringify(FIRST))
      expect(await folder.manifest(version)).toBeNull()
    },
  )

  it('throws for a damaged manifest', async () => {
    const { folder, releases } = await newFolder()
    await folder.write(FIRST, NQUADS)
    await writeFile(join(releases, '1.0.0', 'manifest.json'), '{}')
    await expect(folder.manifest('1.0.0')).rejects.toThrow('sha256')
    await writeFile(join(releases, '1.0.0', 'manifest.json'), 'null')
    await expect(folder.manifest('1.0.0')).rejects.toThrow('manifest.json: Invalid input')
  })

  it('ignores a file among the releases', async () => {
    const { folder, releases } = await newFolder()
    await folder.write(FIRST, NQUADS)
    await writeFile(join(releases, 'notes.txt'), 'remember the milk')
    expect(await folder.versions()).toStrictEqual(['1.0.0'])
  })
})

describe('ReleaseFolder.exclusively', () => {
  it('returns the result of the task and leaves no lock', async () => {
    const { folder, root } = await newFolder()
    const seen = await folder.exclusively(() => readFile(join(root, '.lock'), 'utf8'))
    expect(seen).toBe(`${process.pid} ${hostname()}`)
    expect(await readdir(root)).toStrictEqual([])
  })

  it('leaves no lock when the task fails', async () => {
    const { folder, root } = await newFolder()
    const fail = (): Promise<never> => Promise.reject(new Error('out of paper'))
    await expect(folder.exclusively(fail)).rejects.toThrow('out of paper')
    expect(await readdir(root)).toStrictEqual([])
  })

  it('refuses while another process that runs holds the lock', async () => {
    const { folder, root } = await newFolder()
    await mkdir(root, { recursive: true })
    await writeFile(join(root, '.lock'), String(process.ppid))
    const refusal = await refusalOf(() => folder.exclusively(() => Promise.resolve('done')))
    expect(refusal.code).toBe('folder_unusable')
    expect(refusal.message).toContain('Another process')
    expect(await readFile(join(root, '.lock'), 'utf8')).toBe(String(process.ppid))
  })

  it.each([
    ['whose owner is gone', deadPid().toString()],
    ['without a readable owner', 'nobody'],
    ['that was left empty', ''],
  ])('ignores a lock %s', async (_, owner) => {
    const { folder, root } = await newFolder()
    await mkdir(root, { recursive: true })
    await writeFile(join(root, '.lock'), owner)
    expect(await folder.exclusively(() => Promise.resolve('done'))).toBe('done')
  })
})
