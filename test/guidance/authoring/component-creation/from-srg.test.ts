import { describe, expect, it } from 'vitest'
import { findRules, ofComponent } from '../../../../src/guidance/authoring/rules/reader.ts'
import { makeComponent } from '../../../support/authoring.ts'
import { guidanceService } from '../../../support/guidance.ts'

const service = guidanceService()

describe('A component from an SRG', () => {
  it('has one complete rule for each requirement, ordered by requirement id', async () => {
    const guidance = service()
    const ann = await guidance.signUp('Ann')
    const projectId = await guidance.project(ann)
    const { id } = await makeComponent(guidance, ann, {
      projectId,
      rules: [
        { id: 'SV-2r1_rule', version: 'SRG-TEA-000002', severity: 'high', cci: ['CCI-000366', 'CCI-000015'] },
        { id: 'SV-1r1_rule', version: 'SRG-TEA-000001', legacy: ['V-1', 'SV-1'], checks: ['Look.'], fix: 'Pour.' },
      ],
    })
    const rules = await findRules(guidance.service.guidance.database.read, ofComponent(id))
    expect(rules).toMatchObject([
      {
        number: 1,
        version: 'SRG-TEA-000001',
        status: 'Not Yet Determined',
        fixtext: 'Pour.',
        legacy_ids: 'V-1, SV-1',
        prefix: 'TEAP-00',
        checks: [{ content: 'Look.' }],
      },
      {
        number: 2,
        version: 'SRG-TEA-000002',
        rule_severity: 'high',
        ident: 'CCI-000015, CCI-000366',
        ident_system: 'http://cyber.mil/cci',
      },
    ])
  })
})
