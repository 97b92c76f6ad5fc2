import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MadeComponent } from '../../../support/authoring.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { setRows } from '../../../support/guidance-records.ts'
import type { Answer } from '../../../support/guidance.ts'
import { zipOf } from '../../../support/zip.ts'
import { unzip } from '../exports/unzip.ts'
import { merging, shortOf } from './merges.ts'

const { act, component, edit, exported, guidance, merge, own, rule } = merging()

const CODE = `  only_if('Only with a lid', impact: 0.0) {
    file('/lid').exist?
  }

  describe file('/lid') do
    it { should exist } # not "end"
  end`

function control(name: string, tags: Readonly<Record<string, string>>, code = CODE): string {
  const lines = Object.entries(tags).map(([tag, value]) => `  tag ${tag}: '${value}'`)
  return [
    `control '${name}' do`,
    `  title 'Of ${name}.'`,
    "  desc 'check', %q(Look at (all of) it,\nor do not.)",
    '  impact 0.5',
    ...lines,
    "  tag 'host'",
    '',
    code,
    'end',
    '',
  ].join('\n')
}

/** Controls that name rules of the teapot in each way, and some that name none. */
const PROFILE = {
  'pot/inspec.yml': 'name: pot\ninputs:\n  - name: lid\n',
  'pot/controls/1.rb': control('SV-1', { stig_id: 'TEAP-00-000001', gtitle: 'SRG-TEA-000001-POT-000001' }),
  'pot/controls/2.rb': control('SV-2', { gid: 'V-90002' }),
  'pot/controls/3.rb': control('SV-90003', { rid: 'SV-90003r7_rule', stig_id: 'ELSE-01-000003' }),
  'pot/controls/4.rb': control('pot-4', { gtitle: 'SRG-TEA-000004-POT-000004' }),
  'pot/controls/5.rb': control('TEAP-00-000005', {}),
  'pot/controls/6.rb': control('TEAP-00-000006', {}, ''),
  'pot/controls/7.rb':
    control('again', { stig_id: 'TEAP-00-000001' }) + control('unknown', { gtitle: 'SRG-ABC-000001' }),
  'pot/libraries/lid.rb': "control 'TEAP-00-000002' do\n",
}

async function numbered(): Promise<MadeComponent> {
  const made = await component()
  await setRows(guidance(), 'rules', { vuln_id: 'V-90002' }, { id: made.rules[1] ?? 0 })
  await setRows(guidance(), 'rules', { source_rule_id: 'SV-90003r3_rule' }, { id: made.rules[2] ?? 0 })
  return made
}

function send(made: MadeComponent, file: string, fileName = 'pot.rb'): Promise<Answer> {
  return own().client.call('POST', `/components/${made.id}/merges`, { form: { file, fileName, fields: {} } })
}

