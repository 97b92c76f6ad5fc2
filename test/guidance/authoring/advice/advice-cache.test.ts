import { describe, expect, it } from 'vitest'
import { AdviceCache } from '../../../../src/guidance/authoring/advice/advice-cache.ts'
import { makeComponent } from '../../../support/authoring.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'

const service = guidanceService()
const ann = signedIn(service, 'Ann')

describe('The cache of advice', () => {
  it('keeps only as many components as the limit of rules allows', async () => {
    const projectId = await service().project(ann)
    const [a, b] = [
      await makeComponent(service(), ann, { projectId, rules: 3 }),
      await makeComponent(service(), ann, { projectId, rules: 3 }),
    ]
    const { read } = service().service.guidance.database
    const isKept = async (maxRules: number): Promise<boolean> => {
      const cache = new AdviceCache(maxRules)
      const first = await cache.of(read, a.id)
      await cache.of(read, b.id)
      return (await cache.of(read, a.id)) === first
    }
    expect(await isKept(8)).toBe(true)
    expect(await isKept(7)).toBe(false)
  })

  it('names other rules by the current prefix of the component', async () => {
    const projectId = await service().project(ann)
    const { id, rules } = await makeComponent(service(), ann, { projectId, rules: 2 })
    const vuln_discussion = 'The spout of the teapot drips on the tablecloth when tea is poured too fast.'
    const values = { status: 'Applicable - Configurable', vuln_discussion } as const
    await setRows(service(), 'rules', values, { component_id: id })
    const { read } = service().service.guidance.database
    const cache = new AdviceCache()
    const findingsWith = async (prefix: string): Promise<string> => {
      await setRows(service(), 'components', { prefix }, { id })
      return JSON.stringify((await cache.of(read, id)).findingsIn(rules[0] ?? 0))
    }
    expect(await findingsWith('TEAP-00')).toContain('TEAP-00-000002')
    expect(await findingsWith('POTS-00')).toContain('POTS-00-000002')
  })

  it('keeps a component that alone has more rules than the limit', async () => {
    const projectId = await service().project(ann)
    const { id } = await makeComponent(service(), ann, { projectId, rules: 3 })
    const { read } = service().service.guidance.database
    const cache = new AdviceCache(2)
    const first = await cache.of(read, id)
    expect(await cache.of(read, id)).toBe(first)
  })
})
