import { createHash } from 'node:crypto'
import type { ReferenceForm } from '../../src/guidance/catalogue/reference-data/importing/form.ts'
import { headOf, readReferenceData, rowsFrom } from '../../src/guidance/catalogue/reference-data/importing/read.ts'
import { storeReferenceData } from '../../src/guidance/catalogue/reference-data/importing/writer.ts'
import type { Database } from '../../src/guidance/database/database.ts'
import { SYSTEM } from '../../src/http/caller.ts'

/** An item of a made-up CCI list. */
export interface SampleCci {
  readonly id: string
  readonly status?: string
  readonly definition?: string | null
  readonly types?: readonly string[]
  /** Places in NIST SP 800-53, by revision. */
  readonly places?: Readonly<Record<number, string>>
  /** Further elements. */
  readonly extra?: string
}

const TITLES: Readonly<Record<number, string>> = {
  3: 'NIST SP 800-53',
  4: 'NIST SP 800-53 Revision 4',
  5: 'NIST SP 800-53 Revision 5',
}

export const CCIS: readonly SampleCci[] = [
  { id: 'CCI-000015', places: { 3: 'AC-2 (1)', 4: 'AC-2 (1)', 5: 'AC-2 (1)' }, types: ['policy', 'technical'] },
  { id: 'CCI-000366', places: { 3: 'CM-6 b', 5: 'CM-6 b' }, extra: '<note>Warm the pot.</note><note>Twice.</note>' },
  { id: 'CCI-000017', status: 'deprecated', places: { 4: 'AC-2 (3) (a)' } },
]

/** A made-up list in the form of DISA. */
export function cciList(items: readonly SampleCci[] = CCIS, version = '2026-01-05'): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    "<?xml-stylesheet type='text/xsl' href='cci2html.xsl'?>",
    '<cci_list xmlns="http://iase.disa.mil/cci">',
    `<metadata><version>${version}</version><publishdate>${version}</publishdate></metadata>`,
    '<cci_items>',
    ...items.map(itemElement),
    '</cci_items>',
    '</cci_list>',
  ].join('\n')
}

function itemElement({
  id,
  status = 'draft',
  definition,
  types = ['policy'],
  places = {},
  extra = '',
}: SampleCci): string {
  const text = definition === null ? '' : `<definition>${definition ?? `What ${id} asks for.`}</definition>`
  const references = Object.entries(places).map(
    ([revision, index]) =>
      `<reference creator="NIST" title="${TITLES[Number(revision)]}" version="${revision}" ` +
      `location="https://example.org" index="${index}" />`,
  )
  return [
    `<cci_item id="${id}"><status>${status}</status><publishdate>2009-05-13</publishdate>`,
    `<contributor>DISA FSO</contributor>${text}${types.map((type) => `<type>${type}</type>`).join('')}${extra}`,
    `<references>${references.join('')}</references></cci_item>`,
  ].join('')
}

/** A catalogue of two controls in the form of OSCAL. */
export function oscalCatalog(version = '5.1.1'): string {
  const label = (value: string) => [
    { name: 'label', value: value.replace(/-(\d)\b/, '-0$1'), class: 'zero-padded' },
    { name: 'label', value },
  ]
  const enhancement = {
    id: 'ac-2.1',
    title: 'Automated Management',
    props: label('AC-2(1)'),
    links: [{ href: '#ac-2', rel: 'required' }],
    params: [{ id: 'ac-02.01_odp', label: 'automated mechanisms' }],
    parts: [{ id: 'ac-2.1_smt', name: 'statement', prose: 'Manage using {{ insert: param, ac-02.01_odp }}.' }],
  }
  const control = {
    id: 'ac-2',
    title: 'Account Management',
    props: label('AC-2'),
    links: [{ href: '#91f992fb', rel: 'reference' }],
    params: [
      { id: 'ac-02_odp.01', label: 'time period', guidelines: [{ prose: 'the time is defined;' }] },
      {
        id: 'ac-02_odp.02',
        select: { 'how-many': 'one-or-more', choice: ['disable', 'remove after {{ insert: param, ac-02_odp.01 }} '] },
      },
    ],
    parts: [
      {
        id: 'ac-2_smt',
        name: 'statement',
        parts: [
          {
            id: 'ac-2_smt.a',
            name: 'item',
            props: [{ name: 'label', value: 'a.' }],
            prose: 'For old accounts:',
            parts: [
              {
                id: 'ac-2_smt.a.1',
                name: 'item',
                props: [{ name: 'label', value: '1.' }],
                prose: ' {{ insert: param, ac-02_odp.02 }} ; and',
              },
            ],
          },
        ],
      },
      { id: 'ac-2_gdn', name: 'guidance', prose: 'Examples are shared accounts.' },
    ],
    controls: [enhancement],
  }
  const withdrawn = {
    id: 'ac-13',
    title: 'Supervision',
    props: [...label('AC-13'), { name: 'status', value: 'withdrawn' }],
    links: [{ href: '#ac-2', rel: 'incorporated-into' }],
  }
  return JSON.stringify({
    catalog: {
      uuid: '61787a7f',
      metadata: { title: 'Example of SP 800-53', version, 'last-modified': '2026-01-05T10:00:00Z' },
      groups: [{ id: 'ac', title: 'Access Control', controls: [control, withdrawn] }],
      'back-matter': { resources: [{ uuid: '91f992fb', title: 'SP 800-162' }] },
    },
  })
}

/** Stores a CCI list in a database. */
export function storeCciList(database: Database, document = cciList()): Promise<string> {
  return storeReference(database, 'cci_list', document)
}

/** Stores a catalogue of controls in a database. */
export function storeOscal(database: Database, document = oscalCatalog()): Promise<string> {
  return storeReference(database, 'oscal', document)
}

/** Stores reference data of any form in a database. */
export async function storeReference(database: Database, form: ReferenceForm, document: string): Promise<string> {
  const bytes = Buffer.from(document)
  const digest = createHash('sha256').update(bytes).digest('hex')
  const data = readReferenceData({ form, bytes, fileName: `${form}.txt` })
  const head = headOf(data, { fileName: `${form}.txt`, digest })
  const received = { ...head, rows: (from: number) => Promise.resolve(rowsFrom(data.items, from)) }
  return (await database.transact((writer) => storeReferenceData(writer, received, SYSTEM))).outcome
}
