import { randomBytes } from 'node:crypto'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DerivedFiles } from '../../../src/ontology/derived/derived-files.ts'
import { temporaryFolder } from '../../support/folder.ts'

const A = { kind: 'changes', inputs: ['a'] } as const
const B = { kind: 'changes', inputs: ['b'] } as const
const C = { kind: 'changes', inputs: ['c'] } as const

describe('Files that are derived from releases', () => {
  it('are found by all of their inputs', async () => {
    const files = new DerivedFiles(await temporaryFolder())
    await files.write(A, 'text of a')
    expect(await files.read(A)).toBe('text of a')
    expect(await files.read({ kind: 'hashes', inputs: ['a'] })).toBeNull()
    expect(await files.read({ kind: 'changes', inputs: ['a', 'b'] })).toBeNull()
  })

  it('count as missing if they are damaged or cut off', async () => {
    const root = await temporaryFolder()
    const files = new DerivedFiles(root)
    await files.write(A, 'x'.repeat(10_000))
    const [name = ''] = await readdir(join(root, 'derived'))
    const file = join(root, 'derived', name)
    const whole = await readFile(file)
    const turned = Buffer.from(whole)
    turned[20] = (turned[20] ?? 0) ^ 0xff
    for (const damaged of [turned, whole.subarray(0, -4), Buffer.alloc(0)]) {
      await writeFile(file, damaged)
      expect(await files.read(A)).toBeNull()
    }
    await files.write(A, 'again')
    expect(await files.read(A)).toBe('again')
  })

  it('stay within their limit: the least recently used go first, with old drafts', async () => {
    const root = await temporaryFolder()
    const files = new DerivedFiles(root, 20_000)
    const text = (): string => randomBytes(7000).toString('hex')
    const [ofA, ofB] = [text(), text()]
    await files.write(A, ofA)
    await files.write(B, ofB)
    const home = join(root, 'derived')
    await writeFile(join(home, '.x.tmp'), 'left by a killed process')
    for (const name of await readdir(home)) await utimes(join(home, name), 1000, 1000)
    expect(await files.read(A)).toBe(ofA)
    await files.write(C, text())
    expect((await files.read(B)) === null).toBe(true)
    expect((await files.read(A)) === ofA).toBe(true)
    expect(await readdir(home)).toHaveLength(2)
    const large = { kind: 'hashes', inputs: [] } as const
    await files.write(large, randomBytes(60_000).toString('hex'))
    expect(await files.read(large)).toBeNull()
    expect(await files.read(A)).toBe(ofA)
  })

  it('are refused if their folder is not a folder', async () => {
    const root = join(await temporaryFolder(), 'file')
    await writeFile(root, '')
    const files = new DerivedFiles(root)
    expect(await files.read(A)).toBeNull()
    await expect(files.write(A, 'x')).rejects.toThrow()
  })
})
