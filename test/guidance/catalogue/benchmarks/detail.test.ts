import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inventory, store } from '../../../support/catalogue.ts'
import { addRow, entriesOf, rowOf } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { containing, matching } from '../../../support/matchers.ts'
import { xccdfDocument, type SampleRule } from '../../../support/xccdf-document.ts'

const guidance = guidanceService()

const admin = signedIn(guidance, 'Root', { admin: true })

const MIXED: readonly SampleRule[] = [
  { id: 'SV-3r1_rule', version: 'TEAP-02', severity: 'unknown' },
  { id: 'SV-2r1_rule', version: 'TEAP-02', severity: 'info' },
  { id: 'SV-1r1_rule', version: 'TEAP-03', severity: 'high' },
  { id: 'SV-4r1_rule', version: null, severity: 'low' },
  { id: 'SV-5r1_rule', version: 'TEAP-01', severity: null },
]

const rules = z.array(z.looseObject({ rule_id: z.string() }))

describe('A benchmark', () => {
  it('lists its rules by version, then by rule id', async () => {
    const id = await store(guidance(), { id: 'Order_STIG', rules: MIXED })
    const { body } = await admin.call('GET', `/stigs/${id}`)
    const { stig_rules, warnings } = z
      .looseObject({ stig_rules: rules, warnings: z.array(z.looseObject({ code: z.string() })) })
      .parse(body)
    expect(stig_rules.map(({ rule_id }) => rule_id)).toEqual([4, 5, 2, 3, 1].map((number) => `SV-${number}r1_rule`))
    expect(warnings.map(({ code }) => code).sort()).toEqual([
      'duplicate_rule_version',
      'severity_missing',
      'version_missing',
    ])
  })

  it('counts rules of an unknown severity in rule_count only', async () => {
    const id = await store(guidance(), { id: 'Counted_STIG', rules: MIXED })
    expect((await guidance().nobody.call('GET', `/api/stigs/${id}/stats`)).body).toEqual({
      rule_count: 5,
      severity_counts: { high: 1, medium: 1, low: 1 },
    })
  })

  it('returns every documented field of a rule of a STIG', async () => {
    const rule: SampleRule = {
      id: 'SV-7r2_rule',
      group: 'V-7',
      version: 'TEAP-07',
      requirement: 'SRG-TEA-000007',
      severity: 'high',
      weight: '5.0',
      title: 'Shut the lid.',
      documentable: 'true',
      discussion: 'Tea & <b>steam</b>',
      checks: ['Look.', 'Look again.'],
      fix: 'Shut it.',
      cci: ['CCI-000366', 'CCI-000015'],
      legacy: ['V-56571', 'SV-70831'],
    }
    const sample = { id: 'Whole_STIG', title: 'Whole', description: 'All of it.', rules: [rule] }
    const id = await store(guidance(), sample)
    const { body } = await admin.call('GET', `/stigs/${id}`)
    const ids = z
      .object({
        stig_rules: z.array(z.looseObject({ id: z.int(), checks_attributes: z.array(z.looseObject({ id: z.int() })) })),
      })
      .parse(body).stig_rules[0]
    const check = { content_ref_name: 'M', content_ref_href: 'Teapot.xml', _destroy: false }
    expect(body).toEqual({
      id,
      stig_id: 'Whole_STIG',
      title: 'Whole',
      version: 'V1R1',
      is_latest: true,
      name: 'Whole STIG - Ver 1, Rel 1',
      benchmark_date: '2026-01-05',
      severity_counts: { high: 1, medium: 0, low: 0 },
      latest_available_version: 'V1R1',
      latest_available_id: id,
      description: 'All of it.',
      warnings: [{ code: 'several_checks', where: 'SV-7r2_rule', message: containing('SV-7r2_rule') }],
      stig_rules: [
        {
          id: ids?.id,
          rule_id: 'SV-7r2_rule',
          version: 'TEAP-07',
          title: 'Shut the lid.',
          rule_severity: 'high',
          rule_weight: '5.0',
          status: null,
          vuln_id: 'V-7',
          ident: 'CCI-000015, CCI-000366',
          ident_system: 'http://cyber.mil/cci',
          legacy_ids: 'V-56571, SV-70831',
          srg_id: 'SRG-TEA-000007',
          vendor_comments: null,
          nist_control_family: matching(/\bCM-6\b/),
          fixtext: 'Shut it.',
          fixtext_fixref: 'F-SV-7r2_rule_fix',
          fix_id: 'F-SV-7r2_rule_fix',
          idents: [
            { system: 'http://cyber.mil/legacy', value: 'V-56571' },
            { system: 'http://cyber.mil/legacy', value: 'SV-70831' },
            { system: 'http://cyber.mil/cci', value: 'CCI-000366' },
            { system: 'http://cyber.mil/cci', value: 'CCI-000015' },
          ],
          references: [],
          disa_rule_descriptions_attributes: [
            {
              id: ids?.id,
              vuln_discussion: 'Tea & <b>steam</b>',
              documentable: true,
              ...nothing('rationale', 'false_positives', 'false_negatives', 'mitigations', 'poam_available'),
              ...nothing('severity_override_guidance', 'potential_impacts', 'third_party_tools'),
              ...nothing('mitigation_control', 'responsibility', 'ia_controls', 'poam'),
              mitigations_available: null,
              _destroy: false,
            },
          ],
          checks_attributes: [
            { id: ids?.checks_attributes[0]?.id, ...check, content: 'Look.', system: 'C-SV-7r2_rule_chk' },
            { id: ids?.checks_attributes[1]?.id, ...check, content: 'Look again.', system: 'C-SV-7r2_rule_chk1' },
          ],
        },
      ],
    })
  })

  it('has the first fix of a rule that has a text', async () => {
    const id = await store(guidance(), { id: 'Fixed_STIG', rules: [{ id: 'SV-8r1_rule', fix: '' }] })
    const { id: rule_id } = await rowOf(guidance(), 'benchmark_rules', { benchmark_id: id })
    await addRow(guidance(), 'benchmark_fixes', { rule_id, fixref: null, fix_id: 'F-2', text: 'Run it.' })
    const { body } = await admin.call('GET', `/stigs/${id}`)
    expect(body).toMatchObject({ stig_rules: [{ fixtext: 'Run it.', fix_id: 'F-2' }] })
  })

  it('omits the fields of a STIG if it is an SRG', async () => {
    const id = await store(guidance(), { id: 'Lean_SRG', kind: 'srg', rules: 1 })
    const { body } = await admin.call('GET', `/srgs/${id}`)
    const { srg_rules, ...own } = z.looseObject({ srg_rules: z.array(z.record(z.string(), z.unknown())) }).parse(body)
    expect(srg_rules[0]).toMatchObject({ version: 'SRG-TEA-000001', vuln_id: 'V-1000001' })
    expect(srg_rules[0]).not.toHaveProperty('srg_id')
    expect(srg_rules[0]).not.toHaveProperty('vendor_comments')
    expect(own).toMatchObject({ srg_id: 'Lean_SRG', release_date: '2026-01-05', core: false })
    expect(own).not.toHaveProperty('description')
  })

  it('has the counts of an SRG and its dependents for signed-in callers', async () => {
    const id = await store(guidance(), { id: 'Counted_SRG', kind: 'srg', rules: 8 })
    expect((await admin.call('GET', `/api/srgs/${id}/stats`)).body).toEqual({
      rule_count: 8,
      severity_counts: { high: 3, medium: 3, low: 2 },
      usage: { count: 0, components: [] },
    })
  })

  it('with more rules than one query reads is complete', async () => {
    const id = await store(guidance(), { id: 'Large_STIG', rules: 1203 })
    const { body } = await admin.call('GET', `/stigs/${id}`)
    const found = z
      .looseObject({
        stig_rules: z.array(z.looseObject({ rule_id: z.string(), checks_attributes: z.array(z.unknown()).length(1) })),
      })
      .parse(body).stig_rules
    expect(new Set(found.map(({ rule_id }) => rule_id)).size).toBe(1203)
  })
})

