import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  EncodingSamples,
  findEncoding,
  type FileEncoding,
  type SheetEncoding,
} from '../../../../../src/guidance/interchange/spreadsheets/reading/encoding.ts'
import { temporaryFolder } from '../../../../support/folder.ts'
import { refusalOf } from '../../../../support/refusal.ts'
import { readSheet, sheetRefusal } from '../../../../support/sheet-reading.ts'
import { csvOf } from '../../../../support/spreadsheet.ts'

const FIX = 'Don’t pour “tea” – it costs 5 €, señor.'
const ROW = { SRGID: 'SRG-TEA-000001', STIGID: 'TEAP-00-000001', Fix: FIX }

/** Windows-1252 as Excel writes it: Latin-1 and these five characters. */
function windows1252(text: string): Buffer {
  const high = new Map([
    ['’', 0x92],
    ['“', 0x93],
    ['”', 0x94],
    ['–', 0x96],
    ['€', 0x80],
  ])
  return Buffer.from(Array.from(text, (character) => high.get(character) ?? character.charCodeAt(0)))
}

function utf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

describe('A CSV file that is not in UTF-8', () => {
  const text = csvOf([ROW]).replaceAll('\n', '\r\n')
  const tabs = text.replaceAll(',', '\t').replaceAll('5 €\t', '5 €,')

  it('is read as Windows-1252, and shows the cells that depend on it', async () => {
    const { records, encoding } = await readSheet(windows1252(text))
    expect(records).toMatchObject([{ values: { fix: FIX } }])
    expect(encoding).toEqual({
      name: 'windows-1252',
      samples: [{ place: 'row 2, Fix (H2)', text: FIX }],
    })
  })

  it.each([
    ['UTF-16 LE with a mark', utf16(`\ufeff${text}`, 'le')],
    ['UTF-16 BE with a mark', utf16(`\ufeff${text}`, 'be')],
    ['UTF-16 LE without a mark', utf16(text, 'le')],
    ['UTF-16 BE without a mark', utf16(text, 'be')],
    ['UTF-16 with tabs, as Excel saves "Unicode text"', utf16(`\ufeff${tabs}`, 'le')],
    ['UTF-16 with a line that names the separator', utf16(`\ufeffsep=,\r\n${text}`, 'le')],
  ])('is read as %s', async (_name, bytes) => {
    const { records, encoding } = await readSheet(bytes)
    expect(records).toMatchObject([{ values: { srg_id: 'SRG-TEA-000001', fix: FIX } }])
    expect(encoding?.name).toBe('utf-16')
  })

  it('is read in the encoding that is named instead', async () => {
    const { records, encoding } = await readSheet(csvOf([{ ...ROW, Fix: 'Don’t pour.' }]), 'windows-1252')
    expect(records[0]?.values.fix).toMatch(/^Donâ€™t/)
    expect(encoding?.samples[0]?.text).toMatch(/^Donâ€™t/)
    expect(await sheetRefusal(windows1252(text), 'utf-8')).toMatchObject({
      code: 'bad_encoding',
      message: 'The file is not in UTF-8. Save it as "CSV UTF-8".',
    })
  })

  it('is refused where UTF-8 is damaged, with the line', async () => {
    const bytes = Buffer.from(csvOf([ROW, { ...ROW, Fix: 'nœud' }]))
    bytes[bytes.lastIndexOf('œ') + 1] = 0x20
    expect(await sheetRefusal(bytes)).toMatchObject({
      code: 'bad_encoding',
      message: 'The file is in UTF-8, but line 3 has bytes that are not.',
    })
  })

  it('is refused where Windows-1252 lacks a byte as well', async () => {
    const bytes = Buffer.concat([windows1252(text), Buffer.from([0x81])])
    expect(await sheetRefusal(bytes)).toMatchObject({ code: 'bad_encoding' })
  })

  it('shows each character in one sample, at most eight', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => ({
      ...ROW,
      Fix: `é ${String.fromCharCode(0xc0 + (index % 20))}`,
    }))
    const { encoding } = await readSheet(windows1252(csvOf(rows)))
    expect(encoding?.samples).toHaveLength(8)
    expect(new Set(encoding?.samples.map((sample) => sample.text)).size).toBe(8)
  })

  it('needs no choice in UTF-8, with or without a mark', async () => {
    for (const mark of ['', '\ufeff'])
      expect(await readSheet(`${mark}${text}`)).toMatchObject({ encoding: null, records: [{ values: { fix: FIX } }] })
  })
})

