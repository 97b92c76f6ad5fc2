import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent, storeSrg } from '../../../support/authoring.ts'
import { waitingFiles } from '../../../support/catalogue.ts'
import { encodeParts, fieldPart, type Form } from '../../../support/form.ts'
import { countRows, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, type Answer, type Client } from '../../../support/guidance.ts'
import { csvOf, xlsxOf, type SheetRow } from '../../../support/spreadsheet.ts'
import { zipOf } from '../../../support/zip.ts'

const service = guidanceService()
const owner = signedIn(service, 'Ann')
let projectId = 0
let srgId = 0

beforeAll(async () => {
  projectId = await service().project(owner)
  srgId = await storeSrg(service(), 'stig', 3)
})

const ROW: SheetRow = { SRGID: 'SRG-TEA-000001', STIGID: 'POTS-01-000001', Requirement: 'Shut it.' }

function fieldsOf(fields: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
    'component[name]': 'Pots',
    'component[title]': 'Pots Guide',
    'component[security_requirements_guide_id]': String(srgId),
    ...fields,
  }
}

function send(form: Form, by: Client = owner, into = projectId): Promise<Answer> {
  return by.call('POST', `/projects/${into}/components`, { form })
}

const TABLES = ['components', 'rules', 'audits', 'events', 'component_srgs'] as const

/** A refusal that left nothing behind, neither in the database nor on the disk. */
async function refused(form: Form, by?: Client, into?: number): Promise<Answer> {
  const before = await countRows(service(), TABLES)
  const answer = await send(form, by, into)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(await countRows(service(), TABLES)).toEqual(before)
  const { folder } = service().service.guidance.uploads
  expect(await waitingFiles(folder.replace(/\/uploads$/, ''))).toEqual([])
  return answer
}

