import { describe, expect, it } from 'vitest'
import { sendGood, store } from '../../../support/catalogue.ts'
import { csvRows } from '../../../support/csv.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { matching } from '../../../support/matchers.ts'
import { xccdfDocument, type SampleRule } from '../../../support/xccdf-document.ts'

const guidance = guidanceService()

const admin = signedIn(guidance, 'Root', { admin: true })

describe('The file of a benchmark', () => {
  const plain = xccdfDocument({ id: 'Plain_STIG', title: 'Käse & "Tee": a/b', rules: 60 })
  const utf16 = xccdfDocument({ id: 'Wide_STIG', title: 'Téapot' }).replace('UTF-8', 'UTF-16')

  it.each<readonly [string, Buffer]>([
    ['UTF-8', Buffer.from(plain)],
    ['UTF-16, little end first', Buffer.from(`\ufeff${utf16}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${utf16.replace('Wide', 'Big')}`, 'utf16le').swap16()],
    ['a byte order mark', Buffer.from(`\ufeff${plain.replace('Plain', 'Marked')}`)],
    ['lines that end with CRLF', Buffer.from(plain.replace('Plain', 'Cr').replaceAll('\n', '\r\n'))],
  ])('of %s is exported byte by byte', async (_name, file) => {
    const { imported } = await sendGood(admin, file)
    const path = `/stigs/${imported[0]?.id ?? 0}/export/xccdf`
    const { status, headers, bytes } = await admin.call('GET', path)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/xml')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(bytes.equals(file)).toBe(true)
  })

  it('has a name of safe characters', async () => {
    const id = await store(guidance(), { id: 'Name_STIG', title: '../Käse & "Tee";\u202e a/b' })
    const { headers } = await admin.call('GET', `/stigs/${id}/export/xccdf`)
    expect(headers['content-disposition']).toBe(
      `attachment; filename="..-K?se-Tee-a-b-V1R1-xccdf.xml"; ` +
        `filename*=UTF-8''..-K%C3%A4se-Tee-a-b-V1R1-xccdf.xml`,
    )
  })

  it.each(['x'.repeat(10_000), 'é'.repeat(10_000), '.', '-'])(
    'can be downloaded if its title has unusual characters',
    async (title) => {
      const id = await store(guidance(), { id: `Long_${title.slice(0, 1)}`, title })
      for (const type of ['xccdf', 'csv'])
        expect((await admin.call('GET', `/stigs/${id}/export/${type}`)).status).toBe(200)
    },
  )

  it.each(['pdf', 'CSV', 'json', 'csv.'])('returns an error for %s', async (type) => {
    const id = await store(guidance(), { id: `Type_${type}` })
    expect(await admin.call('GET', `/stigs/${id}/export/${type}`)).toMatchObject({
      status: 400,
      body: { code: 'parameter_invalid', parameter: 'type' },
    })
  })
})

const STIG_COLUMNS = [
  'Rule ID',
  'STIG ID',
  'SRG ID',
  'Vuln ID',
  'Severity',
  'Title',
  'Description',
  'Check',
  'Fix',
  'CCI',
  '800-53 Controls',
  'Legacy IDs',
]

