// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import type { FeedPosition, SearchFeed } from '../../../src/contracts/search-feed.ts'
import { openFeed } from '../../../src/guidance/search-feed/feed-module.ts'
import { SEARCHED_COLUMNS, SEARCHED_DISCUSSION } from '../../../src/tables/field-lists.ts'
import { makeComponent } from '../../support/authoring.ts'
import { addRow, setRows } from '../../support/guidance-records.ts'
import { guidanceService } from '../../support/guidance.ts'
import { changesAfter } from './follower.ts'

const service = guidanceService()

let feed: SearchFeed
let ruleId: number
let srgId: number

beforeAll(async () => {
  feed = await openFeed(service().service.guidance.searchFeed.data)
  const ann = await service().signUp('Ann')
  const projectId = await service().project(ann)
  const srg = [{ id: 'SV-1r1_rule', version: 'SRG-TEA-000001' }]
  const made = await makeComponent(service(), ann, { projectId, rules: srg })
  ruleId = made.rules[0] ?? 0
  srgId = made.srgId
  return () => feed.close()
})

async function positionNow(): Promise<FeedPosition> {
  return (await changesAfter(feed, null)).position
}

describe('A searched field', () => {
  it.each(SEARCHED_COLUMNS)('is indexed again when its author changes it: %s', async (name) => {
    const before = await positionNow()
    const text = `Kettles whistle in ${name}`
    await setRows(service(), 'rules', { [name]: text }, { id: ruleId })
    const key = { kind: 'authored-rule', id: ruleId } as const
    expect((await changesAfter(feed, before)).records).toEqual([key])
    const [record] = await feed.records([key])
    expect([record?.title, ...(record?.fixes ?? []), ...(record?.texts ?? [])]).toContain(text)
    expect((await feed.texts([key])).get(`authored-rule ${ruleId}`)).toContainEqual({ field: name, text })
  })

  it('has the checks of a rule in their order', async () => {
    const contents = ['Look.', 'Look again.']
    for (const content of contents) await addRow(service(), 'rule_checks', { rule_id: ruleId, content })
    const key = { kind: 'authored-rule', id: ruleId } as const
    const texts = (await feed.texts([key])).get(`authored-rule ${ruleId}`) ?? []
    expect(texts.filter(({ field }) => field === 'check').slice(-2)).toEqual(
      contents.map((text) => ({ field: 'check', text })),
    )
  })

  it.each(SEARCHED_DISCUSSION)('is indexed again when it changes in the catalogue: %s', async (name) => {
    const before = await positionNow()
    const text = `Kettles whistle in ${name}`
    await setRows(service(), 'benchmark_rules', { [name]: text }, { benchmark_id: srgId })
    expect((await changesAfter(feed, before)).benchmarks).toEqual([srgId])
    const [id = 0] = await feed.rulesOf(srgId)
    const key = { kind: 'requirement', id } as const
    expect((await feed.records([key]))[0]?.texts).toContain(text)
    expect((await feed.texts([key])).get(`requirement ${id}`)).toContainEqual({ field: name, text })
  })
})
