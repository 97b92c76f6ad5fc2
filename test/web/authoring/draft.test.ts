import { describe, expect, it } from 'vitest'
import {
  begin,
  edit,
  rebase,
  sendable,
  settle,
  shownOf,
  stored,
} from '../../../src/web/application/editor/saving/draft.ts'

const BASE = { title: 'Lid', fixtext: 'Shut it.', documentable: null }

describe('A draft', () => {
  it('has only what is written differently, and shows it on top of the rest', () => {
    const draft = edit(begin(3, BASE), 'title', 'The lid')
    expect(sendable(draft)).toEqual({ title: 'The lid' })
    expect(shownOf(draft)).toEqual({ ...BASE, title: 'The lid' })
    expect(sendable(edit(draft, 'title', 'Lid'))).toEqual({})
    expect(sendable(edit(draft, 'documentable', false))).toHaveProperty('documentable', false)
  })

  it('takes over what others change elsewhere, and sends its own on top', () => {
    const mine = edit(begin(3, BASE), 'title', 'The lid')
    const draft = rebase(mine, 4, { ...BASE, fixtext: 'Close it.' })
    expect(shownOf(draft)).toMatchObject({ title: 'The lid', fixtext: 'Close it.' })
    expect([draft.version, draft.theirs, sendable(draft)]).toEqual([4, {}, { title: 'The lid' }])
  })

  it('keeps both texts of a field that two people change, until one of them decides', () => {
    const mine = edit(begin(3, BASE), 'title', 'My lid')
    const both = rebase(mine, 4, { ...BASE, title: 'Their lid' })
    expect(sendable(both)).toEqual({})
    expect([both.before, both.theirs, both.mine]).toEqual([
      { title: 'Lid' },
      { title: 'Their lid' },
      { title: 'My lid' },
    ])
    const later = rebase(edit(both, 'title', 'My own lid'), 5, { ...BASE, title: 'Another lid' })
    expect([later.before, later.theirs]).toEqual([{ title: 'Lid' }, { title: 'Another lid' }])
    expect(sendable(settle(later, 'title', 'mine'))).toEqual({ title: 'My own lid' })
    expect(shownOf(settle(later, 'title', 'theirs'))).toMatchObject({ title: 'Another lid' })
    expect(sendable(rebase(later, 6, { ...BASE, title: 'My own lid' }))).toEqual({})
  })

  it('still has to send what is typed while it is being saved', () => {
    const sent = edit(begin(3, BASE), 'fixtext', 'Shut the lid.')
    const typed = edit(sent, 'fixtext', 'Shut the lid. Then wait.')
    const draft = stored(typed, sendable(sent), 4)
    expect(draft.version).toBe(4)
    expect(sendable(draft)).toEqual({ fixtext: 'Shut the lid. Then wait.' })
    expect(sendable(stored(sent, sendable(sent), 4))).toEqual({})
  })

  it('knows no older answer, and no other end of line or blank, as a change', () => {
    const draft = edit(begin(3, { ...BASE, fixtext: 'One\r\ntwo' }), 'title', 'The lid')
    expect(rebase(draft, 2, { title: 'Old' })).toBe(draft)
    const same = rebase(edit(draft, 'fixtext', 'One\ntwo'), 4, { ...BASE, fixtext: 'One\r\ntwo' })
    expect([sendable(same), same.theirs]).toEqual([{ title: 'The lid' }, {}])
    expect(sendable(edit(begin(1, { poam: null }), 'poam', ''))).toEqual({})
  })
})
