import { describe, expect, it } from 'vitest'
import { FORM_FIELDS } from '../../../src/tables/field-lists.ts'
import { groupFields, hasSomething } from '../../../src/web/application/editor/rule/field-groups.ts'
import { bodyOf, storedIn, type RuleForm } from '../../../src/web/application/editor/rule/values.ts'
import {
  readOnlyReason,
  isMissing,
  visibleFields,
  type RuleState,
} from '../../../src/web/application/editor/rule/visible-fields.ts'

const STATUSES = [
  'Not Yet Determined',
  'Applicable - Configurable',
  'Applicable - Inherently Meets',
  'Applicable - Does Not Meet',
  'Not Applicable',
]

const form: RuleForm = {
  document_type: 'stig',
  advanced_fields: false,
  lock_version: 0,
  statuses: STATUSES,
  sections: [],
  additional_questions: [],
  fields: FORM_FIELDS.map((field) => ({
    ...field,
    asked: field.required?.by ?? [],
    when: field.form.when,
    shown: Object.fromEntries(STATUSES.map((status, index) => [status, field.form.stig[index] ?? 'hidden'])),
  })),
}

const RULE_STATE: RuleState = {
  readOnlyReason: null,
  status: 'Applicable - Configurable',
  lockedSections: [],
  satisfiedBy: [],
  srgSeverity: 'medium',
  isAdvanced: false,
}
const VALUES = { rule_severity: 'medium', mitigations_available: null }

function shown(ruleState: Partial<RuleState>, values = {}): readonly string[] {
  return visibleFields(form.fields, { ...VALUES, ...values }, { ...RULE_STATE, ...ruleState }).map(
    ({ field, reason }) => `${field.name}${reason === null ? '' : '?'}`,
  )
}

