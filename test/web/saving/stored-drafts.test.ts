import { beforeAll, describe, expect, it, vi } from 'vitest'
import { computed } from 'vue'
import { emptyDraft, edit, type Draft } from '../../../src/web/application/editor/saving/draft.ts'
import type * as StoredDrafts from '../../../src/web/application/editor/saving/stored-drafts.ts'
import { fillStorage, storage, stubBrowser } from './stub-browser.ts'

const LOCATION = { person: 1, component: 2, rule: 3 }
const DRAFT = edit(emptyDraft(1, { title: 'Lid', fixtext: 'Shut it.' }), 'title', 'The lid')
const STORED: Draft = { ...DRAFT, base: { title: 'Lid' } }

stubBrowser()

let drafts: typeof StoredDrafts
beforeAll(async () => {
  drafts = await import('../../../src/web/application/editor/saving/stored-drafts.ts')
})

function store(key: string): void {
  storage[`parapet.draft.${key}`] = JSON.stringify(STORED)
}

async function titlesOfClosedWindows(): Promise<readonly unknown[]> {
  const found = drafts.findAbandonedDrafts(LOCATION)
  await vi.advanceTimersByTimeAsync(600)
  return (await found).map(({ draft }) => draft.mine.title)
}

describe('Drafts in a browser', () => {
  it('are stored with the former values of edited fields, until they have no edits', () => {
    expect(drafts.storeDraft(LOCATION, DRAFT)).toBe(true)
    expect(drafts.findDraft(LOCATION)).toEqual(STORED)
    expect(drafts.storeDraft(LOCATION, edit(DRAFT, 'title', 'Lid'))).toBe(true)
    expect(drafts.findDraft(LOCATION)).toBeNull()
  })

  it('are not stored without space', () => {
    fillStorage()
    expect(drafts.storeDraft(LOCATION, DRAFT)).toBe(false)
  })

  it('are taken over after a reload, but not what a duplicate of the window writes later', async () => {
    store('1.2.3.earlier')
    expect(drafts.findDraft(LOCATION)).toEqual(STORED)
    const later = { ...STORED, mine: { title: 'Two lids' } }
    storage['parapet.draft.1.2.3.earlier'] = JSON.stringify(later)
    expect(await titlesOfClosedWindows()).toEqual(['Two lids'])
    expect(drafts.findDraft(LOCATION)?.mine).toEqual(later.mine)
    expect(await titlesOfClosedWindows()).toEqual([])
    expect(Object.keys(storage)).toEqual([])
  })

  it('belong to one rule', async () => {
    for (const key of ['1.2.3.closed', '1.2.30.closed', '1.20.3.closed', '10.2.3.closed']) store(key)
    expect(drafts.draftsOf(LOCATION)).toHaveLength(1)
    expect(await titlesOfClosedWindows()).toEqual(['The lid'])
    drafts.forgetDrafts(LOCATION)
    expect(Object.keys(storage)).toHaveLength(3)
  })

  it('belong to one person', () => {
    for (const key of ['1.2.3.a', '1.2.3.b', '1.2.4.a', '1.5.6.a', '7.2.8.a']) store(key)
    expect(drafts.draftLocations(1)).toEqual([
      { component: 2, rule: 3 },
      { component: 2, rule: 4 },
      { component: 5, rule: 6 },
    ])
    expect([...drafts.rulesWithDrafts({ person: 1, component: 2 })]).toEqual([3, 4])
  })

  it('are listed as soon as they are stored or removed', () => {
    const count = computed(() => drafts.draftLocations(1).length)
    expect(count.value).toBe(0)
    drafts.storeDraft(LOCATION, DRAFT)
    expect(count.value).toBe(1)
    drafts.forgetDrafts(LOCATION)
    expect(count.value).toBe(0)
  })

  it('of an earlier page without windows are found', async () => {
    store('1.2.3')
    expect(await titlesOfClosedWindows()).toEqual(['The lid'])
  })

  it.each(['{', '[]', '{"version":"1"}', 'null'])('are ignored if they cannot be read: %s', (text) => {
    storage['parapet.draft.1.2.3.closed'] = text
    expect(drafts.draftsOf(LOCATION)).toEqual([])
  })

  it('have texts, flags and nulls only', () => {
    const mine = { title: 'The lid', documentable: true, fixtext: null, other: 5, more: {} }
    storage['parapet.draft.1.2.3.closed'] = JSON.stringify({ ...STORED, mine, sent: [mine] })
    const kept = { title: 'The lid', documentable: true, fixtext: null }
    expect(drafts.draftsOf(LOCATION)).toMatchObject([{ mine: kept, sent: [kept] }])
  })
})
