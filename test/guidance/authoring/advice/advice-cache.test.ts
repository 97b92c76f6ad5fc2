import { describe, expect, it } from 'vitest'
import { AdviceCache } from '../../../../src/guidance/authoring/advice/advice-cache.ts'
import { makeComponent } from '../../../support/authoring.ts'
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

  it('keeps a component that alone has more rules than the limit', async () => {
    const projectId = await service().project(ann)
    const { id } = await makeComponent(service(), ann, { projectId, rules: 3 })
    const { read } = service().service.guidance.database
    const cache = new AdviceCache(2)
    const first = await cache.of(read, id)
    expect(await cache.of(read, id)).toBe(first)
  })
})
