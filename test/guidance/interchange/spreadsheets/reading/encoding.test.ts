import { describe, expect, it } from 'vitest'
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
  return Buffer.from(Array.from(text, (one) => high.get(one) ?? one.charCodeAt(0)))
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
    const rows = Array.from({ length: 30 }, (_, at) => ({ ...ROW, Fix: `é ${String.fromCharCode(0xc0 + (at % 20))}` }))
    const { encoding } = await readSheet(windows1252(csvOf(rows)))
    expect(encoding?.samples).toHaveLength(8)
    expect(new Set(encoding?.samples.map((sample) => sample.text)).size).toBe(8)
  })

  it('needs no choice in UTF-8, with or without a mark', async () => {
    for (const mark of ['', '\ufeff'])
      expect(await readSheet(`${mark}${text}`)).toMatchObject({ encoding: null, records: [{ values: { fix: FIX } }] })
  })
})
