import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rulesInOrder, storeSrg } from '../../../support/authoring.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type SessionClient } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'
import type { SampleRule } from '../../../support/xccdf-document.ts'
import { create, createGood, newcomer, newScene } from '../components/scene.ts'

const guidance = guidanceService()

function requirement(number: number, title: string, severity = 'medium'): SampleRule {
  return { id: `SV-${number}r1_rule`, group: `V-${number}`, version: `SRG-TEA-00000${number}`, title, severity }
}

const BEFORE = [1, 2, 3, 4, 5, 6].map((number) => requirement(number, `Requirement ${number}`))
const AFTER = [
  requirement(1, 'Requirement 1, said otherwise', 'high'),
  requirement(2, 'Requirement 2, said otherwise'),
  requirement(3, 'Requirement 3'),
  requirement(6, 'Requirement 6'),
  requirement(7, 'Requirement 7'),
  requirement(8, 'Requirement 8'),
]

const descriptions = z.array(z.object({ id: z.int() }))

const preview = z.object({
  unchanged: z.int(),
  rules: z.array(
    z.object({
      id: z.int(),
      rule_id: z.string(),
      choices: z.array(z.string()),
      requirement_changes: z.array(z.unknown()),
      text_changes: z.array(z.unknown()),
      other_changes: z.array(z.unknown()),
    }),
  ),
  added: z.array(z.object({ id: z.int(), requirement: z.string() })),
})

