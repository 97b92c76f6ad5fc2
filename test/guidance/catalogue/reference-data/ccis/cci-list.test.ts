import { describe, expect, it } from 'vitest'
import { readCciList } from '../../../../../src/guidance/catalogue/reference-data/ccis/cci-list.ts'
import { CCIS, cciList } from '../../../../support/reference-data.ts'
import { refusalOf } from '../../../../support/refusal.ts'

function refused(document: string | Uint8Array): Promise<readonly string[]> {
  return refusalOf(() => readCciList(Buffer.from(document))).then(({ code, message }) => [code, message])
}

describe('The reader of the CCI list', () => {
  it('keeps all that the list says of an item', () => {
    const { items, ...head } = readCciList(Buffer.from(cciList()))
    expect(head).toEqual({
      kind: 'cci_list',
      title: 'Control Correlation Identifier (CCI) list',
      version: '2026-01-05',
      published: '2026-01-05',
    })
    expect(items.map(({ id }) => id)).toEqual(CCIS.map(({ id }) => id))
    const reference = { creator: 'NIST', location: 'https://example.org', index: 'CM-6 b' }
    expect(items[1]).toEqual({
      id: 'CCI-000366',
      status: 'draft',
      published: '2009-05-13',
      contributor: 'DISA FSO',
      definition: 'What CCI-000366 asks for.',
      types: ['policy'],
      parameters: [],
      notes: ['Warm the pot.', 'Twice.'],
      references: [
        { ...reference, title: 'NIST SP 800-53', version: '3' },
        { ...reference, title: 'NIST SP 800-53 Revision 5', version: '5' },
      ],
    })
    expect(items[0]).toMatchObject({ types: ['policy', 'technical'] })
  })

  it('reads a list with a byte order mark, in UTF-16 and without a namespace', () => {
    const count = (bytes: Uint8Array) => readCciList(bytes).items.length
    expect(count(Buffer.from(`\ufeff${cciList()}`))).toBe(3)
    expect(count(Buffer.from(`\ufeff${cciList().replace('utf-8', 'utf-16')}`, 'utf16le'))).toBe(3)
    expect(count(Buffer.from(cciList().replace(' xmlns="http://iase.disa.mil/cci"', '')))).toBe(3)
  })

  it.each([
    ['another root', cciList().replaceAll('cci_list', 'list'), 'not_reference_data', 'the root element list'],
    ['an id twice', cciList([...CCIS, { id: 'CCI-000015' }]), 'duplicate_item_id', '"CCI-000015" is in the list twice'],
    ['no definition', cciList([{ id: 'CCI-000015', definition: null }]), 'missing_field', 'CCI-000015 (line 6)'],
    ['a blank definition', cciList([{ id: 'CCI-000015', definition: ' ' }]), 'missing_field', 'definition is missing'],
    ['an odd id', cciList([{ id: 'CCI-15' }]), 'invalid_id', 'CCI-15 (line 6)'],
    ['no id', cciList([{ id: ' ' }]), 'missing_field', 'the cci_item in line 6'],
    ['no items', cciList([]), 'missing_field', 'no cci_item'],
    ['no version', cciList(CCIS, ''), 'missing_field', 'version'],
    ['a DTD', cciList().replace('<cci_list', '<!DOCTYPE cci_list><cci_list'), 'dtd_not_allowed', 'line 3'],
    ['an end that is missing', cciList().slice(0, -20), 'xml_not_well_formed', 'line'],
    ['a long text', cciList([{ id: 'CCI-000015', definition: 'x'.repeat(1_000_001) }]), 'field_too_long', 'definition'],
  ])('refuses a list with %s', async (_what, document, code, part) => {
    const [found, message] = await refused(document)
    expect(found).toBe(code)
    expect(message).toContain(part)
  })

  it('refuses bytes that are not in the encoding, and more items than the limit', async () => {
    const [bad] = await refused(Buffer.from(cciList([{ id: 'CCI-000015', definition: 'é' }]), 'latin1'))
    expect(bad).toBe('bad_encoding')
    const many = Array.from({ length: 20_001 }, (_none, index) => ({
      id: `CCI-${String(index).padStart(6, '0')}`,
      types: [],
    }))
    expect(await refused(cciList(many))).toEqual(['too_large', 'The list has more items than the limit of 20,000.'])
  })
})
