// @module-tag database

import { describe, expect, it } from 'vitest'
import { merging, shortOf } from './merges.ts'

const { component, edit, exported, merge, rule } = merging()

/** All exports that can be merged, with the name of their format in a plan. */
const FORMATS = [
  ['excel', '', 'spreadsheet'],
  ['disa_excel', '', 'spreadsheet'],
  ['csv', '', 'spreadsheet'],
  ['xccdf', '', 'xccdf'],
  ['xccdf', '?version=1.2&mode=working_copy', 'xccdf'],
  ['ckl', '?mode=working_copy', 'ckl'],
  ['cklb', '?mode=working_copy', 'cklb'],
  ['json_archive', '', 'archive'],
] as const

describe('An export that comes back', () => {
  it.each([...FORMATS, ['inspec', '', 'inspec']] as const)(
    'as %s%s without edits changes nothing',
    async (type, query, format) => {
      const made = await component()
      const plan = await merge(made, await exported(made, type, query))
      expect([plan.format, shortOf(plan), plan.unmatched, plan.renumbered]).toEqual([format, [], [], []])
      expect(plan.counts.unchanged).toBeGreaterThan(0)
      expect(plan.base).toEqual({ source: type === 'csv' ? 'history' : 'file', until: null })
    },
  )

  it.each(FORMATS)('as %s%s does not undo later edits of the component', async (type, query) => {
    const made = await component()
    const file = await exported(made, type, query)
    const [first] = made.rules
    await editAll(first)
    const plan = await merge(made, file)
    expect(plan.fields.map(({ field, outcome }) => [field, outcome])).toEqual([
      ['title', 'ours'],
      ['fixtext', 'ours'],
      ...(type === 'ckl' || type === 'cklb' || type === 'xccdf' || type === 'disa_excel'
        ? []
        : [['vendor_comments', 'ours']]),
      ['check_content', 'ours'],
    ])
    expect(plan.base.until).not.toBe(null)
    expect((await rule(first)).title).toBe('Edited here.')
  })
})

async function editAll(ruleId: number | undefined): Promise<void> {
  const { checks } = await rule(ruleId)
  await edit(ruleId, {
    title: 'Edited here.',
    fixtext: 'A fix\nof two lines.',
    vendor_comments: 'None.',
    checks_attributes: [{ id: checks[0]?.id, content: 'Another check.' }],
  })
}
