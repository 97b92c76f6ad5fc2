// @module-tag node

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findRules, ofComponent, type AuthoredRule } from '../../../../src/guidance/authoring/rules/reader.ts'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { addRow, rowOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { matching } from '../../../support/matchers.ts'
import type { SampleRule } from '../../../support/xccdf-document.ts'

const service = guidanceService()

const REQUIREMENTS: readonly SampleRule[] = [1, 2, 3, 4, 5, 6, 7].map((number) => ({
  id: `SV-${number}r1_rule`,
  version: `SRG-TEA-00000${number}`,
  title: `The teapot must be number ${number}.`,
  discussion: `Because of ${number}.`,
  checks: number === 1 ? ['Look at the lid.', 'Look at the spout.'] : [`Look at ${number}.`],
  fix: number === 2 ? 'x'.repeat(12_000) : `Mend ${number}.`,
  ...(number === 5 && { severity: 'unknown' }),
}))

const BODY = "  describe file('/lid') do\n    it { should exist }\n  end\n"

/** Texts that authors wrote, by the number of the rule. */
const WRITTEN: ReadonlyMap<number, Readonly<Record<string, string | null>>> = new Map([
  [
    1,
    {
      status: 'Applicable - Configurable',
      inspec_control_body: BODY,
      mitigations: '-5 °C',
      vendor_comments: '=1+1',
      fixtext: "'=quoted",
      vuln_discussion: ' é 🫖 "b", ]]> ',
    },
  ],
  [
    2,
    {
      status: 'Applicable - Inherently Meets',
      artifact_description: "''@photo\n\n",
      inspec_control_body: `${BODY}# ${'y'.repeat(40_000)}`,
    },
  ],
  [5, { ident: null, vuln_discussion: null, status: 'Not Applicable', vendor_comments: "'tis" }],
])
const owner = signedIn(service, 'Ann')
let projectId = 0
let made: MadeComponent

beforeAll(async () => {
  projectId = await service().project(owner)
  made = await makeComponent(service(), owner, { projectId, rules: REQUIREMENTS })
  const other = await makeComponent(service(), owner, { projectId, prefix: 'KETL-00', rules: 1 })
  const [first = 0] = made.rules
  for (const [number, values] of WRITTEN) await setRows(service(), 'rules', values, { id: made.rules[number - 1] ?? 0 })
  await addRow(service(), 'rule_checks', { rule_id: first, content: '  Look at the handle.\n\nTwice. ' })
  for (const [child, parent] of [
    [3, first],
    [4, first],
    [6, other.rules[0]],
  ] as const)
    await owner.call('POST', '/rule_satisfactions', {
      body: { rule_id: made.rules[child - 1], satisfied_by_rule_id: parent },
    })
  await owner.call('PUT', `/rules/${made.rules[3] ?? 0}`, { body: { rule: { status: 'Applicable - Configurable' } } })
})

async function contentOf(componentId: number): Promise<readonly object[]> {
  const rules = await findRules(service().service.guidance.database.read, ofComponent(componentId))
  return rules.map(shown)
}

function shown(rule: AuthoredRule): object {
  const { number, title, status, rule_severity, vuln_discussion, fixtext, ident } = rule
  const { status_justification, artifact_description, vendor_comments, mitigations } = rule
  const { inspec_control_body, checks, satisfies, version } = rule
  return {
    number,
    version,
    title,
    status,
    rule_severity,
    vuln_discussion,
    fixtext,
    ident,
    status_justification,
    artifact_description,
    vendor_comments,
    mitigations,
    inspec_control_body,
    checks: checks.map(({ content }) => content),
    satisfies: satisfies.map((other) => other.number),
  }
}

const created = z.looseObject({ toast: z.object({ message: z.string() }) })
const preview = z.object({
  updated: z.array(z.unknown()),
  skipped_locked: z.array(z.unknown()),
  unchanged: z.array(z.unknown()),
  warnings: z.array(z.string()),
})

describe.each(['csv', 'excel'] as const)('A component exported as %s', (format) => {
  async function file(): Promise<Buffer> {
    return Buffer.from((await owner.call('GET', `/components/${made.id}/export/${format}`)).bytes)
  }

  it('creates the same component again, or reports the differences', async () => {
    const { status, body } = await owner.call('POST', `/projects/${projectId}/components`, {
      form: {
        file: await file(),
        fileName: 'rules',
        fields: { name: `Pots of ${format}`, title: 'Pots', security_requirements_guide_id: String(made.srgId) },
      },
    })
    expect([status, body]).toMatchObject([200, {}])
    const { id } = await rowOf(service(), 'components', { name: `Pots of ${format}` })
    const [before, after] = [await contentOf(made.id), await contentOf(id)]
    const cut = { inspec_control_body: matching(/^ {2}describe.*Cut here/s) }
    expect(after).toMatchObject(
      before.map((rule, index) => (format === 'excel' && index === 1 ? { ...rule, ...cut } : rule)),
    )
    const lines = created.parse(body).toast.message.split('\n')
    expect(lines.slice(1)).toEqual([
      ...(format === 'excel'
        ? ['Row 3: inspec_control_body was cut when it was exported; the CSV has all of it.']
        : []),
      'Rows 4, 5, 7: another rule satisfies it; its own check and fix are those of the SRG.',
      'Row 7: KETL-00-000001 satisfies it, but the spreadsheet has no such row.',
    ])
  })

  it('causes no change when it updates that component', async () => {
    const path = `/components/${made.id}/preview_spreadsheet_update`
    const { body } = await owner.call('POST', path, { form: { file: await file() } })
    expect(preview.parse(body)).toMatchObject({ updated: [], skipped_locked: [], warnings: [] })
    expect(preview.parse(body).unchanged).toHaveLength(7)
  })
})
