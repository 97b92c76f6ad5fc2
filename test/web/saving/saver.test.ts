import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Problem } from '../../../src/web/application/client/problem.ts'
import type { SavedValues, Values } from '../../../src/web/application/editor/saving/draft.ts'
import type * as Saving from '../../../src/web/application/editor/saving/saver.ts'
import { fillStorage, storage, stubBrowser } from './stub-browser.ts'

const LOCATION = { person: 1, component: 2, rule: 3 }
const VALUES = { title: 'Lid', fixtext: 'Shut it.' }
const REFUSED = new Problem(422, { code: 'validation_failed', errors: [{ field: 'title', message: 'is blank' }] })
const CONFLICT = new Problem(409, { code: 'edit_conflict' })

stubBrowser()

let RuleSaver: typeof Saving.RuleSaver
beforeAll(async () => {
  const module = await import('../../../src/web/application/editor/saving/saver.ts')
  RuleSaver = module.RuleSaver
})

type Send = (changes: Values, version: number) => Promise<number>

function newSaver(send: Send, current: SavedValues | null = null): Saving.RuleSaver {
  const saver = new RuleSaver({ location: LOCATION, send, readCurrent: () => current, onSaved: () => undefined })
  saver.load({ version: 1, values: VALUES })
  return saver
}

/** A sender that refuses blank titles, and its calls. */
function refusingSender() {
  return vi.fn<Send>((changes, version) =>
    changes.title === '' ? Promise.reject(REFUSED) : Promise.resolve(version + 1),
  )
}

describe('The saver of a rule', () => {
  it('sends other edits again without one that is refused', async () => {
    const send = refusingSender()
    const saver = newSaver(send)
    saver.edit('title', '')
    saver.edit('fixtext', 'Close it.')
    await vi.advanceTimersByTimeAsync(5000)
    expect(send.mock.calls).toEqual([
      [{ title: '', fixtext: 'Close it.' }, 1],
      [{ fixtext: 'Close it.' }, 1],
    ])
    expect([saver.state.value, saver.problem.value]).toEqual(['refused', REFUSED])
  })

  it('sends a refused edit again on request', async () => {
    const send = refusingSender()
    const saver = newSaver(send)
    saver.edit('title', '')
    await vi.advanceTimersByTimeAsync(5000)
    expect(send).toHaveBeenCalledTimes(1)
    await saver.save()
    expect(send).toHaveBeenCalledTimes(2)
  })

  it('sends one change after the other, and none twice', async () => {
    const answers: ((version: number) => void)[] = []
    const send = vi.fn<Send>(() => new Promise((resolve) => answers.push(resolve)))
    const saver = newSaver(send)
    saver.edit('title', 'The lid')
    const saves = [saver.save(), saver.save()]
    saver.edit('fixtext', 'Close it.')
    saves.push(saver.save())
    answers[0]?.(2)
    await vi.advanceTimersByTimeAsync(5000)
    expect(send.mock.calls).toEqual([
      [{ title: 'The lid' }, 1],
      [{ fixtext: 'Close it.' }, 2],
    ])
    answers[1]?.(3)
    await Promise.all(saves)
    expect(saver.state.value).toBe('saved')
  })

  it('is not saved while an edit of the meantime waits', async () => {
    let answer = (_version: number): void => undefined
    const saver = newSaver(() => new Promise((resolve) => (answer = resolve)))
    saver.edit('title', 'The lid')
    void saver.save()
    saver.edit('fixtext', 'Close it.')
    answer(2)
    await vi.advanceTimersByTimeAsync(0)
    expect(saver.state.value).toBe('waiting')
  })

  it('does not take the same text of somebody else for its own after a conflict', async () => {
    const send = vi.fn<Send>(() => Promise.reject(CONFLICT))
    const saver = newSaver(send, { version: 2, values: { ...VALUES, fixtext: 'Closed.' } })
    saver.edit('title', 'The lid')
    await saver.save()
    saver.edit('title', 'The lid!')
    saver.load({ version: 3, values: { title: 'The lid', fixtext: 'Closed.' } })
    expect(saver.draft.value?.theirs).toEqual({ title: 'The lid' })
  })

  it.each([true, false])('removes the draft of a closed window only if it can store it: %j', async (hasSpace) => {
    const key = 'parapet.draft.1.2.3.closed'
    storage[key] = JSON.stringify({ version: 1, base: VALUES, mine: { title: 'The lid' } })
    const saver = newSaver(() => new Promise(() => undefined))
    if (!hasSpace) fillStorage()
    await vi.advanceTimersByTimeAsync(600)
    expect(saver.draft.value?.mine).toEqual({ title: 'The lid' })
    expect(key in storage).toBe(!hasSpace)
  })
})
