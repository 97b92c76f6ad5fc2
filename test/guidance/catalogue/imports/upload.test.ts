import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { emptyCatalogue, inventory, send, sendGood } from '../../../support/catalogue.ts'
import { entriesOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { containing, matching } from '../../../support/matchers.ts'
import { inXccdf12, xccdfDocument, type SampleBenchmark } from '../../../support/xccdf-document.ts'
import { zipOf } from '../../../support/zip.ts'

const guidance = guidanceService()

const TEAPOT = xccdfDocument()
const OTHER_TEAPOT = xccdfDocument({ rules: 3 })

const admin = signedIn(guidance, 'Root', { admin: true })

beforeEach(() => emptyCatalogue(guidance()))

async function detail(path: string): Promise<Record<string, unknown>> {
  const { status, body } = await admin.call('GET', path)
  expect(status).toBe(200)
  return z.record(z.string(), z.unknown()).parse(body)
}

describe('An uploaded file', () => {
  it.each(['/srgs', '/stigs'] as const)(
    'to %s is imported according to its content, and the answer names its kind',
    async (path) => {
      const srg = xccdfDocument({ id: 'Tea_SRG', title: 'Tea SRG', kind: 'srg', rules: 4 })
      for (const [file, kind, title] of [
        [srg, 'srg', 'SRG created.'],
        [TEAPOT, 'stig', 'STIG added.'],
      ] as const) {
        const answer = await sendGood(admin, file, { path, fileName: 'C:\\tea\\pot.xml' })
        const [imported] = answer.imported
        expect(answer).toEqual({
          id: answer.id,
          file_name: 'pot.xml',
          state: 'finished',
          done: 1,
          total: 1,
          problem: null,
          imported: [
            {
              member: null,
              id: imported?.id,
              kind,
              version: 'V1R1',
              replaced: false,
              benchmark_id: kind === 'srg' ? 'Tea_SRG' : 'Teapot_STIG',
              title: kind === 'srg' ? 'Tea SRG' : 'Teapot Security Technical Implementation Guide',
              rule_count: kind === 'srg' ? 4 : 2,
              severity_counts: kind === 'srg' ? { high: 2, medium: 1, low: 1 } : { high: 1, medium: 1, low: 0 },
              warnings: [],
            },
          ],
          already_imported: [],
          refused: [],
          skipped: [],
          reference_data: [],
          created_at: answer.created_at,
          updated_at: answer.updated_at,
          toast: { title, message: 'The catalogue has all benchmarks of the file.', variant: 'success' },
        })
        expect(await detail(`/${kind}s/${imported?.id ?? 0}`)).toMatchObject({ version: 'V1R1' })
      }
      expect(await inventory(guidance())).toMatchObject({ benchmarks: 2, benchmark_rules: 6, files: [] })
    },
  )

  it('with irregularities is imported with a warning for each', async () => {
    const rules = [
      { id: 'SV-1r1_rule', severity: null, version: 'TEAP-1' },
      { id: 'SV-2r1_rule', severity: 'unknown', version: 'TEAP-1', checks: ['One.', 'Two.'] },
      { id: 'SV-3r1_rule', severity: 'info', fix: null },
    ]
    const { imported } = await sendGood(admin, xccdfDocument({ rules, date: 'soon' }))
    expect(imported).toMatchObject([{ rule_count: 3, severity_counts: { high: 0, medium: 1, low: 0 } }])
    const { id = 0, warnings = [] } = imported[0] ?? {}
    expect(warnings.map(({ code, where }) => `${code} ${where}`).sort()).toEqual([
      'duplicate_rule_version SV-2r1_rule',
      'fix_missing SV-3r1_rule',
      'release_date_missing Benchmark/plain-text',
      'several_checks SV-2r1_rule',
      'severity_missing SV-1r1_rule',
    ])
    expect(await detail(`/stigs/${id}`)).toMatchObject({ warnings, benchmark_date: null })
  })

  it('that repeats a benchmark is reported as imported, also with other bytes', async () => {
    const first = await sendGood(admin, TEAPOT)
    const before = await inventory(guidance())
    const utf16 = Buffer.from(`\ufeff${TEAPOT.replace('UTF-8', 'UTF-16')}`, 'utf16le')
    const others = [
      TEAPOT,
      TEAPOT.replaceAll('\n', '\r\n\r\n'),
      utf16,
      inXccdf12(TEAPOT),
      await zipOf({ 'a.xml': TEAPOT }),
    ]
    for (const file of others) {
      const { imported, already_imported, toast } = await sendGood(admin, file)
      expect(imported).toEqual([])
      expect(already_imported).toMatchObject([{ id: first.imported[0]?.id, replaced: false }])
      expect(toast).toMatchObject({ title: 'Already imported.', variant: 'success' })
    }
    expect(await inventory(guidance())).toEqual(before)
  })

  it('is recognised as imported if an earlier program stored it differently', async () => {
    const first = await sendGood(admin, TEAPOT)
    await setRows(guidance(), 'benchmarks', { digest: 'of an earlier program' })
    const { already_imported } = await sendGood(admin, TEAPOT)
    expect(already_imported).toMatchObject([{ id: first.imported[0]?.id }])
    const { imported } = await sendGood(admin, TEAPOT, { fields: { replace: 'true' } })
    expect(imported).toMatchObject([{ id: first.imported[0]?.id, replaced: true }])
  })

  it('with other content under the same id and version is refused', async () => {
    await sendGood(admin, TEAPOT)
    const before = await inventory(guidance())
    const { status, body } = await send(admin, OTHER_TEAPOT)
    expect({ status, body }).toMatchObject({
      status: 409,
      body: {
        code: 'version_taken',
        detail: containing('Teapot_STIG V1R1'),
        toast: { title: 'Upload rejected.', variant: 'danger' },
      },
    })
    expect(await inventory(guidance())).toEqual(before)
  })

  it('with replace=true replaces the stored benchmark and keeps its number', async () => {
    const { imported } = await sendGood(admin, TEAPOT)
    const id = imported[0]?.id ?? 0
    const kept = await sendGood(admin, xccdfDocument({ id: 'Kettle_STIG' }))
    const entries = await entriesOf(guidance(), async () => {
      const replaced = await sendGood(admin, OTHER_TEAPOT, { fields: { replace: 'true' } })
      expect(replaced.imported).toMatchObject([{ id, replaced: true, rule_count: 3 }])
    })
    expect(entries.map(({ action, audited_name }) => [action, audited_name])).toEqual([['update', 'Teapot_STIG V1R1']])
    expect(await detail(`/stigs/${id}`)).toMatchObject({ severity_counts: { high: 1, medium: 1, low: 1 } })
    expect(await detail(`/stigs/${kept.imported[0]?.id ?? 0}`)).toMatchObject({ is_latest: true })
    expect(await inventory(guidance())).toMatchObject({ benchmarks: 2, benchmark_files: 2, benchmark_rules: 5 })
    const { body } = await admin.call('GET', `/stigs/${id}/export/xccdf`)
    expect(body).toBe(OTHER_TEAPOT)
  })

  it('with replace=true and no stored benchmark is imported', async () => {
    const { imported } = await sendGood(admin, TEAPOT, { fields: { replace: 'true' } })
    expect(imported).toMatchObject([{ replaced: false }])
  })

  it('is recorded in the audit trail with its sender', async () => {
    const entries = await entriesOf(guidance(), () =>
      sendGood(admin, xccdfDocument({ id: 'Tea_SRG', kind: 'srg', rules: 5 })),
    )
    expect(entries).toMatchObject([
      {
        action: 'create',
        auditable_type: 'SRG',
        audited_name: 'Tea_SRG V1R1',
        name: 'Root',
        project_id: null,
        changes: [
          { field: 'rules', prev_value: null, new_value: 5 },
          { field: 'digest', prev_value: null, new_value: matching(/^[0-9a-f]{64}$/) },
        ],
      },
    ])
  })
})

describe('Form fields that complete a file', () => {
  const foreign: SampleBenchmark = {
    id: 'org.example.content_benchmark_TEA',
    title: 'A guide to tea',
    official: false,
    rules: [{ id: 'SV-1r1_rule', version: 'TEA-1' }],
  }

  it.each(['srg', 'stig'] as const)("set the kind of another publisher's benchmark to %s", async (kind) => {
    const fields = { document_type: kind }
    const { imported } = await sendGood(admin, xccdfDocument(foreign), { fields })
    expect(imported).toMatchObject([{ kind }])
  })

  it('are ignored if the file has the value', async () => {
    const { imported } = await sendGood(admin, TEAPOT, { fields: { document_type: 'srg', version: 'V9R9' } })
    expect(imported).toMatchObject([{ kind: 'stig', version: 'V1R1' }])
    expect(imported[0]?.warnings.map(({ code }) => code).sort()).toEqual(['document_type_ignored', 'version_ignored'])
  })

  it.each(['V1R2', 'V0R0.1', 'V12R345'])('set the version %s', async (version) => {
    const file = xccdfDocument({ version: null })
    const { imported } = await sendGood(admin, file, { fields: { version } })
    expect(imported).toMatchObject([{ version }])
  })

  it.each([
    ['document_type', 'STIG'],
    ['document_type', ''],
    ['version', '1.2'],
    ['version', 'v1r2'],
    ['version', 'V1R2 '],
    ['version', ''],
    ['replace', 'yes'],
    ['replace', 'TRUE'],
  ])('are refused if %s is %j', async (name, value) => {
    const before = await inventory(guidance())
    const { status, body } = await send(admin, TEAPOT, { fields: { [name]: value } })
    expect({ status, body }).toMatchObject({
      status: 422,
      body: {
        code: 'validation_failed',
        toast: { title: 'Upload rejected.', variant: 'danger' },
        errors: [{ field: name }],
      },
    })
    expect(await inventory(guidance())).toEqual(before)
  })
})
