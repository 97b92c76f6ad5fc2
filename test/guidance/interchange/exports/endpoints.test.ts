import { beforeAll, describe, expect, it } from 'vitest'
import { findComponentHistory } from '../../../../src/guidance/activity/audits/reader.ts'
import { componentMember, rulesInOrder } from '../../../support/authoring.ts'
import { csvRows } from '../../../support/csv.ts'
import { rowOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { comment } from './comments.ts'
import { makeTeapot } from './teapot.ts'
import { unzip } from './unzip.ts'

const guidance = guidanceService()
const owner = signedIn(guidance, 'Owner')
let projectId: number
let stig: number
let srg: number
let second: number
let released: number

beforeAll(async () => {
  projectId = await guidance().project(owner, { name: 'Kitchen / 1', visibility: 'hidden' })
  stig = (await makeTeapot(guidance(), owner, { projectId, name: 'Red Pot 9' })).id
  srg = (await makeTeapot(guidance(), owner, { projectId, kind: 'srg', name: 'Pots' })).id
  second = (await makeTeapot(guidance(), owner, { projectId, name: 'Red Pot 10' })).id
  const elsewhere = await guidance().project(owner, { name: 'Other', visibility: 'hidden' })
  released = (await makeTeapot(guidance(), owner, { projectId: elsewhere, name: 'Old Pot' })).id
  await setRows(guidance(), 'components', { released: 1, released_at: '2025-03-04T05:06:07.000Z' }, { id: released })
})

describe('GET /components/{id}/export/{type}', () => {
  it.each([
    ['csv', 'text/csv; charset=utf-8; header=present', 'Red-Pot-9-V1R2.csv'],
    ['xccdf', 'application/xml', 'Red-Pot-9-V1R2-xccdf.xml'],
    ['xccdf_1_2', 'application/xml', 'Red-Pot-9-V1R2-xccdf-1.2.xml'],
    ['inspec', 'application/zip', 'Red-Pot-9-V1R2-inspec.zip'],
    ['oscal', 'application/json', 'Red-Pot-9-V1R2-oscal.json'],
    ['ckl', 'application/xml', 'Red-Pot-9-V1R2.ckl'],
    ['cklb', 'application/json', 'Red-Pot-9-V1R2.cklb'],
    ['disposition_csv', 'text/csv; charset=utf-8; header=present', 'Red-Pot-9-V1R2-disposition.csv'],
  ])('returns a file as %s', async (type, mediaType, fileName) => {
    const { status, headers } = await owner.call('GET', `/components/${stig}/export/${type}`)
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      mediaType,
      `attachment; filename=${fileName}`,
    ])
    expect(headers['cache-control']).toBe('no-store')
  })

  it.each(['excel', 'disa_excel'])('returns a workbook as %s', async (type) => {
    const { status, headers, bytes } = await owner.call('GET', `/components/${stig}/export/${type}`)
    expect([status, headers['content-type']]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ])
    expect(bytes.subarray(0, 2).toString()).toBe('PK')
  })

  it('accepts the version of XCCDF as a parameter', async () => {
    const { body } = await owner.call('GET', `/components/${stig}/export/xccdf?version=1.2`)
    expect(body).toContain('xmlns="http://checklists.nist.gov/xccdf/1.2"')
  })

  it('exports the applicable requirements of an SRG', async () => {
    const { body } = await owner.call('GET', `/components/${srg}/export/xccdf`)
    expect([...String(body).matchAll(/<version>([^<]+)<\/version>/g)].map(([, version]) => version)).toEqual([
      '1',
      'SRG-TEA-000001-TEAP-000001',
      'SRG-TEA-000003-POT-000003',
    ])
    const asked = await owner.call('GET', `/components/${srg}/export/xccdf?mode=published_srg`)
    expect(asked.body).toBe(body)
  })

  it('uses the day of the release as date', async () => {
    const { body } = await owner.call('GET', `/components/${released}/export/xccdf`)
    expect(body).toContain('Benchmark Date: 04 Mar 2025')
  })

  it('omits rules that another rule satisfies', async () => {
    const path = `/components/${stig}/export/csv`
    const everyRule = await owner.call('GET', path)
    const unsatisfied = await owner.call('GET', `${path}?exclude_satisfied_by=true`)
    expect([csvRows(String(everyRule.body)).length, csvRows(String(unsatisfied.body)).length]).toEqual([7, 6])
  })

  it.each([
    ['odd', ''],
    ['json', ''],
    ['constructor', ''],
    ['csv', '?mode=published_stig'],
    ['xccdf', '?mode=vendor_submission'],
  ])('refuses %s%s with a toast', async (type, query) => {
    const { status, body } = await owner.call('GET', `/components/${stig}/export/${type}${query}`)
    expect([status, body]).toMatchObject([
      400,
      { code: 'parameter_invalid', toast: { title: 'Export not available.', variant: 'danger' } },
    ])
  })

  it.each(['mode=odd', 'version=2', 'triage_status=odd'])('refuses %s', async (query) => {
    const { status, body } = await owner.call('GET', `/components/${stig}/export/csv?${query}`)
    expect([status, body]).toMatchObject([400, { parameter: query.split('=')[0] }])
  })

  it.each(['csv', 'excel', 'disa_excel', 'inspec', 'oscal'])('does not support %s for an SRG', async (type) => {
    const { status, body } = await owner.call('GET', `/components/${srg}/export/${type}`)
    expect([status, body]).toMatchObject([422, { toast: { title: 'Export not available.' } }])
  })

  it.each(['application/json', 'application/json, text/plain, */*'])(
    'only reports whether a file exists for Accept: %s',
    async (Accept) => {
      const headers = { Accept }
      const good = await owner.call('GET', `/components/${stig}/export/csv`, { headers })
      expect([good.status, good.body]).toEqual([200, { status: 'ok' }])
      const bad = await owner.call('GET', `/components/${srg}/export/csv`, { headers })
      expect(bad.status).toBe(422)
    },
  )

  it.each(['*/*', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/csv'])(
    'sends the file for Accept: %s',
    async (Accept) => {
      const { body } = await owner.call('GET', `/components/${stig}/export/csv`, { headers: { Accept } })
      expect(String(body)).toContain('STIGID')
    },
  )

  it('answers HEAD without the file', async () => {
    const { status, headers, bytes } = await owner.call('HEAD', `/components/${stig}/export/ckl`)
    expect([status, headers['content-type'], bytes.length]).toEqual([200, 'application/xml', 0])
  })

  it('offers released components to everybody, but without the disposition of comments', async () => {
    const client = await guidance().signUp('Stranger')
    const table = await client.call('GET', `/components/${released}/export/csv`)
    const disposition = await client.call('GET', `/components/${released}/export/disposition_csv`)
    const hidden = await client.call('GET', `/components/${stig}/export/csv`)
    expect([table.status, disposition.status, hidden.status]).toEqual([200, 403, 404])
  })

  it('offers the disposition of comments to an author who is only a component member', async () => {
    const author = await guidance().person('Partial')
    await componentMember(guidance(), second, { person: author, role: 'author' })
    const client = await guidance().signIn(author.email)
    const { status } = await client.call('GET', `/components/${second}/export/disposition_csv`)
    expect(status).toBe(200)
  })

  it('records the export of comments in the audit trail, but not the check before it', async () => {
    const path = `/components/${stig}/export/disposition_csv`
    const noted = async (): Promise<number> => {
      const history = await findComponentHistory(guidance().service.guidance.database.read, stig)
      return history.filter(({ action, comment: text }) => action === 'custom' && text === 'export_disposition_csv')
        .length
    }
    const before = await noted()
    await owner.call('GET', path, { headers: { Accept: 'application/json' } })
    expect(await noted()).toBe(before)
    await owner.call('GET', path)
    expect(await noted()).toBe(before + 1)
  })
})

