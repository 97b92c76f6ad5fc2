import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cklPieces } from '../../../../../src/guidance/catalogue/checklists/ckl.ts'
import { cklbPieces } from '../../../../../src/guidance/catalogue/checklists/cklb.ts'
import { componentChecklist } from '../../../../../src/guidance/interchange/exports/checklists/component-checklist.ts'
import type { ExportedComponent } from '../../../../../src/guidance/interchange/exports/component/component.ts'
import { descriptionOf } from '../../../../../src/guidance/interchange/exports/component/discussion.ts'
import { recordOf } from '../../../../../src/platform/records.ts'
import { namesOf } from '../../../../../src/tables/field-lists.ts'
import { FIELDS } from '../../../../../src/tables/fields.ts'
import { guidanceService } from '../../../../support/guidance.ts'
import { makeTeapot, read } from '../teapot.ts'

const guidance = guidanceService()
const OPTIONS = { mode: 'working_copy', date: new Date('2026-01-05T10:00:00.000Z') } as const

const TIMES = { createdAt: '2026-01-02T10:00:00.000Z', updatedAt: '2026-01-03T10:00:00.000Z' }

let exported: ExportedComponent

/** One rule, each of its texts being the name of its field. */
beforeAll(async () => {
  const owner = await guidance().signUp('Owner', { admin: true })
  const projectId = await guidance().project(owner)
  const made = await makeTeapot(guidance(), owner, { projectId })
  const found = await read(guidance(), made.id)
  const texts = recordOf(namesOf(FIELDS.filter((field) => field.kind === 'text')), (name) => name)
  const [rule] = found.rules
  if (rule === undefined) throw new Error('There is no rule')
  const times = { created_at: TIMES.createdAt, updated_at: TIMES.updatedAt }
  const rules = [{ ...rule, ...texts, ...times, documentable: 0, satisfies: [], satisfiedBy: [] }]
  exported = { ...found, rules }
})

describe('Fields of a rule', () => {
  it('have the names and the order of STIG Viewer 2 in a CKL', () => {
    const text = [...cklPieces(componentChecklist(exported, OPTIONS))].join('')
    const attributes = /<VULN_ATTRIBUTE>(\w+)<\/VULN_ATTRIBUTE><ATTRIBUTE_DATA>([^<]*)<\/ATTRIBUTE_DATA>/g
    const pairs = [...text.matchAll(attributes)].map(([, name, value]) => `${name}: ${value}`)
    expect(pairs.slice(6, 20)).toEqual([
      'Vuln_Discuss: vuln_discussion',
      'IA_Controls: ia_controls',
      'Check_Content: Check of the SRG 1',
      'Fix_Text: fixtext',
      'False_Positives: false_positives',
      'False_Negatives: false_negatives',
      'Documentable: false',
      'Mitigations: mitigations',
      'Potential_Impact: potential_impacts',
      'Third_Party_Tools: third_party_tools',
      'Mitigation_Control: mitigation_control',
      'Responsibility: responsibility',
      'Security_Override_Guidance: severity_override_guidance',
      'Check_Content_Ref: M',
    ])
  })

  it('have the names and the order of STIG Viewer 3 in a CKLB', () => {
    const rules = z.tuple([z.record(z.string(), z.unknown())])
    const checklist = z.object({ stigs: z.tuple([z.object({ rules })]) })
    const { stigs } = checklist.parse(JSON.parse([...cklbPieces(componentChecklist(exported, OPTIONS))].join('')))
    expect(Object.entries(stigs[0].rules[0]).slice(14, 27)).toEqual([
      ['fix_text', 'fixtext'],
      ['false_positives', 'false_positives'],
      ['false_negatives', 'false_negatives'],
      ['mitigations', 'mitigations'],
      ['potential_impacts', 'potential_impacts'],
      ['third_party_tools', 'third_party_tools'],
      ['mitigation_control', 'mitigation_control'],
      ['responsibility', 'responsibility'],
      ['security_override_guidance', 'severity_override_guidance'],
      ['ia_controls', 'ia_controls'],
      ['discussion', 'vuln_discussion'],
      ['check_content', 'Check of the SRG 1'],
      ['documentable', 'false'],
    ])
    expect(stigs[0].rules[0]).toMatchObject(TIMES)
  })

  it("have DISA's tags in the usual order in XCCDF", () => {
    const [rule] = exported.rules
    expect(rule && descriptionOf(rule)).toBe(
      '<VulnDiscussion>vuln_discussion</VulnDiscussion>' +
        '<FalsePositives>false_positives</FalsePositives>' +
        '<FalseNegatives>false_negatives</FalseNegatives>' +
        '<Documentable>false</Documentable>' +
        '<Mitigations>mitigations</Mitigations>' +
        '<SeverityOverrideGuidance>severity_override_guidance</SeverityOverrideGuidance>' +
        '<PotentialImpacts>potential_impacts</PotentialImpacts>' +
        '<ThirdPartyTools>third_party_tools</ThirdPartyTools>' +
        '<MitigationControl>mitigation_control</MitigationControl>' +
        '<Responsibility>responsibility</Responsibility>' +
        '<IAControls>ia_controls</IAControls>',
    )
  })
})
