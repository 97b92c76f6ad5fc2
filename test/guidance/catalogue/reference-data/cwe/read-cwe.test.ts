import { describe, expect, it } from 'vitest'
import { cweSchema } from '../../../../../src/guidance/catalogue/reference-data/cwe/items.ts'
import { readCweCsv } from '../../../../../src/guidance/catalogue/reference-data/cwe/read-csv.ts'
import { readCweXml } from '../../../../../src/guidance/catalogue/reference-data/cwe/read-xml.ts'
import { formOf } from '../../../../../src/guidance/catalogue/reference-data/importing/form.ts'
import { cweCatalog, cweView } from '../../../../support/cwe.ts'
import { matching } from '../../../../support/matchers.ts'
import { refusalOf } from '../../../../support/refusal.ts'

function read(document: string) {
  return readCweXml(Buffer.from(document))
}

function readView(document: string) {
  return readCweCsv(Buffer.from(document), '1000.csv')
}

/** As both forms have it. */
const SHARED = {
  type: 'weakness',
  id: 'CWE-901',
  name: 'Tea Without Water',
  abstraction: 'Base',
  status: 'Stable',
  deprecated: false,
  description: 'The pot has no water.',
  extended_description: 'Leaves burn.\nblack\ngreen',
  related: [{ nature: 'ChildOf', id: 'CWE-902', view: '1000', ordinal: 'Primary' }],
  platforms: [
    { kind: 'Language', name: null, class: 'Not Language-Specific', prevalence: 'Undetermined' },
    { kind: 'Operating System', name: 'Kettle OS', class: null, prevalence: 'Often' },
  ],
  alternate_terms: [{ term: 'Dry Tea', description: 'Said in inns.' }],
  introduction: [{ phase: 'Implementation', note: 'In haste.' }],
  likelihood: 'High',
  detection_methods: [{ method: 'Smelling', description: 'Sniff.', effectiveness: 'High' }],
  mitigations: [{ phases: ['Operation'], strategy: 'Looking', description: 'Look first.', effectiveness: null }],
  taxonomy_mappings: [{ taxonomy: 'Teas', entry_id: 'T1', entry_name: 'Dry', fit: 'Exact' }],
  notes: [{ type: 'Maintenance', text: 'To be stirred.' }],
  successors: [],
}

describe('CWE as XML', () => {
  it('has its version and all parts of a weakness', () => {
    const { items, ...head } = read(cweCatalog())
    expect(head).toEqual({ kind: 'cwe', title: 'CWE', version: '4.17', published: '2025-04-03' })
    expect(items.map((item) => cweSchema.parse(item).id)).toEqual([
      'CWE-901',
      'CWE-902',
      'CWE-903',
      'CWE-910',
      'CWE-920',
    ])
    expect(items[0]).toMatchObject({
      ...SHARED,
      consequences: [{ scopes: ['Integrity', 'Availability'], impacts: ['Burnt Pot'], note: 'It smells.' }],
      attack_patterns: ['CAPEC-209'],
      mapping: { usage: 'Allowed', rationale: 'It is a base.', comments: 'Read it.', suggestions: [] },
    })
    expect(items.slice(3)).toMatchObject([
      { type: 'category', description: 'About pots.', members: [{ id: 'CWE-901', view: '920' }] },
      { type: 'view', description: 'All teas.', members: [{ id: 'CWE-910', view: '920' }] },
    ])
  })

  it('leads from a deprecated entry to those that its text and its mapping name', () => {
    expect(read(cweCatalog()).items[2]).toMatchObject({
      deprecated: true,
      successors: [
        { id: 'CWE-901', name: 'Tea Without Water' },
        { id: 'CWE-902', name: 'Odd Tea' },
      ],
    })
  })

  it.each([
    ['not_reference_data', '<cci_list/>', /cci_list; expected Weakness_Catalog/],
    ['missing_field', cweCatalog().replace('Version="4.17"', ''), /Version/],
    ['missing_field', cweCatalog().replace('Name="Odd Tea"', ''), /name is missing.*CWE-902 \(line 28\)/],
    ['invalid_id', cweCatalog().replace('ID="902" Name', 'ID="tea" Name'), /CWE-tea \(line 28\)/],
    ['missing_field', cweCatalog().replace('CWE_ID="902" View', 'View'), /related\/0\/id.*CWE-901/],
    ['duplicate_item_id', cweCatalog().replace('ID="902" Name', 'ID="901" Name'), /CWE-901 \(line 28\) twice/],
    ['xml_not_well_formed', cweCatalog().replace('</Weaknesses>', ''), /line \d+/],
    [
      'dtd_not_allowed',
      cweCatalog().replace('<Weakness_Catalog', '<!DOCTYPE a [<!ENTITY b "c">]><Weakness_Catalog'),
      /./,
    ],
    ['xml_too_deep', cweCatalog({ extra: '<a>'.repeat(70) + '</a>'.repeat(70) }), /./],
  ])('is refused as %s with the place', async (code, document, message) => {
    const refusal = await refusalOf(() => read(document))
    expect([refusal.code, refusal.message]).toEqual([code, matching(message)])
  })
})

describe('CWE as CSV of a view', () => {
  it('has the same of a weakness, and is called after its view', () => {
    const { items, ...head } = readView(cweView())
    expect(head).toEqual({ kind: 'cwe', title: 'CWE', version: 'view 1000', published: null })
    expect(items).toMatchObject([
      {
        ...SHARED,
        consequences: [
          { scopes: ['Integrity', 'Availability'], impacts: ['Burnt Pot'], note: 'It smells: see std::tea.' },
        ],
        observed_examples: [{ reference: 'CVE-2026-0001', description: 'A "pot".' }],
        background: ['Tea is old.'],
        affected_resources: ['Pot', 'Fire'],
        attack_patterns: ['CAPEC-209', 'CAPEC-588'],
        mapping: null,
      },
    ])
  })

  it.each([
    ['missing_field', cweView().replace(',Name,', ',Title,'), /no column Name \(line 1\)/],
    ['missing_field', cweView().split('\n')[0] ?? '', /no weakness/],
    ['invalid_id', cweView('tea'), /CWE-tea \(line 4\)/],
    ['duplicate_item_id', cweView() + (cweView().split(',\n')[1] ?? ''), /CWE-901 \(line \d+\) twice/],
    ['not_reference_data', `${cweView()}"open`, /Quote Not Closed/],
  ])('is refused as %s with the place', async (code, document, message) => {
    const refusal = await refusalOf(() => readView(document))
    expect([refusal.code, refusal.message]).toEqual([code, matching(message)])
  })
})

describe('The form of a file', () => {
  it('is recognised as CWE by the root element or the first columns', () => {
    expect(
      [cweCatalog(), cweView(), `\ufeff${cweView()}`, 'CWE-ID;Name'].map((text) => formOf(Buffer.from(text))),
    ).toEqual(['cwe', 'cwe_csv', 'cwe_csv', null])
  })
})
