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
      ...{ key: key * 16 + 1, owner: 2, severity: 1, fold: 7 },
      sections: [{ field: 'title', words: text.split(' '), compounds: [] }],
    })
  return builder.build()
}

describe('The file of an index', () => {
  it('has all of it, and what was said of it', async () => {
    const file = join(await temporaryFolder(), 'index')
    const segments = [segmentOf('lock the door', 'open'), segmentOf(), segmentOf('ñandú 鎖')]
    await writeDump(file, { about: { position: 3 }, segments })
    const dump = await readDump(file)
    expect(dump?.about).toEqual({ position: 3 })
    expect(dump?.segments).toEqual(segments)
    const [first] = dump?.segments ?? []
    expect(
      first && Array.from(hitsOf(first, { words: ['the', 'door'], prefix: false }).records),
    ).toEqual([0])
  })

  it('gives each segment bytes of its own, which go when it goes', async () => {
    const file = join(await temporaryFolder(), 'index')
    const small = segmentOf('open')
    await writeDump(file, {
      about: null,
      segments: [segmentOf('lock the door '.repeat(500)), small],
    })
    const [, read] = (await readDump(file))?.segments ?? []
    expect(read).toEqual(small)
    expect(read?.texts.buffer.byteLength).toBeLessThan(1000)
  })

  it('is none where there is no file, or where any of its bytes is not as it was', async () => {
    const file = join(await temporaryFolder(), 'index')
    expect(await readDump(file)).toBeNull()
    await writeDump(file, { about: null, segments: [segmentOf('lock the door')] })
    const whole = await readFile(file)
    for (let at = 0; at < whole.length; at += 7) {
      const torn = Buffer.from(whole)
      torn[at] = (torn[at] ?? 0) ^ 1
      await writeFile(file, torn)
      expect(await readDump(file).catch(() => null), `byte ${at}`).toBeNull()
    }
    await writeFile(file, whole.subarray(0, whole.length - 5))
    expect(await readDump(file)).toBeNull()
    await writeFile(file, '')
    expect(await readDump(file)).toBeNull()
  })
})
