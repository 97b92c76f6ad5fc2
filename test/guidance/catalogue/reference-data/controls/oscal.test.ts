import { describe, expect, it } from 'vitest'
import { readOscal } from '../../../../../src/guidance/catalogue/reference-data/controls/oscal.ts'
import { oscalCatalog } from '../../../../support/reference-data.ts'
import { refusalOf } from '../../../../support/refusal.ts'

function refused(document: string | Uint8Array): Promise<readonly string[]> {
  return refusalOf(() => readOscal(Buffer.from(document))).then(({ code, message }) => [code, message])
}

describe('The reader of OSCAL catalogues', () => {
  it('reads controls with their enhancements, and fills in the parameters', () => {
    const { items, ...head } = readOscal(Buffer.from(oscalCatalog()))
    expect(head).toEqual({
      kind: 'sp800_53',
      title: 'Example of SP 800-53',
      version: '5.1.1',
      published: '2026-01-05',
    })
    const period = '[Assignment: organization-defined time period]'
    const choice = `[Selection (one or more): disable; remove after ${period}]`
    expect(items[0]).toEqual({
      id: 'AC-2',
      oscal_id: 'ac-2',
      title: 'Account Management',
      family: 'Access Control',
      enhances: null,
      withdrawn: false,
      statement: [
        { id: 'ac-2_smt.a', label: 'a.', depth: 0, text: 'For old accounts:' },
        { id: 'ac-2_smt.a.1', label: '1.', depth: 1, text: `${choice}; and` },
      ],
      guidance: [{ id: 'ac-2_gdn', label: null, depth: 0, text: 'Examples are shared accounts.' }],
      parameters: [
        { id: 'ac-02_odp.01', text: period, guidelines: ['the time is defined;'] },
        { id: 'ac-02_odp.02', text: choice, guidelines: [] },
      ],
      links: [{ rel: 'reference', href: '#91f992fb', text: 'SP 800-162' }],
      enhancements: ['AC-2 (1)'],
    })
    expect(items[1]).toMatchObject({
      id: 'AC-2 (1)',
      enhances: 'AC-2',
      statement: [{ text: 'Manage using [Assignment: organization-defined automated mechanisms].' }],
      links: [{ rel: 'required', text: 'AC-2' }],
    })
    expect(items[2]).toMatchObject({ id: 'AC-13', withdrawn: true, statement: [] })
  })

  it('shows a parameter that is not defined, or that is in itself, by its id', () => {
    const read = (document: string) => JSON.stringify(readOscal(Buffer.from(document)).items)
    expect(read(oscalCatalog().replaceAll('ac-02_odp.01 }}', 'other }}'))).toContain('[Assignment: other]')
    expect(read(oscalCatalog().replaceAll('ac-02_odp.01 }}', 'ac-02_odp.02 }}'))).toContain(
      '[Assignment: ac-02_odp.02]',
    )
  })

  it.each([
    ['a profile', oscalCatalog().replace('"catalog"', '"profile"'), 'not_reference_data', 'root profile'],
    ['other JSON', '[1]', 'not_reference_data', 'expected catalog'],
    ['no JSON', '{"catalog": {', 'not_reference_data', 'not JSON'],
    [
      'no title',
      oscalCatalog().replace('"title":"Account Management",', ''),
      'not_reference_data',
      'catalog/groups/0/controls/0/title',
    ],
    [
      'a name of another catalogue',
      oscalCatalog().replaceAll('ac-13', 'x').replaceAll('AC-13', 'x'),
      'not_reference_data',
      'The control x has no name',
    ],
    [
      'a control twice',
      oscalCatalog().replaceAll('AC-13', 'AC-2'),
      'duplicate_item_id',
      'AC-2 is in the catalogue twice',
    ],
    ['much nesting', `{"catalog":${'['.repeat(100)}${']'.repeat(100)}}`, 'too_large', 'nested deeper'],
    ['odd bytes', Buffer.from([0x7b, 0xff, 0x7d]), 'bad_encoding', 'UTF-8'],
  ])('refuses %s', async (_what, document, code, part) => {
    const [found, message] = await refused(document)
    expect(found).toBe(code)
    expect(message).toContain(part)
  })
})
