// @module-tag node

import { beforeEach, describe, expect, it } from 'vitest'
import { emptyCatalogue, inventory, send, sendGood } from '../../../support/catalogue.ts'
import { rowsOf } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, type Answer } from '../../../support/guidance.ts'
import { containing, matching } from '../../../support/matchers.ts'
import { sampleRules, xccdfDocument } from '../../../support/xccdf-document.ts'
import { zipOf } from '../../../support/zip.ts'

const guidance = guidanceService()

const TEAPOT = xccdfDocument()
const OTHER_TEAPOT = xccdfDocument({ rules: 3 })

const admin = signedIn(guidance, 'Root', { admin: true })

beforeEach(() => emptyCatalogue(guidance()))

describe('A zip', () => {
  const inner = { 'b/Kettle-xccdf.xml': xccdfDocument({ id: 'Kettle_STIG' }) }

  it('is imported by member, and a refused member does not block the others', async () => {
    await sendGood(admin, xccdfDocument({ id: 'Cup_STIG' }))
    const zip = await zipOf({
      'readme.txt': 'Nothing to see here.',
      'a/Teapot-xccdf.xml': TEAPOT,
      'inner.zip': await zipOf(inner),
      'answers.ckl': '<CHECKLIST/>',
      'broken-xccdf.xml': TEAPOT.slice(0, -30),
      'cup-xccdf.xml': xccdfDocument({ id: 'Cup_STIG' }),
      'other-teapot-xccdf.xml': OTHER_TEAPOT,
      'z-xccdf.xml': xccdfDocument({ id: 'Saucer_SRG', kind: 'srg' }),
    })
    const answer = await sendGood(admin, zip, { fileName: 'library.zip' })
    const names = (members: readonly { readonly member: string | null }[]) => members.map(({ member }) => member)
    expect(names(answer.imported)).toEqual(['a/Teapot-xccdf.xml', 'inner.zip/b/Kettle-xccdf.xml', 'z-xccdf.xml'])
    expect(names(answer.already_imported)).toEqual(['cup-xccdf.xml'])
    expect(answer.refused).toEqual([
      {
        member: 'broken-xccdf.xml',
        code: 'xml_not_well_formed',
        title: 'The XML is not well-formed',
        detail: matching(/./),
      },
      {
        member: 'other-teapot-xccdf.xml',
        code: 'version_taken',
        title: 'The version exists with other content',
        detail: containing('Teapot_STIG V1R1'),
      },
    ])
    expect(answer.skipped).toMatchObject([{ member: 'answers.ckl', detail: containing('CKL') }])
    expect(answer.toast).toEqual({
      title: '3 benchmarks imported.',
      message: '1 already imported, 2 refused, 1 skipped',
      variant: 'warning',
    })
    expect(answer).toMatchObject({ done: 7, total: 7 })
    expect(await inventory(guidance())).toMatchObject({ benchmarks: 4, benchmark_rules: 8, files: [] })
  })

  it('without a usable member is refused with a reason for each member', async () => {
    const before = await inventory(guidance())
    const zip = await zipOf({
      'a-xccdf.xml': '<a/>',
      'b-xccdf.xml': xccdfDocument({ rules: 0 }),
      'c-xccdf.xml': '',
      'd-xccdf.xml': '<',
    })
    const { status, body } = await send(admin, zip)
    expect({ status, body }).toMatchObject({
      status: 422,
      body: {
        code: 'nothing_imported',
        detail: matching(/^a-xccdf\.xml: .* b-xccdf\.xml: .* and 1 more$/),
        refused: [
          { member: 'a-xccdf.xml', code: 'not_a_benchmark' },
          { member: 'b-xccdf.xml', code: 'missing_field' },
          { member: 'c-xccdf.xml', code: 'empty_file' },
          { member: 'd-xccdf.xml', code: 'xml_not_well_formed' },
        ],
        toast: { title: 'Upload rejected.', variant: 'danger' },
      },
    })
    expect(await inventory(guidance())).toEqual(before)
  })

  it('with results only is refused with a message about results', async () => {
    const { status, body } = await send(admin, await zipOf({ 'a.ckl': '<CHECKLIST/>' }))
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { code: 'no_benchmark_in_zip', detail: matching(/zip\. a\.ckl: .* CKL checklist/) },
    })
  })

  it('keeps all of many rules in their order', async () => {
    const rules = sampleRules(123).toReversed()
    const { imported } = await sendGood(admin, await zipOf({ 'x.xml': xccdfDocument({ rules }) }))
    expect(imported).toMatchObject([{ rule_count: 123 }])
    const stored = await rowsOf(guidance(), 'benchmark_rules')
    expect(stored).toMatchObject(rules.map(({ id }, position) => ({ rule_id: id, position })))
  })
})

describe('Two uploads at once', () => {
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

  it('of the same benchmark import it once', async () => {
    const answers = await Promise.all([sendGood(admin, TEAPOT), sendGood(admin, TEAPOT)])
    expect(answers.map(({ imported }) => imported.length).sort()).toEqual([0, 1])
    expect(answers.map((answer) => answer.already_imported.length).sort()).toEqual([0, 1])
    expect(await inventory(guidance())).toMatchObject({ benchmarks: 1, benchmark_rules: 2, files: [] })
  })

  it('of one version with different content import one of them', async () => {
    const answers = await Promise.all([send(admin, TEAPOT), send(admin, OTHER_TEAPOT)])
    expect(statuses(answers)).toEqual([200, 409])
    expect(await inventory(guidance())).toMatchObject({ benchmarks: 1, benchmark_files: 1, files: [] })
  })

  it('of different releases import both', async () => {
    const files = ['1', '2', '3', '4'].map((release) => xccdfDocument({ release, rules: 50 }))
    const answers = await Promise.all(files.map((file) => send(admin, file)))
    expect(statuses(answers)).toEqual([200, 200, 200, 200])
    expect(await inventory(guidance())).toMatchObject({ benchmarks: 4, benchmark_rules: 200, files: [] })
  })
})
