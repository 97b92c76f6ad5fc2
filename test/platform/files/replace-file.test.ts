// @module-tag node

import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceFile, replaceFileSync } from '../../../src/platform/files/replace-file.ts'
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

  it('is the old one while the new one is written in one go', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'answer.json')
    await writeFile(file, 'old')
    const seen: string[] = []
    replaceFileSync(
      file,
      (function* () {
        yield Buffer.from('ne')
        seen.push(readFileSync(file, 'utf8'))
        yield Buffer.from('w')
      })(),
    )
    expect(seen).toEqual(['old'])
    expect(await readFile(file, 'utf8')).toBe('new')
    expect(await readdir(folder)).toEqual(['answer.json'])
  })

  it('stays the old one, alone, when the text of the new one cannot be made', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'answer.json')
    await writeFile(file, 'old')
    function* chunks(): Generator<Buffer> {
      yield Buffer.from('half')
      throw new Error('out of ink')
    }
    expect(() => {
      replaceFileSync(file, chunks())
    }).toThrow('out of ink')
    expect(await readFile(file, 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['answer.json'])
  })
})
