import { describe, expect, it } from 'vitest'
import { findRoot, parseXml } from '../../../src/guidance/xccdf/xml.ts'
import { refusalOf } from '../../support/refusal.ts'

const IGNORE = { open: () => undefined, text: () => undefined, close: () => undefined }

describe('XML', () => {
  it.each([
    ['<a><b></a>', 'xml_not_well_formed', 'line 1, column 10'],
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

  it('goes on with what a listener throws', () => {
    const open = (): void => {
      throw new RangeError('mine')
    }
    expect(() => {
      parseXml(['<a/>'], { ...IGNORE, open })
    }).toThrow(RangeError)
  })

  it('is read over the borders of chunks', () => {
    const texts: string[] = []
    const words = '😀\r\n'.repeat(50_000)
    parseXml([`<a>${words}</a>`], { ...IGNORE, text: (text) => texts.push(text) })
    expect(texts.join('')).toBe('😀\n'.repeat(50_000))
  })

  it('shows its root though it breaks off', () => {
    expect(findRoot('<p:a xmlns:p="urn:x" id="1"><b>')).toMatchObject({ uri: 'urn:x', local: 'a' })
    expect(findRoot('<!DOCTYPE a><a>')).toBeNull()
    expect(findRoot('nothing')).toBeNull()
  })
})
