// @module-tag node

import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { expandSources, readDocument, type SourceDocument } from '../../../src/ontology/ingest/read.ts'
import type { Refusal } from '../../../src/platform/errors.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'

const LIMITS = { maxBytes: 1024 * 1024, timeoutMs: 2000 }
const TURTLE = '<a:s> <a:p> "o" .\n'

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

async function read(name: string): Promise<SourceDocument> {
  return readDocument(name, LIMITS, () => undefined)
}

function rejected(name: string): Promise<Refusal> {
  return refusalOf(() => read(name))
}

/** Writes a file into a folder of its own and returns its path. */
async function fileOf(content: string | Uint8Array, name = 'onto.ttl'): Promise<string> {
  const file = join(await temporaryFolder(), name)
  await writeFile(file, content)
  return file
}

describe('readDocument of a file', () => {
  it('has the content, its digest and its size', async () => {
    const file = await fileOf(TURTLE)
    const document = await read(file)
    expect(Buffer.from(document.content).toString()).toBe(TURTLE)
    expect(document).toMatchObject({ name: file, sha256: sha256(TURTLE), bytes: TURTLE.length })
  })

  it('reports how much of the file has been read', async () => {
    const content = Buffer.alloc(200_000, '#')
    const file = await fileOf(content)
    const reports: (readonly [string, number, number | undefined])[] = []
    await readDocument(file, LIMITS, (...report) => reports.push(report))
    expect(reports.length).toBeGreaterThan(1)
    expect(reports.at(-1)).toStrictEqual([file, content.length, content.length])
  })

  it('accepts an empty file', async () => {
    expect((await read(await fileOf(''))).bytes).toBe(0)
  })

  it('accepts a file that is exactly as large as the limit', async () => {
    const document = await read(await fileOf(Buffer.alloc(LIMITS.maxBytes, '#')))
    expect(document.bytes).toBe(LIMITS.maxBytes)
  })

  it('refuses a file that is one byte larger than the limit, naming limit and option', async () => {
    const refusal = await rejected(await fileOf(Buffer.alloc(LIMITS.maxBytes + 1, '#')))
    expect(refusal.code).toBe('source_too_large')
    expect(refusal.message).toContain('larger than 1 MiB (--max-mb)')
  })

  it('refuses a file that does not exist, and a folder', async () => {
    const folder = await temporaryFolder()
    const missing = await rejected(join(folder, 'none.ttl'))
    expect(missing.code).toBe('source_not_found')
    expect(missing.message).toContain('none.ttl: there is no such file')
    const directory = await rejected(folder)
    expect(directory.code).toBe('source_not_found')
    expect(directory.message).toContain('is a folder')
  })
})

describe('readDocument of gzip', () => {
  it('unpacks, with the digest of the bytes as they came', async () => {
    const packed = gzipSync(TURTLE)
    const document = await read(await fileOf(packed, 'onto.ttl.gz'))
    expect(Buffer.from(document.content).toString()).toBe(TURTLE)
    expect(document).toMatchObject({ sha256: sha256(packed), bytes: packed.length })
  })

  it('looks at the content, not at the name', async () => {
    const document = await read(await fileOf(gzipSync(TURTLE), 'onto.ttl'))
    expect(Buffer.from(document.content).toString()).toBe(TURTLE)
  })

  it('refuses a bomb: small packed, larger than the limit unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(LIMITS.maxBytes * 8))
    expect(bomb.length).toBeLessThan(LIMITS.maxBytes / 10)
    const refusal = await rejected(await fileOf(bomb, 'bomb.ttl.gz'))
    expect(refusal.code).toBe('source_too_large')
    expect(refusal.message).toContain('bomb.ttl.gz (unpacked)')
  })

  it.each([
    ['breaks off', gzipSync(TURTLE.repeat(50)).subarray(0, 40)],
    ['has a flipped bit', flipped(gzipSync(TURTLE.repeat(50)), 20)],
    ['is only a signature', Buffer.from([0x1f, 0x8b])],
  ])('refuses an archive that %s', async (_, content) => {
    const refusal = await rejected(await fileOf(content, 'onto.ttl.gz'))
    expect(refusal.code).toBe('source_syntax')
    expect(refusal.message).toContain('damaged gzip')
  })
})

describe('expandSources', () => {
  it('expands globs in order of name and leaves other names alone', async () => {
    const folder = await temporaryFolder()
    for (const name of ['b.ttl', 'a.ttl', 'c.rdf']) await writeFile(join(folder, name), '')
    const given = ['-', 'http://example.org/*.ttl', join(folder, '*.ttl'), 'plain.ttl']
    const [standardInput, url, a, b, plain, ...rest] = await expandSources(given)
    expect([standardInput, url, plain, ...rest]).toStrictEqual([given[0], given[1], given[3]])
    expect([a, b].map((file) => resolve(file ?? ''))).toStrictEqual([join(folder, 'a.ttl'), join(folder, 'b.ttl')])
  })

  it('does not walk into folders that a pattern names', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'deep'))
    await writeFile(join(folder, 'deep', 'a.ttl'), '')
    const refusal = await refusalOf(() => expandSources([join(folder, '*')]))
    expect(refusal.code).toBe('source_not_found')
  })

  it('refuses a pattern that no file matches, naming it', async () => {
    const pattern = join(await temporaryFolder(), '*.ttl')
    const refusal = await refusalOf(() => expandSources([pattern]))
    expect(refusal.code).toBe('source_not_found')
    expect(refusal.message).toContain(pattern)
  })

  it.each(['onto (1).ttl', 'onto [2026].ttl', 'what?.ttl'])(
    'takes "%s" for the file that has this name',
    async (name) => {
      const file = await fileOf(TURTLE, name)
      expect((await expandSources([file])).map((name) => resolve(name))).toStrictEqual([file])
    },
  )
})

function flipped(content: Buffer, index: number): Buffer {
  const copy = Buffer.from(content)
  copy.writeUInt8(copy.readUInt8(index) ^ 0xff, index)
  return copy
}