async function encodingOf(bytes: Buffer, given: SheetEncoding | null = null): Promise<FileEncoding> {
  const file = join(await temporaryFolder(), 'sheet')
  await writeFile(file, bytes)
  return findEncoding(file, bytes, given)
}

describe('The encoding of a file', () => {
  // The first and the last character of each length in UTF-8 (RFC 3629, section 3).
  it.each(['c280', 'dfbf', 'e0a080', 'efbfbd', 'f0908080', 'f48fbfbf'])('is UTF-8 for the bytes %s', async (bytes) => {
    expect(await encodingOf(Buffer.from(`61${bytes}62`, 'hex'))).toBe('utf-8')
  })

  it.each([
    ['with a follower first', '6180'],
    ['with a byte that begins no character of two bytes', 'c180'],
    ['with a byte that begins no character of four bytes', 'f5808080'],
    ['with a character that lacks a follower', '61e0a062'],
    ['with a character that the next one cuts off', 'e9c3'],
    ['with a character that the end cuts off', '636166e9'],
    ['with as many damaged characters as whole ones', 'c3a9e962'],
  ])('is Windows-1252 for a file %s', async (_name, bytes) => {
    expect(await encodingOf(Buffer.from(bytes, 'hex'))).toBe('windows-1252')
  })

  it('tells the first line that is damaged', async () => {
    const bytes = Buffer.concat([Buffer.from('éé\né\n'), Buffer.from([0xff, 0x0a, 0xff])])
    expect(await refusalOf(() => encodingOf(bytes))).toMatchObject({
      message: 'The file is in UTF-8, but line 3 has bytes that are not.',
    })
  })

  // Letters that are not in ASCII have no zeros.
  it.each([
    ['utf-16le', 'a mark', utf16('\ufeffЖЖЖЖ', 'le'), null],
    ['utf-16be', 'a mark', utf16('\ufeffЖЖЖЖ', 'be'), null],
    ['utf-16le', 'the name alone', utf16('ЖЖЖЖ', 'le'), 'utf-16'],
    ['utf-16be', 'the name and a mark', utf16('\ufeffЖЖЖЖ', 'be'), 'utf-16'],
    ['utf-16be', 'zeros in half of the characters', utf16('aЖaЖ', 'be'), null],
  ] as const)('is %s by %s', async (encoding, _reason, bytes, given) => {
    expect(await encodingOf(bytes, given)).toBe(encoding)
  })
})

describe('A sample of an encoding', () => {
  function samplesOf(...texts: readonly string[]): readonly string[] {
    const samples = new EncodingSamples()
    for (const text of texts) samples.add('row 2', text)
    return samples.all.map(({ text }) => text)
  }

  it('has sixty characters around the first one that depends on it, without line breaks', () => {
    const [before, after] = ['b'.repeat(40), 'a'.repeat(40)]
    expect(samplesOf(`${before}é \n ${after}`)).toEqual([`…${'b'.repeat(30)}é ${'a'.repeat(26)}…`])
    expect(samplesOf(`é${'a'.repeat(59)}`)).toEqual([`é${'a'.repeat(59)}`])
  })

  it('is left out if others show all of its characters', () => {
    expect(samplesOf('é', 'è é', 'é è', 'ê')).toEqual(['é', 'è é', 'ê'])
  })
})
