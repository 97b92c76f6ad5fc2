import { beforeAll, describe, expect, it } from 'vitest'
import { inspecControl } from '../../../../src/guidance/authoring/rules/inspec.ts'
import { requireRule, type AuthoredRule } from '../../../../src/guidance/authoring/rules/reader.ts'
import { isLockedFor, sectionOf } from '../../../../src/guidance/authoring/rules/sections.ts'
import { makeComponent } from '../../../support/authoring.ts'
import { guidanceService } from '../../../support/guidance.ts'

const guidance = guidanceService()

let rule: AuthoredRule

beforeAll(async () => {
  const owner = await guidance().signUp('Owner')
  const projectId = await guidance().project(owner)
  const { rules } = await makeComponent(guidance(), owner, { projectId })
  rule = await requireRule(guidance().service.guidance.database.read, rules[0] ?? 0)
})

describe('An InSpec control', () => {
  it("has the texts and tags of the rule and ends with the author's code", () => {
    const text = inspecControl({ ...rule, inspec_control_body: '  describe file("x") do\n  end\n' })
    expect(text).toMatch(/^# encoding: UTF-8\n\ncontrol 'TEAP-00-000001' do\n/)
    expect(text).toContain("  impact 0.7\n  tag severity: 'high'\n  tag gtitle: 'SRG-TEA-000001'\n")
    expect(text).toContain("  tag cci: ['CCI-000366']\n  tag nist: ['CM-6 b']\n")
    expect(text).not.toContain('tag idents')
    expect(inspecControl({ ...rule, ident: 'CCE-80171-4, CCI-000015, CCI-000366, V-1' })).toContain(
      "  tag cci: ['CCI-000015', 'CCI-000366']\n  tag nist: ['AC-2 (1)', 'CM-6 b']\n" +
        "  tag idents: ['CCE-80171-4', 'V-1']\n",
    )
    expect(text).toMatch(/\n {2}describe file\("x"\) do\n {2}end\nend\n$/)
  })

  it('escapes texts so that Ruby evaluates nothing in them', () => {
    const title = String.raw`It's #{exit} \' "quoted" \ `
    const line = inspecControl({ ...rule, title }).split('\n')[3]
    expect(line).toBe(String.raw`  title 'It\'s #{exit} \\\' "quoted" \\ '`)
  })
})

describe('A lock', () => {
  it('of a section locks its fields, and a lock of a rule all fields', () => {
    const locked = { ...rule, locked_fields: '{"Check":true}' }
    expect(sectionOf('checks_attributes.7')).toBe('Check')
    expect(sectionOf('inspec_control_body')).toBeNull()
    expect(isLockedFor(locked, 'checks_attributes.7')).toBe(true)
    expect(isLockedFor(locked, 'title')).toBe(false)
    expect(isLockedFor({ ...rule, locked: 1 }, 'inspec_control_body')).toBe(true)
  })
})
