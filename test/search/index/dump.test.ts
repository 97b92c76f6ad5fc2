import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDump, writeDump } from '../../../src/search/index/dump.ts'
import { hitsOf } from '../../../src/search/index/hits.ts'
import { SegmentBuilder } from '../../../src/search/index/segment-builder.ts'
import { temporaryFolder } from '../../support/folder.ts'

function segmentOf(...texts: readonly string[]): ReturnType<SegmentBuilder['build']> {
  const builder = new SegmentBuilder()
  for (const [key, text] of texts.entries())
    builder.add({
      key: key * 16 + 1,
      owner: 2,
      severity: 1,
      fold: 7,
      sections: [{ field: 'title', words: text.split(' '), compounds: [] }],
    })
  return builder.build()
}

describe('The file of an index', () => {
  it('has the whole index and its metadata', async () => {
    const file = join(await temporaryFolder(), 'index')
    const segments = [segmentOf('lock the door', 'open'), segmentOf(), segmentOf('ñandú 鎖')]
    await writeDump(file, { about: { position: 3 }, segments })
    const { dump, damage } = await readDump(file)
    expect(damage).toBeNull()
    expect(dump?.about).toEqual({ position: 3 })
    expect(dump?.segments).toEqual(segments)
    const [first] = dump?.segments ?? []
    expect(first && Array.from(hitsOf(first, { words: ['the', 'door'], prefix: false }).records)).toEqual([0])
  })

  it('gives each segment its own memory, freed with it', async () => {
    const file = join(await temporaryFolder(), 'index')
    const small = segmentOf('open')
    await writeDump(file, { about: null, segments: [segmentOf('lock the door '.repeat(500)), small] })
    const [, read] = (await readDump(file)).dump?.segments ?? []
    expect(read).toEqual(small)
    expect(read?.texts.buffer.byteLength).toBeLessThan(1000)
  })

  it('is absent if there is no file', async () => {
    const file = join(await temporaryFolder(), 'index')
    expect(await readDump(file)).toEqual({ dump: null, damage: null })
  })

  it('is damaged if any byte has changed or cannot be read', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'index')
    await writeDump(file, { about: null, segments: [segmentOf('lock the door')] })
    const whole = await readFile(file)
    const damaged = { dump: null, damage: 'The digest in the file is not that of its content.' }
    for (let position = 0; position < whole.length; position += 7) {
      const torn = Buffer.from(whole)
      torn[position] = (torn[position] ?? 0) ^ 1
      await writeFile(file, torn)
      expect(await readDump(file), `byte ${position}`).toEqual(damaged)
    }
    await writeFile(file, whole.subarray(0, whole.length - 5))
    expect(await readDump(file)).toEqual(damaged)
    await writeFile(file, '')
    expect(await readDump(file)).toEqual(damaged)
    const { dump, damage } = await readDump(folder)
    expect([dump, damage]).toEqual([null, expect.stringContaining('EISDIR')])
  })

  it('is absent, not damaged, if another version of the program wrote it', async () => {
    const file = join(await temporaryFolder(), 'index')
    const content = '{"format":"parapet-search-1","segments":[]}\n'
    const digest = createHash('sha256').update(content).digest('hex')
    await writeFile(file, `${digest}${content}`)
    expect(await readDump(file)).toEqual({ dump: null, damage: null })
  })
})