describe('The table of a benchmark', () => {
  const rule: SampleRule = {
    id: 'SV-2r1_rule',
    group: 'V-2',
    version: 'TEAP-02',
    requirement: 'SRG-TEA-000002',
    severity: 'low',
    title: 'Say "tea", please',
    discussion: 'One,\ntwo.',
    fix: null,
    cci: ['CCI-000366'],
    legacy: ['V-9', 'SV-9'],
    checks: ['First.', 'Second.'],
  }
  const other: SampleRule = { ...rule, id: 'SV-1r1_rule', version: 'TEAP-01', cci: [], legacy: [] }

  async function table(query = '', kind: 'srg' | 'stig' = 'stig'): Promise<string> {
    const id = await store(guidance(), {
      id: `Table_${kind}_${Math.random()}`,
      kind,
      rules: kind === 'stig' ? [rule, other] : 1,
    })
    const { status, headers, bytes } = await admin.call('GET', `/${kind}s/${id}/export/csv${query}`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(headers['content-disposition']).toMatch(/^attachment; filename=.*\.csv/)
    return bytes.toString('utf8')
  }

  it('is CSV in the form that spreadsheet programs read', async () => {
    const text = await table()
    expect(text.startsWith('\ufeffRule ID,')).toBe(true)
    expect(text.endsWith('\r\n')).toBe(true)
    expect(text).toContain('"Say ""tea"", please","One,\ntwo."')
  })

  it('has the default columns of a STIG and one row for each rule, in order', async () => {
    expect(csvRows(await table())).toEqual([
      STIG_COLUMNS,
      [
        'SV-1r1_rule',
        'TEAP-01',
        'SRG-TEA-000002',
        'V-2',
        'low',
        'Say "tea", please',
        'One,\ntwo.',
        'First.\n\nSecond.',
        '',
        '',
        '',
        '',
      ],
      [
        'SV-2r1_rule',
        'TEAP-02',
        'SRG-TEA-000002',
        'V-2',
        'low',
        'Say "tea", please',
        'One,\ntwo.',
        'First.\n\nSecond.',
        '',
        'CCI-000366',
        matching(/CM-6/),
        'V-9, SV-9',
      ],
    ])
  })

  it('has the default columns of an SRG', async () => {
    const [header, row] = csvRows(await table('', 'srg'))
    expect(header).toEqual([
      'Rule ID',
      'SRG ID',
      'Severity',
      'Title',
      'Description',
      'Check',
      'Fix',
      'CCI',
      '800-53 Controls',
      'Legacy IDs',
    ])
    expect(row?.slice(0, 3)).toEqual(['SV-1000001r1_rule', 'SRG-TEA-000001', 'high'])
  })

  it.each<readonly [string, readonly string[]]>([
    ['title,rule_id', ['Title', 'Rule ID']],
    ['rule_id, title ,', ['Rule ID', 'Title']],
    ['rule_id,no_such,title', ['Rule ID', 'Title']],
    ['status,rule_weight,mitigations', ['Status', 'Weight', 'Mitigations']],
    [
      'severity_override_guidance,false_positives,false_negatives',
      ['Severity Override', 'False Positives', 'False Negatives'],
    ],
    ['', STIG_COLUMNS],
    ['no_such', STIG_COLUMNS],
    ['__proto__,constructor,toString', STIG_COLUMNS],
    [',,,', STIG_COLUMNS],
    ['RULE_ID', STIG_COLUMNS],
  ])('with columns=%s has the columns %j', async (columns, header) => {
    expect(csvRows(await table(`?${new URLSearchParams({ columns }).toString()}`))[0]).toEqual(header)
  })

  it('keeps multi-line texts in one cell', async () => {
    const fix = 'Look twice,\n\nthen "pour".'
    const id = await store(guidance(), { id: 'Lines_STIG', rules: [{ ...rule, fix }] })
    const path = `/stigs/${id}/export/csv?columns=version,fixtext,title`
    const { bytes } = await admin.call('GET', path)
    const [, row] = csvRows(bytes.toString())
    expect(row?.slice(0, 2)).toEqual(['TEAP-02', fix])
  })

  it.each(['=1+1', '+1', '-1', '@a', '\uff1d1'])('escapes %s so that it is not a formula', async (title) => {
    const id = await store(guidance(), { id: `F_${title}`, rules: [{ ...rule, title, discussion: title }] })
    const path = `/stigs/${id}/export/csv?columns=title,vuln_discussion,version`
    const { bytes } = await admin.call('GET', path)
    expect(csvRows(bytes.toString())[1]).toEqual([`'${title}`, `'${title}`, 'TEAP-02'])
  })
})