describe('An unknown number of a benchmark', () => {
  it.each(['/srgs/{id}', '/api/srgs/{id}/stats', '/srgs/{id}/export/csv', '/srgs/{id}/export/xccdf'])(
    'returns 404 at %s, also for a benchmark of the other kind',
    async (path) => {
      const stig = await store(guidance(), { id: `Kind_${path}` })
      const srg = await store(guidance(), { id: `Kind_${path}`, kind: 'srg', release: '2' })
      const notFound = { status: 404, body: { code: 'not_found' } }
      const getAt = (other: string, id: unknown) => admin.call('GET', other.replace('{id}', String(id)))
      for (const id of [stig, 999_999, 0, 'x', '1e3', '2147483648'])
        expect([id, await getAt(path, id)]).toMatchObject([id, notFound])
      expect(await getAt(path.replace('srgs', 'stigs'), srg)).toMatchObject(notFound)
      expect((await getAt(path, srg)).status).toBe(200)
      expect((await getAt(path.replace('srgs', 'stigs'), stig)).status).toBe(200)
    },
  )
})

describe('A removed benchmark', () => {
  it('is deleted with its records and recorded in the audit trail', async () => {
    const kept = await store(guidance(), { id: 'Kept_STIG', rules: 3 })
    const before = await inventory(guidance())
    const id = await store(guidance(), { id: 'Gone_STIG', rules: 50 })
    const entries = await entriesOf(guidance(), async () => {
      expect((await admin.call('DELETE', `/stigs/${id}`)).body).toEqual({
        toast: { title: 'STIG removed.', variant: 'success', message: 'It is no longer in the catalogue.' },
      })
    })
    expect(entries).toMatchObject([
      { action: 'destroy', auditable_type: 'STIG', auditable_id: id, name: 'Root', audited_name: 'Gone_STIG V1R1' },
    ])
    const { audits } = await inventory(guidance())
    expect({ ...before, audits }).toEqual(await inventory(guidance()))
    expect((await admin.call('GET', `/stigs/${id}`)).status).toBe(404)
    expect((await admin.call('DELETE', `/stigs/${id}`)).status).toBe(404)
    expect((await admin.call('GET', `/stigs/${kept}`)).status).toBe(200)
  })

  it('must be of the given kind', async () => {
    const stig = await store(guidance(), { id: 'Wrong_STIG' })
    const before = await inventory(guidance())
    expect(await admin.call('DELETE', `/srgs/${stig}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await inventory(guidance())).toEqual(before)
  })

  it('makes the previous release the newest', async () => {
    const [old, young] = [
      await store(guidance(), { id: 'Line_STIG' }),
      await store(guidance(), { id: 'Line_STIG', release: '2' }),
    ]
    await admin.call('DELETE', `/stigs/${young}`)
    expect((await admin.call('GET', `/stigs/${old}`)).body).toMatchObject({ is_latest: true })
  })

  it('can be imported again', async () => {
    const sample = xccdfDocument({ id: 'Again_STIG' })
    await admin.call('DELETE', `/stigs/${await store(guidance(), sample)}`)
    const { status } = await admin.call('POST', '/stigs', { form: { file: sample } })
    expect(status).toBe(200)
  })
})

function nothing(...names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]))
}