describe('The disposition of comments', () => {
  const path = (query = ''): string => `/components/${stig}/export/disposition_csv${query}`

  beforeAll(async () => {
    const rules = await rulesInOrder(guidance(), stig)
    const [rule = 0, other = 0] = rules.map(({ id }) => id)
    const first = await comment(guidance(), owner, { component: stig, rule, text: '=1+1' })
    const accepted = { suggested_field: 'fixtext', suggested_text: 'Shut it.', accepted_text: 'Shut it now.' }
    await setRows(guidance(), 'reviews', { ...accepted, addressed_by_rule_id: other }, { id: first })
    await comment(guidance(), owner, { component: stig, rule, text: 'Yes', replyTo: first })
    await comment(guidance(), owner, { component: stig, rule, text: 'No', replyTo: first })
    await comment(guidance(), owner, { component: stig, rule: null, text: 'Whole', concur: true })
  })

  it('is a table without a byte order mark and with escaped formulas', async () => {
    const { body, bytes } = await owner.call('GET', path())
    expect(bytes[0]).toBe('C'.charCodeAt(0))
    const [header, firstRow, secondRow, ...rest] = csvRows(String(body))
    expect(header).toEqual([
      'Comment ID',
      'Rule',
      'SRG ID',
      'Section',
      'Commenter Name',
      'Comment',
      'Posted',
      'Triage Status',
      'Triaged By',
      'Triaged At',
      'Thread Replies',
      'Adjudicated',
      'Adjudicated By',
      'Adjudicated At',
      'Duplicate Of',
      'Addressed By',
      'Suggested Field',
      'Suggested Text',
      'Accepted Text',
    ])
    expect(firstRow?.slice(1)).toEqual([
      'TEAP-00-000001',
      'SRG-TEA-000001-POT-000001',
      'fixtext',
      'Owner',
      "'=1+1",
      '2026-01-05T10:00:00.000Z',
      'pending',
      '',
      '',
      'Owner, 2026-01-05T10:00:00.000Z: Yes\nOwner, 2026-01-05T10:00:00.000Z: No',
      'No',
      '',
      '',
      '',
      'TEAP-00-000002',
      'Fix',
      'Shut it.',
      'Shut it now.',
    ])
    expect(secondRow?.slice(1)).toEqual([
      '(component)',
      '',
      'fixtext',
      'Owner',
      'Whole',
      '2026-01-05T10:00:00.000Z',
      'concur',
      'Owner',
      '2026-01-06T10:00:00.000Z',
      '',
      'Yes',
      'Owner',
      '2026-01-07T10:00:00.000Z',
      '',
      '',
      '',
      '',
      '',
    ])
    expect(rest).toEqual([])
  })

  it('is filtered by status', async () => {
    const { body } = await owner.call('GET', path('?triage_status=concur'))
    expect(csvRows(String(body)).length).toBe(2)
  })

  it('has addresses for administrators who request them, and for nobody else', async () => {
    const author = await guidance().person('Writer')
    await guidance().member(projectId, author, 'author')
    const client = await guidance().signIn(author.email)
    const { id } = await rowOf(guidance(), 'reviews', { component_id: stig, comment: 'Whole' })
    await setRows(guidance(), 'reviews', { user_id: null, author_email: 'zoe@example.com' }, { id })
    const seen = await owner.call('GET', path('?include_email=true'))
    const kept = await client.call('GET', path('?include_email=true'))
    expect(csvRows(String(seen.body))[0]).toContain('Commenter Email')
    expect(String(seen.body)).toContain(owner.email)
    expect(String(seen.body)).toContain('zoe@example.com')
    expect(csvRows(String(kept.body))[0]).not.toContain('Commenter Email')
    expect(String(kept.body)).not.toContain(owner.email)
  })

  it('covers all components of a project in one table', async () => {
    const { body, headers } = await owner.call('GET', `/projects/${projectId}/export/disposition_csv`)
    expect(headers['content-disposition']).toBe('attachment; filename=Kitchen-1-disposition.csv')
    const [header, firstRow] = csvRows(String(body))
    expect([header?.[0], firstRow?.[0]]).toEqual(['Component', 'TEAP-00 - Red Pot 9'])
  })
})

