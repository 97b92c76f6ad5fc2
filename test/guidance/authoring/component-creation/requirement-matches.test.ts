import { beforeAll, describe, expect, it } from 'vitest'
import { archiveOf, namedSrg, SAMPLE_RULE } from '../../../support/archive.ts'
import { storeSrg } from '../../../support/authoring.ts'
import { guidanceService } from '../../../support/guidance.ts'
import type { SampleRule } from '../../../support/xccdf-document.ts'
import { create, newScene, type Scene } from '../components/scene.ts'

const guidance = guidanceService()

const VERSION = 'SRG-TEA-000009'

function twin(number: number, title: string): SampleRule {
  return { id: `SV-${number}r1_rule`, group: `V-${number}`, version: VERSION, title }
}

const [FIRST, SECOND, THIRD] = [twin(1, 'First'), twin(2, 'Second'), twin(3, 'Third')]
const OTHER: SampleRule = { id: 'SV-4r1_rule', version: 'SRG-TEA-000001', title: 'Other' }

/** Number, title and source rule of each rule of a component. */
async function rulesOf(name: string): Promise<readonly string[]> {
  const rules = await guidance()
    .service.guidance.database.read.selectFrom('rules')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .innerJoin('benchmark_rules as source', 'source.id', 'rules.srg_rule_id')
    .select(['rules.number', 'rules.title', 'source.rule_id'])
    .where('components.name', '=', name)
    .orderBy('rules.number')
    .execute()
  return rules.map(({ number, title, rule_id }) => `${number} ${title} ${rule_id}`)
}

let copies = 0

async function rebased(before: readonly SampleRule[], after: readonly SampleRule[]): Promise<readonly string[]> {
  const srgId = await storeSrg(guidance(), 'stig', before)
  const newerId = await storeSrg(guidance(), 'stig', after)
  const { owner, made, projectId } = await newScene(guidance(), { srgId })
  copies += 1
  const name = `Copy ${copies}`
  const on = { id: made.id, name, security_requirements_guide_id: newerId }
  expect((await create(owner, projectId, { duplicate: true, ...on })).status).toBe(200)
  return rulesOf(name)
}

describe('Requirements that share an id, in a duplicate on another SRG', () => {
  it('are all kept, each from its own source', async () => {
    expect(await rebased([OTHER, FIRST, SECOND], [SECOND, OTHER, FIRST])).toEqual([
      '1 Other SV-4r1_rule',
      '2 First SV-1r1_rule',
      '3 Second SV-2r1_rule',
    ])
  })

  it('are added where the old SRG had only one', async () => {
    expect(await rebased([OTHER, SECOND], [OTHER, FIRST, SECOND])).toEqual([
      '1 Other SV-4r1_rule',
      '2 Second SV-2r1_rule',
      '3 First SV-1r1_rule',
    ])
  })

  it('are removed where the new SRG has only one', async () => {
    expect(await rebased([FIRST, SECOND], [SECOND])).toEqual(['2 Second SV-2r1_rule'])
  })

  it('are matched by order if their rules have different ids', async () => {
    expect(await rebased([FIRST, SECOND], [THIRD, SECOND])).toEqual(['1 Third SV-3r1_rule', '2 Second SV-2r1_rule'])
  })
})

describe('Requirements that share an id, in an archive', () => {
  let scene: Scene
  let based_on: object

  beforeAll(async () => {
    const srgId = await storeSrg(guidance(), 'stig', [FIRST, SECOND])
    scene = await newScene(guidance())
    based_on = await namedSrg(guidance(), srgId)
  })

  it.each([
    ['rules', { srg_rule_rule_id: 'xccdf_mil.disa.stig_rule_SV-2r1_rule' }, [2, 1]],
    ['groups', { vuln_id: 'V-2' }, [2, 1]],
    ['order', {}, [1, 2]],
  ] as const)('are distinguished by their %s', async (name, members, [first, second]) => {
    const rule = { ...SAMPLE_RULE, title: 'A', srg_rule_version: VERSION }
    const rules = [
      { ...rule, ...members },
      { ...rule, rule_id: '000002' },
    ]
    const form = { file: await archiveOf({ name, based_on }, { rules }) }
    const path = `/projects/${scene.projectId}/import_backup`
    expect((await scene.owner.call('POST', path, { form })).status).toBe(200)
    expect(await rulesOf(name)).toEqual([`1 A SV-${first}r1_rule`, `2 A SV-${second}r1_rule`])
  })
})
