// @module-tag node

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceFile } from '../../../src/platform/files/replace-file.ts'
import { temporaryFolder } from '../../support/folder.ts'

describe('A file that is replaced', () => {
  it('is the old one until the new one is whole', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'answer.json')
    await writeFile(file, 'old')
    await replaceFile(file, async (draft) => {
      await writeFile(draft, 'half')
      expect(await readFile(file, 'utf8')).toBe('old')
      await writeFile(draft, 'new')
    })
    expect(await readFile(file, 'utf8')).toBe('new')
    expect(await readdir(folder)).toEqual(['answer.json'])
  })

  it('stays the old one, alone, when the new one cannot be written', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'answer.json')
    await writeFile(file, 'old')
    const replacing = replaceFile(file, async (draft) => {
      await writeFile(draft, 'half')
      throw new Error('out of ink')
    })
    await expect(replacing).rejects.toThrow('out of ink')
    expect(await readFile(file, 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['answer.json'])
  })
})