describe('The fields of a rule', () => {
  it('are those of its status', () => {
    expect(shown({ status: 'Not Yet Determined' })).toEqual([
      'status',
      'rule_severity?',
      'title?',
      'vuln_discussion?',
      'content?',
      'fixtext?',
    ])
    expect(shown({})).toEqual([
      'status',
      'rule_severity',
      'title',
      'vuln_discussion',
      'content',
      'fixtext',
      'vendor_comments',
      'inspec_control_body',
    ])
    expect(shown({ status: 'Applicable - Inherently Meets' })).toEqual([
      'status',
      'rule_severity',
      'title?',
      'status_justification',
      'artifact_description',
      'vendor_comments',
    ])
    expect(shown({ status: 'Not Applicable' })).toEqual([
      'status',
      'rule_severity?',
      'title?',
      'status_justification',
      'artifact_description',
      'vendor_comments',
    ])
  })

  it('are folded away where few rules need them', () => {
    const keys = (status: string, isAdvanced = false) =>
      groupFields(visibleFields(form.fields, VALUES, { ...RULE_STATE, status, isAdvanced }), status).map(
        ({ key, fields }) => `${key}: ${fields.map(({ field }) => field.name).join(' ')}`,
      )
    expect(keys('Not Yet Determined')).toHaveLength(1)
    expect(keys(RULE_STATE.status)[1]).toBe('more: vendor_comments inspec_control_body')
    expect(keys('Not Applicable')[1]).toBe('more: vendor_comments')
    expect(keys(RULE_STATE.status, true)[0]).not.toContain('documentable')
    expect(keys(RULE_STATE.status, true)[1]).toContain('documentable')
  })

  it('are unfolded where one of them has something to see', () => {
    const fields = visibleFields(form.fields, VALUES, RULE_STATE)
    expect(hasSomething(fields, [{}, {}])).toBe(false)
    expect(hasSomething(fields, [{ vendor_comments: '' }, {}])).toBe(false)
    expect(hasSomething(fields, [{ vendor_comments: 'Seen.' }, {}])).toBe(true)
    expect(hasSomething(fields, [{}, { vendor_comments: 'Theirs.' }])).toBe(true)
  })

  it('depend on severity, mitigations and advanced fields', () => {
    const status = 'Applicable - Does Not Meet'
    expect(shown({ status })).toEqual([
      'status',
      'rule_severity',
      'title?',
      'status_justification',
      'mitigations_available',
      'poam_available',
      'poam',
      'vendor_comments',
    ])
    expect(shown({ status }, { mitigations_available: true, rule_severity: 'low' })).toEqual([
      'status',
      'rule_severity',
      'severity_override_guidance',
      'title?',
      'status_justification',
      'mitigations_available',
      'mitigations',
      'mitigation_control',
      'vendor_comments',
    ])
    expect(shown({ isAdvanced: true })).toEqual(expect.arrayContaining(['ident', 'documentable']))
  })

  it('say why they can only be read', () => {
    const reasons = (ruleState: Partial<RuleState>) =>
      visibleFields(form.fields, VALUES, { ...RULE_STATE, ...ruleState }).flatMap(({ field, reason }) =>
        reason === null ? [] : [`${field.name}: ${reason}`],
      )
    expect(reasons({ lockedSections: ['Fix'] })).toEqual(['fixtext: The section Fix is locked.'])
    const satisfied = { satisfiedBy: ['TEAP-00-000002'], status: STATUSES[3] ?? '' }
    expect(reasons(satisfied)).toHaveLength(shown(satisfied).length)
    expect(reasons(satisfied)).toContain('content: Satisfied by TEAP-00-000002.')
    const open = { locked: false, review_requestor_id: null, released: false, isSiteAdmin: false, person: 7 }
    expect(readOnlyReason({ ...open, role: 'author' })).toBe(null)
    expect(readOnlyReason({ ...open, role: 'viewer' })).toMatch('viewer')
    expect(readOnlyReason({ ...open, role: 'author', locked: true })).toMatch('locked')
    expect(readOnlyReason({ ...open, role: 'author', review_requestor_id: 1 })).toMatch('review')
    const asked = { ...open, review_requestor_id: 7 }
    expect(readOnlyReason({ ...asked, role: 'author' })).toMatch('Withdraw the request')
    expect(readOnlyReason({ ...asked, person: 8, role: 'admin' })).toMatch('Withdraw the request')
    expect(readOnlyReason({ ...asked, person: 8, role: 'reviewer' })).not.toMatch('Withdraw the')
    expect(readOnlyReason({ ...open, role: 'admin', released: true })).toMatch('released')
    expect(reasons({ readOnlyReason: 'The rule is locked.' })).toHaveLength(8)
  })

  it('are marked as missing if the status requires them', () => {
    const missing = (name: string, status: string, values = {}): boolean[] =>
      form.fields
        .filter((field) => field.name === name)
        .map((field) => isMissing(field, { ...VALUES, ...values }, { ...RULE_STATE, status }))
    expect(missing('content', 'Applicable - Configurable')).toEqual([true])
    expect(missing('content', 'Applicable - Configurable', { content: 'Look.' })).toEqual([false])
    expect(missing('severity_override_guidance', 'Not Applicable')).toEqual([false])
    const other = { rule_severity: 'high' }
    expect(missing('severity_override_guidance', 'Applicable', other)).toEqual([true])
  })

  it('are read from the answer and written back to the same place', () => {
    const rule = {
      id: 4,
      lock_version: 7,
      title: 'Lid',
      status: 'Not Applicable',
      disa_rule_descriptions_attributes: [{ id: 4, vuln_discussion: 'Cold.', documentable: true }],
      checks_attributes: [
        { id: 8, content: 'Look.' },
        { id: 9, content: 'Again.' },
      ],
      additional_answers_attributes: [{ id: 1, additional_question_id: 5, answer: 'Yes' }],
    }
    const stored = storedIn(rule, form)
    expect(stored?.version).toBe(7)
    expect(stored?.values).toMatchObject({
      title: 'Lid',
      vuln_discussion: 'Cold.',
      documentable: true,
      content: 'Look.',
      'content#9': 'Again.',
      'answer#5': 'Yes',
      poam: null,
    })
    const changes = { title: 'A', vuln_discussion: 'B', content: 'C', 'content#9': 'D' }
    expect(bodyOf({ ...changes, 'answer#5': 'No' }, form, rule)).toEqual({
      title: 'A',
      disa_rule_descriptions_attributes: [{ vuln_discussion: 'B' }],
      checks_attributes: [
        { id: 8, content: 'C' },
        { id: 9, content: 'D' },
      ],
      additional_answers_attributes: [{ additional_question_id: 5, answer: 'No' }],
    })
    expect(storedIn({ title: 'No rule' }, form)).toBe(null)
  })
})