describe('POST /projects/{id}/components with a spreadsheet', () => {
  it.each([
    ['CSV', () => Promise.resolve(Buffer.from(csvOf([ROW]))), 'pots.csv'],
    ['a workbook', () => xlsxOf([ROW]), 'pots.xlsx'],
    ['a workbook that is called something else', () => xlsxOf([ROW]), 'pots'],
  ])('creates a component from %s', async (_what, file, fileName) => {
    const { status, body } = await send({ file: await file(), fileName, fields: fieldsOf() })
    expect([status, body]).toMatchObject([
      200,
      {
        toast: {
          title: 'Component added.',
          message: '1 rules from the spreadsheet; 2 requirements were missing in it.',
          variant: 'success',
        },
      },
    ])
    const { id, redirect_url } = z.looseObject({ id: z.int(), redirect_url: z.string() }).parse(body)
    expect(redirect_url).toBe(`/components/${id}`)
    const seen = await owner.call('GET', `/components/${id}`)
    expect(seen.body).toMatchObject({
      name: 'Pots',
      title: 'Pots Guide',
      prefix: 'POTS-01',
      project_id: projectId,
      security_requirements_guide_id: srgId,
      released: false,
      document_type: 'stig',
      rules: [
        { rule_id: '000001', title: 'Shut it.', locked: false },
        { rule_id: '000002', version: 'SRG-TEA-000002' },
        { rule_id: '000003', version: 'SRG-TEA-000003' },
      ],
    })
  })

  it('creates a component with a new prefix from the vendor sheet of another one', async () => {
    const { id } = await makeComponent(service(), owner, { projectId, srgId, name: 'Vendor' })
    await setRows(
      service(),
      'rules',
      { status: 'Applicable - Inherently Meets', artifact_description: 'A photograph.' },
      { component_id: id },
    )
    const { bytes: file } = await owner.call('GET', `/components/${id}/export/disa_excel`)
    const refusal = await refused({ file, fileName: 'vendor.xlsx', fields: fieldsOf() })
    expect(refusal.body).toMatchObject({
      status: 422,
      error: 'There is no STIGID. Give a prefix of the form AAAA-00 for the ids.',
    })
    const fields = fieldsOf({ 'component[prefix]': 'VEND-01' })
    const { status, body } = await send({ file, fileName: 'vendor.xlsx', fields })
    expect([status, body]).toMatchObject([200, { toast: { message: '3 rules from the spreadsheet.' } }])
    const created = z.looseObject({ id: z.int() }).parse(body)
    expect((await owner.call('GET', `/components/${created.id}`)).body).toMatchObject({
      prefix: 'VEND-01',
      rules: [1, 2, 3].map((number) => ({
        rule_id: `00000${number}`,
        version: `SRG-TEA-00000${number}`,
        status: 'Applicable - Inherently Meets',
      })),
    })
  })

  it('accepts field names with or without component[…]', async () => {
    const fields = {
      name: 'Plain',
      title: 'Plain Guide',
      security_requirements_guide_id: String(srgId),
      version: '2',
      release: '3',
      description: 'All.',
      admin_name: 'Bob',
      admin_email: 'bob@example.org',
      slack_channel_id: 'C1',
      unknown: 'x',
    }
    const { body } = await send({ file: csvOf([ROW]), fields })
    const { id } = z.looseObject({ id: z.int() }).parse(body)
    expect((await owner.call('GET', `/components/${id}`)).body).toMatchObject({
      name: 'Plain',
      version: 2,
      release: 3,
      description: 'All.',
      admin_name: 'Bob',
      admin_email: 'bob@example.org',
      metadata: { 'Slack Channel ID': 'C1' },
    })
  })

  const unreadable = [
    ['nothing', '', 'spreadsheet_unusable'],
    ['a header alone', csvOf([]), 'spreadsheet_unusable'],
    ['an unknown header', csvOf([ROW], ['SRGID', 'Nose']), 'spreadsheet_unusable'],
    ['a foreign SRGID', csvOf([{ ...ROW, SRGID: 'X' }]), 'spreadsheet_unusable'],
    ['bytes that are no text', Buffer.from([0x81, 0x8d, 0x41]), 'bad_encoding'],
    ['a zip of other things', zipOf({ 'a.txt': 'a' }), 'unsupported_file_type'],
    ['half a zip', xlsxOf([ROW]).then((whole) => whole.subarray(0, 500)), 'bad_zip'],
  ] as const

  it.each(unreadable)('refuses %s, and also reports it in the member error', async (_name, file, code) => {
    const { body } = await refused({ file: await file, fields: fieldsOf() })
    expect(body).toMatchObject({ code })
    const { detail, error } = z.looseObject({ detail: z.string(), error: z.string() }).parse(body)
    expect(error).toBe(detail)
  })

  it.each([
    ['component[name]', '', 'name'],
    ['component[name]', 'x'.repeat(256), 'name'],
    ['component[title]', ' ', 'title'],
    ['component[title]', 'x'.repeat(501), 'title'],
    ['component[security_requirements_guide_id]', 'x', 'security_requirements_guide_id'],
    ['component[security_requirements_guide_id]', '', 'security_requirements_guide_id'],
    ['component[version]', '1.5', 'version'],
    ['component[version]', '-1', 'version'],
    ['component[release]', 'two', 'release'],
    ['component[description]', 'x'.repeat(5001), 'description'],
    ['component[admin_name]', 'x'.repeat(256), 'admin_name'],
    ['component[admin_email]', 'x'.repeat(256), 'admin_email'],
    ['component[name]', 'x'.repeat(10_001), 'component[name]'],
  ])('refuses the value of %s that is %j', async (name, value, field) => {
    const { status, body } = await refused({ file: csvOf([ROW]), fields: fieldsOf({ [name]: value }) })
    expect([status, body]).toMatchObject([
      422,
      { code: 'validation_failed', errors: [{ field }], toast: { variant: 'danger' } },
    ])
  })

  it('refuses an SRG that is unknown, a STIG or a core SRG', async () => {
    const core = await storeSrg(service(), 'srg')
    const before = csvOf([ROW])
    for (const id of ['2147483647', String(core)]) {
      const fields = fieldsOf({ 'component[security_requirements_guide_id]': id })
      expect([id, (await refused({ file: before, fields })).body]).toMatchObject([
        id,
        { status: 422, code: 'validation_failed' },
      ])
    }
  })

  it('requires the file', async () => {
    const { headers, body: form } = encodeParts([fieldPart('component[name]', 'Pots')])
    const path = `/projects/${projectId}/components`
    const { status, body } = await owner.call('POST', path, { headers, body: form.toString() })
    expect([status, body]).toMatchObject([400, { code: 'parameter_missing', parameter: 'file' }])
  })
})
