import { describe, expect, it } from 'vitest'
import {
  begin,
  edit,
  rebase,
  sendable,
  sending,
  settle,
  shownOf,
  stored,
} from '../../../src/web/application/editor/saving/draft.ts'

const BASE = { title: 'Lid', fixtext: 'Shut it.', documentable: null }

describe('A draft', () => {
  it('has only changed fields, and shows them on top of the others', () => {
    const draft = edit(begin(3, BASE), 'title', 'The lid')
    expect(sendable(draft)).toEqual({ title: 'The lid' })
    expect(shownOf(draft)).toEqual({ ...BASE, title: 'The lid' })
    expect(sendable(edit(draft, 'title', 'Lid'))).toEqual({})
    expect(sendable(edit(draft, 'documentable', false))).toHaveProperty('documentable', false)
  })

  it('takes over changes of other fields, and sends its own on top', () => {
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

  it('still has to send text typed during a save', () => {
    const sent = edit(begin(3, BASE), 'fixtext', 'Shut the lid.')
    const typed = edit(sent, 'fixtext', 'Shut the lid. Then wait.')
    const draft = stored(typed, sendable(sent), 4)
    expect(draft.version).toBe(4)
    expect(sendable(draft)).toEqual({ fixtext: 'Shut the lid. Then wait.' })
    expect(sendable(stored(sent, sendable(sent), 4))).toEqual({})
  })

  it('recognises its own save if the answer was lost', () => {
    const sent = edit(begin(3, BASE), 'fixtext', 'Shut the lid.')
    let draft = sending(sent, sendable(sent))
    for (const more of ['Then', 'Then wait', 'Then wait a', 'Then wait a while']) {
      draft = edit(draft, 'fixtext', `Shut the lid. ${more}`)
      draft = sending(draft, sendable(draft))
    }
    expect(draft.sent).toHaveLength(4)
    const typed = edit(draft, 'fixtext', 'Shut the lid. Then wait a while and look.')
    for (const arrived of ['Shut the lid.', 'Shut the lid. Then wait a while']) {
      const now = rebase(typed, 4, { ...BASE, fixtext: arrived })
      expect([now.theirs, sendable(now)]).toEqual([{}, typed.mine])
    }
    expect(rebase(typed, 4, { ...BASE, fixtext: 'Lift it.' }).theirs).not.toEqual({})
  })

  it('accepts a late answer after another person has changed the field again', () => {
    const sent = sending(edit(begin(3, BASE), 'fixtext', 'Mine.'), { fixtext: 'Mine.' })
    const overtaken = rebase(sent, 5, { ...BASE, fixtext: 'Theirs.' })
    const draft = stored(overtaken, { fixtext: 'Mine.' }, 4)
    expect([draft.version, draft.mine, draft.theirs]).toEqual([5, {}, {}])
    expect(shownOf(draft)).toMatchObject({ fixtext: 'Theirs.' })
    const typed = stored(edit(overtaken, 'fixtext', 'Mine, too.'), { fixtext: 'Mine.' }, 4)
    expect([typed.before, typed.theirs, typed.mine]).toEqual([
      { fixtext: 'Mine.' },
      { fixtext: 'Theirs.' },
      { fixtext: 'Mine, too.' },
    ])
  })

  it('has no conflict any more when the other text is undone', () => {
    const both = rebase(edit(begin(3, BASE), 'title', 'Mine'), 4, { ...BASE, title: 'Theirs' })
    const back = rebase(both, 5, BASE)
    expect([back.theirs, sendable(back)]).toEqual([{}, { title: 'Mine' }])
  })

  it('ignores older answers and differences of line ends and blanks', () => {
    const draft = edit(begin(3, { ...BASE, fixtext: 'One\r\ntwo' }), 'title', 'The lid')
    expect(rebase(draft, 2, { title: 'Old' })).toBe(draft)
    const same = rebase(edit(draft, 'fixtext', 'One\ntwo'), 4, { ...BASE, fixtext: 'One\r\ntwo' })
    expect([sendable(same), same.theirs]).toEqual([{ title: 'The lid' }, {}])
    expect(sendable(edit(begin(1, { poam: null }), 'poam', ''))).toEqual({})
  })
})
