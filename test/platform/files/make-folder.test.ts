// @module-tag node

import { readFileSync } from 'node:fs'
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { glob } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { makeDataFolder, makeFolder, PRIVATE_MODE } from '../../../src/platform/files/make-folder.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'

describe('A folder', () => {
  it('is created with its parents, and stays unchanged if it exists', async () => {
    const folder = join(await temporaryFolder(), 'a', 'b', 'c')
    makeFolder(folder, PRIVATE_MODE)
    await writeFile(join(folder, 'file'), 'kept')
    makeFolder(folder, PRIVATE_MODE)
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('kept')
    for (const path of [folder, join(folder, '..')]) expect((await stat(path)).mode & 0o777).toBe(PRIVATE_MODE)
  })

  it('is made where a link to a folder leads', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'real'))
    await symlink(join(folder, 'real'), join(folder, 'link'))
    makeFolder(join(folder, 'link'))
    makeFolder(join(folder, 'link', 'sub'))
    expect((await stat(join(folder, 'real', 'sub'))).isDirectory()).toBe(true)
  })

  it.each([
    ['file', /^EEXIST/],
    ['file/below', /^ENOTDIR/],
    ['nowhere', /^EEXIST/],
  ])('is not created at or below a path that is not a folder: %s', async (name, message) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'file'), '')
    await symlink(join(folder, 'not-there'), join(folder, 'nowhere'))
    expect(() => {
      makeFolder(join(folder, name))
    }).toThrow(message)
    const { code, message: said } = await refusalOf(() => {
      makeDataFolder(join(folder, name))
    })
    expect([code, said]).toEqual(['folder_unusable', expect.stringMatching(/^SERVICE_DATA_DIR /)])
  })

  it('is made by this function everywhere, because the recursive one may never return', async () => {
    const sources = await glob('src/**/*.ts', { ignore: 'src/web/application/**' })
    const recursive = sources.filter((file) => /\bmkdir(?:Sync)?\([^\n]*recursive/.test(readFileSync(file, 'utf8')))
    expect(sources.length).toBeGreaterThan(500)
    expect(recursive).toEqual([])
  })
})
