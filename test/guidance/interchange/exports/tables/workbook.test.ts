import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import readExcel from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { workbookOf } from '../../../../../src/guidance/interchange/exports/tables/workbook.ts'
import type { SheetRow } from '../../../../../src/guidance/interchange/spreadsheets/reading/row.ts'
import { readSheets } from '../../../../../src/guidance/interchange/spreadsheets/reading/sheet.ts'
import { escapeText } from '../../../../../src/platform/xml.ts'
import { temporaryFolder } from '../../../../support/folder.ts'

const TEXTS = [
  '_x0041_',
  'a _x000D_ b',
  '_x005F_x0041_',
  '_x0041_x0042_',
  '_X0041_',
  '_x41_',
  '__x0041__',
  '\ttab\tand\ttab',
  'line\nline\n',
  'line\r\nline\rline',
  '  blanks around  ',
  '\n',
  'del \x7f',
  'teapot 🫖 \u{1f3fd}',
  '\u0085 next line \u2028',
  '\ue000 \u{10ffff} \u{1fffe}',
  '<a & "b">',
  "'=1+1",
  '=1+1',
  '-1',
]

/** Characters that earlier versions stored, and their replacement in a workbook. */
const ONCE_STORED: readonly (readonly [string, string])[] = [
  ['not \ufffe this', 'not \ufffd this'],
  ['bell \x07, escape \x1b', 'bell \ufffd, escape \ufffd'],
  ['half \ud83d', 'half \ufffd'],
]

async function sheetOf(texts: readonly string[]): Promise<Buffer> {
  const rows = [['Text', 'End'], ...texts.map((text) => [text, '.'])]
  async function* sheets(): AsyncGenerator<{ kind: 'texts'; name: string; rows: string[][] }, void> {
    yield await Promise.resolve({ kind: 'texts', name: 'Texts', rows })
  }
  return buffer(workbookOf(sheets(), new Date(0)))
}

/** The first column below its header, as we and as somebody else reads it. */
async function readBack(
  texts: readonly string[],
): Promise<{ readonly ours: readonly unknown[]; readonly theirs: readonly unknown[] }> {
  const path = join(await temporaryFolder(), 'texts.xlsx')
  await writeFile(path, await sheetOf(texts))
  const rows: SheetRow[] = []
  for await (const table of readSheets(path)) rows.push(...table.rows)
  const [sheet] = await readExcel(path, { trim: false })
  return {
    ours: rows.slice(1).map(({ cells }) => cells.get(0)?.text),
    theirs: (sheet?.data ?? []).slice(1).map(([cell]) => cell),
  }
}

describe('A workbook', () => {
  it('returns every text unchanged', async () => {
    const { ours, theirs } = await readBack(TEXTS)
    expect(ours).toEqual(TEXTS)
    // It does not read escapes, which shows that they are there.
    const plain = TEXTS.map((text, index) => [text, theirs[index]] as const)
    expect(plain.filter(([text]) => !/_x|\x7f|\r/i.test(text)).map(([, read]) => read)).toEqual(
      TEXTS.filter((text) => !/_x|\x7f|\r/i.test(text)),
    )
  })

  it('is readable even if a text has characters that XML cannot contain', async () => {
    const { ours, theirs } = await readBack(ONCE_STORED.map(([text]) => text))
    const kept = ONCE_STORED.map(([, text]) => text)
    expect(ours).toEqual(kept)
    expect(theirs).toEqual(kept)
  })
})

describe('A large workbook', () => {
  it('is read sheet by sheet while it is sent, and no further than somebody takes it', async () => {
    // Texts that cannot be compressed, so that a sheet is larger than all buffers on the way.
    const rows = Array.from({ length: 200 }, () => [randomBytes(12_000).toString('base64')])
    let beginning = 0
    async function* sheets(): AsyncGenerator<{ kind: 'texts'; name: string; rows: string[][] }, void> {
      for (beginning = 1; beginning <= 3; beginning += 1)
        yield await Promise.resolve({ kind: 'texts', name: `Texts ${beginning}`, rows })
    }
    let taken = 0
    const counts: number[] = []
    for await (const chunk of workbookOf(sheets(), new Date(0))) {
      taken += chunk.length
      if (counts.length === 0 && taken > 100_000) {
        await setTimeout(100)
        counts.push(beginning)
      }
    }
    counts.push(beginning)
    expect(counts).toEqual([1, 4])
    expect(taken).toBeGreaterThan(7_000_000)
  })
})

describe('XML', () => {
  it('marks the place of a character that it cannot contain', () => {
    expect(escapeText('a\ufffe\x00<\r\ud800')).toBe('a\ufffd\ufffd&lt;&#13;\ufffd')
  })
})
