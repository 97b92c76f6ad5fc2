// @module-tag node

import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readIfThere, writeDurably } from '../../../src/platform/files/durable.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'
import { syncedDuring } from '../../support/synced.ts'

const NAME = 'state.json'

describe('A durable write', () => {
  it('makes the folder, and waits for the disk to have first the file and then its name', async () => {
    const folder = join(await temporaryFolder(), 'sync')
    const synced = await syncedDuring(() => writeDurably(folder, NAME, 'new'))
    const { ino } = await stat(join(folder, NAME))
    expect(synced.map((entry) => entry.ino)).toEqual([ino, (await stat(folder)).ino])
    expect(await readFile(join(folder, NAME), 'utf8')).toBe('new')
    expect(await readdir(folder)).toEqual([NAME])
  })

  it('that cannot replace the existing file leaves no draft', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, NAME))
    await expect(writeDurably(folder, NAME, 'new')).rejects.toMatchObject({ code: 'EISDIR' })
    expect(await readdir(folder)).toEqual([NAME])
  })

  it.runIf(process.platform === 'linux')('on a full disk leaves no draft, and the old file unchanged', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, NAME), 'old')
    // The draft is a link to a device that is always full.
    await symlink('/dev/full', join(folder, `.${NAME}.${process.pid}.tmp`))
    await expect(writeDurably(folder, NAME, 'new')).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await readdir(folder)).toEqual([NAME])
    expect(await readFile(join(folder, NAME), 'utf8')).toBe('old')
    await writeDurably(folder, NAME, 'new')
    expect(await readFile(join(folder, NAME), 'utf8')).toBe('new')
  })
})

describe('A file that may be there', () => {
  it('is null if it does not exist, and refused if it cannot be read', async () => {
    const folder = await temporaryFolder()
    expect(await readIfThere(join(folder, NAME))).toBeNull()
    const { code, message } = await refusalOf(() => readIfThere(folder))
    expect(code).toBe('folder_unusable')
    expect(message).toMatch(/^SERVICE_DATA_DIR cannot be used: EISDIR/)
  })
})
