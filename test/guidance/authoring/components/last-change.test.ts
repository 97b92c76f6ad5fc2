import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'

const guidance = guidanceService()

const EARLIER = '2020-01-01T00:00:00.000Z'
const MUCH_EARLIER = '2019-01-01T00:00:00.000Z'

const owner = signedIn(guidance, 'Owner')
let projectId: number
let component: MadeComponent

beforeAll(async () => {
  projectId = await guidance().project(owner)
  component = await makeComponent(guidance(), owner, { projectId })
})

const dated = z.object({ updated_at: z.string() })

/** The time that each answer about the component gives. */
async function times(): Promise<readonly string[]> {
  const { id } = component
  const summary = await owner.call('GET', `/api/components/${id}/summary`)
  const view = await owner.call('GET', `/components/${id}`)
  const project = await owner.call('GET', `/projects/${projectId}`)
  const { components } = z.object({ components: z.array(dated) }).parse(project.body)
  return [summary.body, view.body, ...components].map((record) => dated.parse(record).updated_at)
}

async function setTimes(componentTime: string, rulesTime: string): Promise<void> {
  await setRows(guidance(), 'components', { updated_at: componentTime }, { id: component.id })
  await setRows(guidance(), 'rules', { updated_at: rulesTime }, { component_id: component.id })
}

describe('The last change of a component', () => {
  it('is its own change if no rule was changed later', async () => {
    await setTimes(EARLIER, MUCH_EARLIER)
    expect(await times()).toEqual([EARLIER, EARLIER, EARLIER])
  })

  it('is the last change or removal of a rule', async () => {
    const [first = 0, second = 0] = component.rules
    const changes = [
      () => owner.call('PUT', `/rules/${first}`, { body: { rule: { title: 'Another' } } }),
      () => owner.call('DELETE', `/rules/${second}`),
    ]
    for (const change of changes) {
      await setTimes(MUCH_EARLIER, EARLIER)
      expect(await times()).toEqual([EARLIER, EARLIER, EARLIER])
      expect((await change()).status).toBe(200)
      for (const time of await times()) expect(time > '2025').toBe(true)
    }
  })
})