describe('GET /projects/{id}/export/{type}', () => {
  it.each([
    ['csv', ['TEAP-00-V1R2.csv', 'TEAP-00-V1R2-2.csv']],
    ['xccdf', ['TEAP-00-V1R2-xccdf.xml', 'TEAP-00-V1R2-2-xccdf.xml', 'TEAP-00-V1R2-3-xccdf.xml']],
    ['ckl', ['TEAP-00-V1R2.ckl', 'TEAP-00-V1R2-2.ckl', 'TEAP-00-V1R2-3.ckl']],
  ])('returns a zip with a file of each component as %s', async (type, names) => {
    const { status, headers, bytes } = await owner.call('GET', `/projects/${projectId}/export/${type}`)
    expect([status, headers['content-type']]).toEqual([200, 'application/zip'])
    expect([...(await unzip(bytes)).keys()]).toEqual(names)
  })

  it('has a folder for each InSpec profile', async () => {
    const { bytes } = await owner.call('GET', `/projects/${projectId}/export/inspec`)
    const folders = new Set([...(await unzip(bytes)).keys()].map((name) => name.split('/')[0]))
    expect([...folders]).toEqual([`red-pot-9-${stig}`, `red-pot-10-${second}`])
  })

  it('has only the requested components', async () => {
    const { headers, body } = await owner.call('GET', `/projects/${projectId}/export/csv?component_ids=${second}`)
    expect(headers['content-disposition']).toBe('attachment; filename=Red-Pot-10-V1R2.csv')
    expect(csvRows(String(body)).length).toBe(7)
  })

  it('returns 404 for a component of another project', async () => {
    const path = `/projects/${projectId}/export/csv?component_ids=${stig},${released}`
    expect((await owner.call('GET', path)).status).toBe(404)
  })

  it.each(['', 'x', '1,', '0', '-1', '1;2'])('refuses the components "%s"', async (ids) => {
    const path = `/projects/${projectId}/export/csv?component_ids=${ids}`
    expect(await owner.call('GET', path)).toMatchObject({ status: 400, body: { parameter: 'component_ids' } })
  })

  it('refuses an export without a component', async () => {
    const path = `/projects/${projectId}/export/csv?component_ids=${srg}`
    expect((await owner.call('GET', path)).body).toMatchObject({
      status: 422,
      toast: { title: 'Export not available.' },
    })
    const empty = await guidance().project(owner, { name: 'Empty' })
    const { status, body } = await owner.call('GET', `/projects/${empty}/export/xccdf`)
    expect([status, body]).toMatchObject([422, { errors: [{ field: null }] }])
  })

  it('only reports whether a file exists if JSON is requested', async () => {
    const { body } = await owner.call('GET', `/projects/${projectId}/export/excel`, {
      headers: { Accept: 'application/json' },
    })
    expect(body).toEqual({ status: 'ok' })
  })
})

describe('GET /components/bulk_export/{type}', () => {
  it('exports released components for everybody', async () => {
    const anybody = await guidance().signUp('Anybody')
    const path = `/components/bulk_export/inspec?component_ids=${released}`
    const { status, bytes } = await anybody.call('GET', path)
    expect(status).toBe(200)
    // Only the configurable rule is exported.
    expect([...(await unzip(bytes)).keys()]).toEqual(['inspec.yml', 'controls/TEAP-00-000001.rb'])
  })

  it('returns 404 for unreleased components, even to their owner', async () => {
    const path = `/components/bulk_export/csv?component_ids=${released},${stig}`
    expect((await owner.call('GET', path)).status).toBe(404)
  })

  it('requires the ids of components', async () => {
    expect((await owner.call('GET', '/components/bulk_export/csv')).status).toBe(400)
  })

  it.each(['excel', 'disposition_csv', 'ckl', 'odd'])('does not support %s', async (type) => {
    const path = `/components/bulk_export/${type}?component_ids=${released}`
    expect((await owner.call('GET', path)).body).toMatchObject({ status: 400, parameter: 'type' })
  })
})
