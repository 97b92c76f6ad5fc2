import { beforeAll, describe, expect, it } from 'vitest'
import { emptyCatalogue, inventory, send, sendGood, store } from '../../../support/catalogue.ts'
import { rowsOf } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { matching } from '../../../support/matchers.ts'
import { sendRaw } from '../../../support/raw-request.ts'
import { sampleRules, xccdfDocument, type SampleRule } from '../../../support/xccdf-document.ts'
import { zipOf } from '../../../support/zip.ts'

const guidance = guidanceService()

const admin = signedIn(guidance, 'Root', { admin: true })

const GOOD = xccdfDocument({ rules: 60 })
const [RULE] = sampleRules(1)
const withRule = (rule: Partial<SampleRule>): string =>
  xccdfDocument({ rules: [...sampleRules(50), { ...RULE, id: 'SV-9r1_rule', ...rule }] })
const nested = '<Group id="g">'.repeat(100) + '</Group>'.repeat(100)
const DOCTYPE = '<!DOCTYPE Benchmark [<!ENTITY lol "lol">]>'

/** Each with the code that it is refused with, the status, and what the refusal names. */
const REFUSED: readonly (readonly [
  what: string,
  code: string,
  status: number,
  named: RegExp,
  file: () => string | Uint8Array | Promise<Uint8Array>,
])[] = [
  ['nothing', 'empty_file', 422, /empty/, () => ''],
  ['blanks', 'empty_file', 422, /blanks/, () => ' \n\t '],
  ['a PDF', 'unsupported_file_type', 422, /PDF/, () => '%PDF-1.7\n'],
  ['HTML', 'unsupported_file_type', 422, /HTML/, () => '<!doctype html><title>Tea</title>'],
  ['JSON', 'unsupported_file_type', 422, /JSON/, () => '{"stigs":[]}'],
  ['noise', 'unsupported_file_type', 422, /not XML/, () => Buffer.from([7, 8, 9, 250, 251])],
  ['a large file', 'too_large', 413, /50 MB/, () => `<a>${' '.repeat(50_000_001)}</a>`],
  ['half a zip', 'bad_zip', 422, /zip/, async () => (await zipOf({ 'a.xml': GOOD })).subarray(0, 200)],
  ['an empty zip', 'no_benchmark_in_zip', 422, /no XCCDF/, () => zipOf({})],
  ['a zip of texts', 'no_benchmark_in_zip', 422, /no XCCDF/, () => zipOf({ 'a.txt': 'Tea' })],
  ['a zip bomb', 'too_large', 413, /a-xccdf\.xml/, () => zipOf({ 'a-xccdf.xml': `${GOOD}${' '.repeat(20_000_000)}` })],
  [
    'a zip of a bad file',
    'nothing_imported',
    422,
    /a-xccdf\.xml: /,
    () => zipOf({ 'a-xccdf.xml': GOOD.slice(0, -20) }),
  ],
  [
    'bytes that are no UTF-8',
    'bad_encoding',
    422,
    /UTF-8/,
    () => Buffer.from(GOOD.replace('Teapot', 'Teap\xf6t'), 'latin1'),
  ],
  ['a document that is cut off', 'xml_not_well_formed', 422, /end/, () => GOOD.slice(0, -20)],
  ['two roots', 'xml_not_well_formed', 422, /./, () => `${GOOD}<a/>`],
  ['too many levels', 'xml_too_deep', 422, /64/, () => GOOD.replace('</Benchmark>', nested)],
  ['entities', 'dtd_not_allowed', 422, /DOCTYPE/, () => GOOD.replace('<B', `${DOCTYPE}<B`)],
  ['scan results', 'not_a_benchmark', 422, /TestResult/, () => '<TestResult/>'],
  ['a checklist', 'not_a_benchmark', 422, /CKL/, () => '<CHECKLIST></CHECKLIST>'],
  ['another root', 'not_a_benchmark', 422, /teapot/, () => '<teapot/>'],
  ['no rules', 'missing_field', 422, /no Rule/, () => xccdfDocument({ rules: [] })],
  ['no id', 'missing_field', 422, /Benchmark id/, () => xccdfDocument({ id: '' })],
  ['a rule without id', 'missing_field', 422, /Rule id.*51/, () => withRule({ id: ' ' })],
  ['a long id', 'field_too_long', 422, /255/, () => withRule({ id: 'x'.repeat(256) })],
  ['a long title', 'field_too_long', 422, /10,000/, () => withRule({ title: 'x'.repeat(10_001) })],
  ['a long text', 'field_too_long', 422, /./, () => withRule({ fix: 'x'.repeat(1_000_001) })],
  ['an id of dots', 'invalid_id', 422, /dots/, () => xccdfDocument({ id: '..' })],
  ['one id twice', 'duplicate_rule_id', 422, /SV-1000001/, () => withRule({ id: 'SV-1000001r1_rule' })],
  ['no version', 'version_unknown', 422, /V1R2/, () => xccdfDocument({ version: null })],
  ['no release', 'version_unknown', 422, /V1R2/, () => xccdfDocument({ release: 'soon' })],
  [
    'a guide of others',
    'unknown_benchmark_kind',
    422,
    /document_type/,
    () => xccdfDocument({ id: 'guide', title: 'A guide', official: false }),
  ],
  ['other content', 'version_taken', 409, /Taken_STIG V1R1/, () => xccdfDocument({ id: 'Taken_STIG' })],
]

describe('A refused file', () => {
  beforeAll(async () => {
    await store(guidance(), { id: 'Taken_STIG', rules: 7 })
  })

  it.for(REFUSED)('because it is %s (%s, %i) leaves nothing behind', async ([, code, status, named, file]) => {
    const before = await inventory(guidance())
    const answer = await send(admin, await file())
    expect(answer).toMatchObject({ status, body: { code, toast: { title: 'Upload rejected.', variant: 'danger' } } })
    expect(answer.body).toMatchObject({ detail: matching(named) })
    expect(await inventory(guidance())).toEqual(before)
  })

  it('does not block the next one', async () => {
    const { imported } = await sendGood(admin, GOOD)
    expect(imported).toMatchObject([{ benchmark_id: 'Teapot_STIG', rule_count: 60 }])
    await emptyCatalogue(guidance())
  })

  it('is recorded with the reason', async () => {
    await send(admin, '<teapot/>', { fileName: 'teapot.xml' })
    const { id = 0 } = (await rowsOf(guidance(), 'imports')).at(-1) ?? {}
    expect((await admin.call('GET', `/api/imports/${id}`)).body).toMatchObject({
      state: 'refused',
      file_name: 'teapot.xml',
      imported: [],
      problem: { code: 'not_a_benchmark', status: 422 },
    })
  })
})

describe('A caller who is not a site administrator', () => {
  it.each(['/srgs', '/stigs'])('is refused at %s before the file is read', async (path) => {
    await guidance().person(`User${path.slice(1)}`)
    const user = await guidance().signIn(`user${path.slice(1)}@example.org`)
    const form = 'Content-Type: multipart/form-data; boundary=a\r\nContent-Length: 400000000'
    const session = `Cookie: ${user.cookie}\r\nX-CSRF-Token: ${user.csrfToken}`
    const before = await inventory(guidance())
    for (const [headers, status] of [
      [form, 401],
      [`${form}\r\n${session}`, 403],
    ] as const) {
      const request = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}`
      // Only the beginning of the body is sent.
      const answer = await sendRaw(guidance().service.baseUrl, `${request}\r\n\r\n--a\r\n`)
      expect(answer.status).toBe(status)
    }
    expect(await inventory(guidance())).toEqual(before)
  })
})
