import { describe, expect, it } from 'vitest'
import { findRoot, parseXml } from '../../../../src/guidance/catalogue/files/xml.ts'
import { refusalOf } from '../../../support/refusal.ts'

const IGNORE = { open: () => undefined, text: () => undefined, close: () => undefined }

describe('XML', () => {
  it.each([
    ['<a><b></a>', 'xml_not_well_formed', 'line 1, column 10'],
    ['<a>\n\ufffe</a>', 'xml_not_well_formed', 'line 2, column'],
    ['<a>&#xFFFE;</a>', 'xml_not_well_formed', 'character reference'],
    ['<a>\n<b>', 'xml_not_well_formed', 'unexpected end of file, the element b'],
    ['<a', 'xml_not_well_formed', 'unexpected end of file'],
    [' ', 'xml_not_well_formed', 'unexpected end of file, there is no element'],
    ['<a>\0</a>', 'xml_not_well_formed', 'invalid character'],
    ['<?xml version="1.1"?><a>&#1;</a>', 'xml_not_well_formed', 'character reference'],
    ['<a>&nbsp;</a>', 'xml_not_well_formed', 'entity that is not defined'],
    ['<a/><b/>', 'xml_not_well_formed', 'second root'],
    ['<p:a/>', 'xml_not_well_formed', 'namespace prefix'],
    [`<${'x'.repeat(5000)}>`, 'xml_not_well_formed', '…'],
    ['<a><b></a></b>', 'xml_not_well_formed', 'does not match the start tag'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'dtd_not_allowed', 'DOCTYPE / entity'],
    ['<a>'.repeat(65), 'xml_too_deep', 'Nesting deeper than the limit of 64'],
  ])('%# is refused', async (text, code, words) => {
    const refusal = await refusalOf(() => {
      parseXml([text], IGNORE)
    })
    expect([refusal.code, refusal.message]).toEqual([code, expect.stringContaining(words)])
    expect(refusal.message.length).toBeLessThan(400)
  })

  it('rethrows errors of a listener', () => {
    const open = (): void => {
      throw new RangeError('mine')
    }
    expect(() => {
      parseXml(['<a/>'], { ...IGNORE, open })
    }).toThrow(RangeError)
  })

  it('is parsed across the borders of chunks', () => {
    const texts: string[] = []
    const words = '😀\r\n'.repeat(50_000)
    parseXml([`<a>${words}</a>`], { ...IGNORE, text: (text) => texts.push(text) })
    expect(texts.join('')).toBe('😀\n'.repeat(50_000))
  })

  it.each([
    ['<!--', 'a-', 'too_large: A comment is longer than the limit of 2,000,000 characters'],
    ['<?b ', 'a?', 'too_large: A processing instruction is longer'],
    ['<![CDATA[', 'a]', 'field_too_long: A text is longer'],
    ['b', '&amp;', 'field_too_long: A text is longer'],
    ['b', '\r\r', 'field_too_long: A text is longer'],
    ['<b', 'aa', 'field_too_long: The tag of baaaa'],
    ['<b ', '  ', 'field_too_long: The tag of b is longer'],
    ['<b c="', 'a&gt;', 'field_too_long: b c is longer than the limit of 65,536 characters'],
    ['c<b d="e" f="', 'aa', 'field_too_long: b f is longer'],
    ['&', 'aa', 'field_too_long: A text is longer'],
  ])('is refused before the end if it is too long: %s', async (start, repeated, words) => {
    const length = 60_000
    const pieces = Array.from({ length: 40 }, () => repeated.repeat(length / repeated.length))
    const refusal = await refusalOf(() => {
      parseXml(['<a>', start, ...pieces], IGNORE)
    })
    expect(`${refusal.code}: ${refusal.message}`).toContain(words)
    parseXml(['<a><!--', ...pieces.slice(0, 30).map(() => 'b'.repeat(length)), '--></a>'], IGNORE)
  })

  it('is refused immediately after the XML declaration if it is too long', async () => {
    const refusal = await refusalOf(() => {
      parseXml([`<?xml version="1.0"?><!--${'a'.repeat(60_000)}`, 'a'.repeat(2_000_000)], IGNORE)
    })
    expect(refusal.message).toContain('A comment is longer')
  })

  it('reports its root even if it is truncated', () => {
    expect(findRoot('<p:a xmlns:p="urn:x" id="1"><b>')).toMatchObject({ uri: 'urn:x', local: 'a' })
    expect(findRoot('<!DOCTYPE a><a>')).toBeNull()
    expect(findRoot('nothing')).toBeNull()
  })
})