describe('An InSpec profile', () => {
  it('is matched by STIG id, number, SRG id and name, and gives rules its code', async () => {
    const made = await numbered()
    const [first, second, third, fourth, fifth, sixth] = made.rules
    const plan = await merge(made, await zipOf(PROFILE))
    expect(plan.format).toBe('inspec')
    const field = 'inspec_control_body'
    expect(shortOf(plan)).toEqual([
      [first, field, 'conflict'],
      [second, field, 'theirs'],
      [third, field, 'theirs'],
      [fourth, field, 'theirs'],
      [fifth, field, 'theirs'],
    ])
    expect(plan.unmatched.map(({ place, reason, stig_id }) => [place, reason, stig_id])).toEqual([
      ['pot/controls/7.rb, line 1', 'repeated', 'TEAP-00-000001'],
      ['pot/controls/7.rb, line 17', 'unknown', 'unknown'],
    ])
    expect(plan.renumbered.map(({ rule_id, stig_id }) => [rule_id, stig_id])).toEqual([
      [third, 'ELSE-01-000003'],
      [fourth, 'pot-4'],
    ])
    expect(plan.warnings).toEqual([
      expect.stringContaining('1 files in "libraries"'),
      expect.stringContaining('inputs'),
      '1 controls have no code and change nothing: TEAP-00-000006',
    ])
    const body = { decisions: [{ rule_id: first, take: 'theirs' }] }
    await own().client.call('PATCH', `/components/${made.id}/merges/${plan.id}/decisions`, { body })
    expect((await act(made, plan.id, 'apply')).status).toBe(200)
    for (const id of [first, second, third, fourth, fifth])
      expect((await rule(id)).inspec_control_body).toBe(`  tag 'host'\n\n${CODE}`)
    expect((await rule(sixth)).inspec_control_body).toBe(null)
    const again = await merge(made, await zipOf(PROFILE))
    expect(shortOf(again)).toEqual([])
  })

  it('is unchanged after an export, except for edited code', async () => {
    const made = await component()
    const [first, second] = made.rules
    await edit(first, { inspec_control_body: `tag 'host'\ntag severity: 'x'\nref 'a'\n${CODE}\n\n` })
    await edit(second, { inspec_control_file: control('TEAP-00-000002', { gtitle: 'x' }) })
    const file = await exported(made, 'inspec')
    const plan = await merge(made, file)
    expect([shortOf(plan), plan.unmatched, plan.missing, plan.renumbered]).toEqual([[], [], [], []])
    expect(plan.base).toEqual({ source: 'file', until: null })
    const members = [...(await unzip(file))].map(([name, text]) => [name, text.replace('not "end"', 'edited')] as const)
    const edited = await merge(made, await zipOf(Object.fromEntries(members)))
    expect(shortOf(edited)).toEqual([[first, 'inspec_control_body', 'theirs']])
    expect(edited.warnings).toContainEqual(expect.stringContaining('TEAP-00-000002 has a control file of its own'))
  })

  it('is the same as a zip, a .tar.gz and single files', async () => {
    const made = await numbered()
    const folder = await temporaryFolder()
    const deep = `${'1234567890'.repeat(6)}/${'1234567890'.repeat(6)}`
    for (const [name, text] of Object.entries(PROFILE)) {
      const path = join(folder, name.replace('pot', deep))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    const zipped = await merge(made, await zipOf(PROFILE))
    for (const format of ['gnu', 'pax', 'ustar']) {
      const tar = execFileSync('tar', ['cz', `--format=${format}`, '-C', folder, '1234567890'.repeat(6)])
      const plan = await merge(made, tar)
      expect([plan.fields, plan.counts]).toEqual([zipped.fields, zipped.counts])
    }
    const single = await send(made, PROFILE['pot/controls/2.rb'].replaceAll('\n', '\r\n'), 'V-90002.RB')
    expect(single.body).toMatchObject({ counts: { theirs: 1 }, fields: [{ theirs: `  tag 'host'\n\n${CODE}` }] })
  })

  it('leaves locked rules as they are', async () => {
    const made = await numbered()
    await setRows(guidance(), 'rules', { locked: 1 }, { id: made.rules[1] ?? 0 })
    const { id, fields } = await merge(made, await zipOf({ '2.rb': PROFILE['pot/controls/2.rb'] }))
    expect(fields).toMatchObject([{ blocked: 'locked' }])
    expect((await act(made, id, 'apply')).body).toMatchObject({ rules: [], skipped: [{ reason: 'locked' }] })
    expect((await rule(made.rules[1])).inspec_control_body).toBe(null)
  })

  it.each([
    ["control 'a' do\n  describe 'b' do\nend", 'Line 1: What begins here has no "end".'],
    ["control 'a' do\nend\nend", 'Line 3: This "end" closes nothing.'],
    ["control 'a' do\n\n  x = <<~B\nend", 'Line 3: The text that begins here has no line "B" at its end.'],
    ["control 'a' do\n  title %q{b\nend", 'Line 2: The text that begins here with { has no end.'],
    [`x = ${'"#{'.repeat(10_000)}`, 'Line 1: Texts with code are nested too deeply.'],
    ['('.repeat(100_000), 'Line 1: Blocks and brackets are nested too deeply.'],
    ["=begin\ncontrol 'a' do\nend", 'Line 1: The comment has no =end.'],
    ["control 'TEAP-00-000001' do\n  puts '\u0001'\nend", 'Line 1: U+0001 at position 9 of a text cannot be stored.'],
    [
      `control 'TEAP-00-000001' do\n  puts '${'x'.repeat(50_000)}'\nend`,
      'Line 1: inspec_control_body is longer than the limit of 50,000 characters.',
    ],
    ["puts 'control'", 'No rule of the file is a rule of this component. It has no rules.'],
  ])('is refused with the line: %j', async (code, detail) => {
    const made = await component()
    const { status, body } = await send(made, code)
    expect([status, body]).toMatchObject([422, { code: 'merge_unusable', detail }])
  })

  it('names the file in which code is faulty', async () => {
    const made = await component()
    const file = await zipOf({ ...PROFILE, 'pot/controls/9.rb': '\n}' })
    const { status, body } = await own().client.call('POST', `/components/${made.id}/merges`, {
      form: { file, fileName: 'pot.zip', fields: {} },
    })
    expect([status, body]).toMatchObject([422, { detail: 'pot/controls/9.rb, line 2: This "}" closes nothing.' }])
  })
})
