import { describe, expect, it } from 'vitest'
import { findOutdated } from '../../../../src/guidance/authoring/components/outdated.ts'
import { makeComponent } from '../../../support/authoring.ts'
import { store } from '../../../support/catalogue.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { markReleased, newcomer } from './scene.ts'

const guidance = guidanceService()

describe('Components on an older release of their SRG', () => {
  it('are unreleased components whose SRG has a newer release', async () => {
    const { read } = guidance().service.guidance.database
    const client = await newcomer(guidance())
    const projectId = await guidance().project(client)
    const srg = { id: 'Kettle_SRG', kind: 'srg', rules: 2 } as const
    const srgId = await store(guidance(), { ...srg, version: '1' })
    const make = (name: string, srgOf: number) => makeComponent(guidance(), client, { projectId, srgId: srgOf, name })
    await make('Behind', srgId)
    const done = await make('Done', srgId)
    await markReleased(guidance(), done.id)
    expect(await findOutdated(read)).toEqual([])
    const newer = await store(guidance(), { ...srg, version: '2' })
    await make('Current', newer)
    const found = await findOutdated(read)
    expect(found.map(({ component, basedOn, newest }) => [component, basedOn, newest])).toEqual([
      ['Behind', 'Kettle_SRG V1R1', 'V2R1'],
    ])
  })
})