describe('A copy on another SRG', () => {
  let owner: SessionClient
  let component = 0
  let projectId = 0
  let newer = 0
  let shown: z.infer<typeof preview>

  beforeAll(async () => {
    const srgId = await storeSrg(guidance(), 'stig', BEFORE)
    newer = await storeSrg(guidance(), 'stig', AFTER)
    const scene = await newScene(guidance(), { srgId })
    ;({ owner, projectId } = scene)
    component = scene.made.id
    for (const [number, values] of [
      [1, { status: 'Applicable - Configurable', title: 'Own 1' }],
      [4, { status: 'Applicable - Configurable', title: 'Own 4' }],
      [6, { title: 'Written over' }],
    ] as const)
      await setRows(guidance(), 'rules', values, { component_id: component, number })
    const { status, body } = await owner.call('GET', `/api/components/${component}/rebase?srg=${newer}`)
    expect(status).toBe(200)
    shown = preview.parse(body)
  })

  /** Name, title and severity of each rule of the copy. */
  async function copied(rebase?: unknown): Promise<readonly string[]> {
    const on = { duplicate: true, id: component, security_requirements_guide_id: newer }
    const id = await createGood(owner, projectId, { ...on, rebase, prefix: 'TEAP-00' })
    const rows = await rulesInOrder(guidance(), id)
    return rows.map(({ number, title, rule_severity }) => `${number} ${title} ${rule_severity}`)
  }

  function idOf(number: number): number {
    return shown.rules.find((rule) => rule.rule_id.endsWith(String(number)))?.id ?? 0
  }

  it('previews the possible decisions and the default', () => {
    expect(shown).toEqual({
      unchanged: 1,
      rules: [
        expect.objectContaining({
          rule_id: 'TEAP-00-000001',
          choices: ['keep', 'take'],
          text_changes: [{ field: 'title', before: 'Own 1', after: 'Requirement 1, said otherwise' }],
          other_changes: [{ field: 'rule_severity', before: 'medium', after: 'high' }],
        }),
        expect.objectContaining({ rule_id: 'TEAP-00-000002', choices: ['take', 'keep'] }),
        expect.objectContaining({ rule_id: 'TEAP-00-000004', choices: ['keep', 'remove'] }),
        expect.objectContaining({ rule_id: 'TEAP-00-000005', choices: ['remove', 'keep'] }),
        expect.objectContaining({
          rule_id: 'TEAP-00-000006',
          choices: ['keep', 'take'],
          requirement_changes: [],
        }),
      ],
      added: [
        expect.objectContaining({ requirement: 'SRG-TEA-000007' }),
        expect.objectContaining({ requirement: 'SRG-TEA-000008' }),
      ],
    })
  })

  it('follows the announced defaults without decisions', async () => {
    expect(await copied()).toEqual([
      '1 Own 1 high',
      '2 Requirement 2, said otherwise medium',
      '3 Requirement 3 medium',
      '4 Own 4 medium',
      '6 Written over medium',
      '7 Requirement 7 medium',
      '8 Requirement 8 medium',
    ])
  })

  it('follows the decision on each rule', async () => {
    const rules = { [idOf(1)]: 'take', [idOf(2)]: 'keep', [idOf(4)]: 'remove', [idOf(5)]: 'keep', [idOf(6)]: 'keep' }
    expect(await copied({ rules, leave_out: [shown.added[0]?.id] })).toEqual([
      '1 Requirement 1, said otherwise high',
      '2 Requirement 2 medium',
      '3 Requirement 3 medium',
      '5 Requirement 5 medium',
      '6 Written over medium',
      '7 Requirement 8 medium',
    ])
  })

  it('rejects impossible decisions', async () => {
    const on = { duplicate: true, id: component, security_requirements_guide_id: newer }
    const cases = [
      [{ ...on, rebase: { rules: { [idOf(1)]: 'remove' } } }, `remove rule ${idOf(1)}`],
      [{ ...on, rebase: { rules: { 999999: 'keep' } } }, 'keep rule 999999'],
      [{ ...on, rebase: { leave_out: [999999] } }, 'Not new requirements: 999999'],
      [{ ...on, rebase: { rules: { x: 'keep' } } }, 'rebase'],
      [{ duplicate: true, id: component, rebase: {} }, 'Decisions can only be given for a copy on another SRG'],
    ] as const
    for (const [body, says] of cases) {
      const answer = await create(owner, projectId, body)
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([422, containing(says)])
    }
  })

  it('keeps a severity that its author has overridden, with its guidance', async () => {
    const srgId = await storeSrg(guidance(), 'stig', BEFORE)
    const { owner: author, made, projectId: place } = await newScene(guidance(), { srgId })
    const guidanceText = { severity_override_guidance: 'Low where nobody is near.' }
    for (const rule of made.rules.slice(0, 2)) {
      const { body } = await author.call('GET', `/rules/${rule}`)
      const attributes = z.looseObject({ disa_rule_descriptions_attributes: descriptions })
      const [parts] = attributes.parse(body).disa_rule_descriptions_attributes
      const changed = await author.call('PUT', `/rules/${rule}`, {
        body: {
          rule: { rule_severity: 'low', disa_rule_descriptions_attributes: [{ id: parts?.id, ...guidanceText }] },
        },
      })
      expect(changed.status).toBe(200)
    }
    const address = `/api/components/${made.id}/rebase?srg=${newer}`
    const shownThen = preview.parse((await author.call('GET', address)).body)
    expect(shownThen.rules.flatMap((rule) => rule.other_changes)).toEqual([])
    const on = { duplicate: true, id: made.id, security_requirements_guide_id: newer }
    const id = await createGood(author, place, on)
    const rows = await rulesInOrder(guidance(), id)
    expect(rows.slice(0, 3)).toMatchObject([
      { title: 'Requirement 1, said otherwise', rule_severity: 'low', ...guidanceText },
      { title: 'Requirement 2, said otherwise', rule_severity: 'low', ...guidanceText },
      { title: 'Requirement 3', rule_severity: 'medium', severity_override_guidance: null },
    ])
  })

  it('of an SRG keeps its texts unless a decision says otherwise', async () => {
    const core = await storeSrg(guidance(), 'srg', BEFORE)
    const next = await storeSrg(guidance(), 'srg', AFTER)
    const { owner: author, made, projectId: place } = await newScene(guidance(), { srgId: core, kind: 'srg' })
    const address = `/api/components/${made.id}/rebase?srg=${next}`
    const { rules } = preview.parse((await author.call('GET', address)).body)
    expect(rules.map(({ choices }) => choices[0])).toEqual(['keep', 'keep', 'keep', 'keep'])
    const on = { duplicate: true, id: made.id, security_requirements_guide_id: next }
    const decided = { [rules[0]?.id ?? 0]: 'take', [rules[2]?.id ?? 0]: 'remove' }
    const id = await createGood(author, place, { ...on, rebase: { rules: decided } })
    const rows = await rulesInOrder(guidance(), id)
    expect(rows.map(({ title, rule_severity }) => `${title} ${rule_severity}`)).toEqual([
      'Requirement 1, said otherwise high',
      'Requirement 2 medium',
      'Requirement 3 medium',
      'Requirement 5 medium',
      'Requirement 6 medium',
      'Requirement 7 medium',
      'Requirement 8 medium',
    ])
  })

  it('is previewed for readers of the component, with existing SRGs only', async () => {
    const stranger = await newcomer(guidance())
    const address = `/api/components/${component}/rebase`
    expect((await stranger.call('GET', `${address}?srg=${newer}`)).status).toBe(404)
    expect((await owner.call('GET', `${address}?srg=999999`)).status).toBe(404)
    expect((await owner.call('GET', address)).status).toBe(400)
  })
})
