import { describe, expect, it } from 'vitest'
import { decodeXml } from '../../../../src/guidance/catalogue/files/encoding.ts'
import { refusalOf } from '../../../support/refusal.ts'

function declared(encoding: string, ...bytes: readonly number[]): Uint8Array {
  const declaration = `<?xml version="1.0" encoding="${encoding}"?>\n`
  return Buffer.concat([Buffer.from(declaration), Buffer.from(bytes)])
}

function utf16(text: string, big = false): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return big ? bytes.swap16() : bytes
}

/** Read in pieces of so many bytes. */
function decoded(bytes: Uint8Array, size = bytes.length): string {
  const pieces = function* (): Generator<Uint8Array> {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  return [...decodeXml(pieces, bytes)].join('')
}

describe('Bytes', () => {
  it.each([
    ['UTF-8 without declaration', Buffer.from('<a>ü</a>'), '<a>ü</a>'],
    ['UTF-8 with a mark', Buffer.from('\ufeff<a>ü</a>'), '<a>ü</a>'],
    ['UTF-16LE with a mark', utf16('\ufeff<a>ü</a>'), '<a>ü</a>'],
    ['UTF-16BE with a mark', utf16('\ufeff<a>ü</a>', true), '<a>ü</a>'],
  ])('are decoded as %s', (_name, bytes, text) => {
    expect(decoded(bytes)).toBe(text)
  })

  it.each([
    ['utf-8', [0xc3, 0xbc], 'ü'],
    ['ISO-8859-1', [0xfc, 0x93], 'ü\u0093'],
    ['windows-1252', [0xfc, 0x93, 0x80, 0x9f], 'ü“€Ÿ'],
    ['windows-1251', [0xc6], 'Ж'],
    ['Shift_JIS', [0x82, 0xa0], 'あ'],
    ['us-ascii', [0x61], 'a'],
  ])('are decoded as the declared %s', (encoding, bytes, text) => {
    expect(decoded(declared(encoding, ...bytes)).split('\n')[1]).toBe(text)
  })

  it('are decoded as a declared UTF-16LE without a byte order mark', () => {
    const text = '<?xml version="1.0" encoding="UTF-16LE"?><a/>'
    expect(decoded(utf16(text))).toBe(text)
  })

  it.each([1, 2, 3, 5])('are decoded in pieces of %i', (size) => {
    const text = '\ufeff<a>aü€😀\ufeffz</a>'
    for (const bytes of [Buffer.from(text), utf16(text), utf16(text, true)])
      expect(decoded(bytes, size)).toBe(text.slice(1))
    const japanese = declared('Shift_JIS', 0x82, 0xa0, 0x61, 0x83, 0x65)
    expect(decoded(japanese, size).split('\n')[1]).toBe('あaテ')
  })

  it.each([1, 7])('are refused at the same position in pieces of %i', async (size) => {
    const bytes = declared('utf-8', 0x61, 0x0a, 0xe2, 0x82, 0x61)
    const { message } = await refusalOf(() => decoded(bytes, size))
    expect(message).toBe((await refusalOf(() => decoded(bytes))).message)
    expect(message).toContain('line 3')
  })

  it.each([
    [declared('utf-8', 0x61, 0x0a, 0x93), 'UTF-8 at line 3, byte 42'],
    [Buffer.from([0x3c, 0xc3]), 'UTF-8: it ends within a character'],
    [declared('us-ascii', 0xfc), 'ASCII at line 2'],
    [declared('windows-1252', 0x81), 'windows-1252 at line 2'],
    [declared('Shift_JIS', 0x82), 'SHIFT_JIS'],
    [declared('ebcdic-cp-us'), 'ebcdic-cp-us is not supported'],
    [declared('UTF-32'), 'utf-32 is not supported'],
    [declared('utf-16'), 'not UTF-16'],
    [Buffer.from('fffe00003c000000', 'hex'), 'UTF-32'],
    [utf16('<a/>'), 'utf-16 without byte order mark'],
    [Buffer.concat([utf16('\ufeff<a>'), Buffer.from([0, 0xd8])]), 'UTF-16LE'],
  ])('are refused with the reason: %#', async (bytes, words) => {
    const { code, message } = await refusalOf(() => decoded(bytes))
    expect([code, message]).toEqual(['bad_encoding', expect.stringContaining(words)])
  })
})
