import { describe, expect, it } from 'vitest'
import {
  emptyDraft,
  edit,
  rebase,
  sendableEdits,
  withSent,
  settle,
  draftValues,
  afterSave,
} from '../../../src/web/application/editor/saving/draft.ts'

const BASE = { title: 'Lid', fixtext: 'Shut it.', documentable: null }

describe('A draft', () => {
  it('has only changed fields, and shows them on top of the others', () => {
    const draft = edit(emptyDraft(3, BASE), 'title', 'The lid')
    expect(sendableEdits(draft)).toEqual({ title: 'The lid' })
    expect(draftValues(draft)).toEqual({ ...BASE, title: 'The lid' })
    expect(sendableEdits(edit(draft, 'title', 'Lid'))).toEqual({})
    expect(sendableEdits(edit(draft, 'documentable', false))).toHaveProperty('documentable', false)
  })

  it('takes over changes of other fields, and sends its own on top', () => {
    const mine = edit(emptyDraft(3, BASE), 'title', 'The lid')
    const draft = rebase(mine, 4, { ...BASE, fixtext: 'Close it.' })
    expect(draftValues(draft)).toMatchObject({ title: 'The lid', fixtext: 'Close it.' })
    expect([draft.version, draft.theirs, sendableEdits(draft)]).toEqual([4, {}, { title: 'The lid' }])
  })

  it('keeps both texts of a field that two people change, until one of them decides', () => {
    const mine = edit(emptyDraft(3, BASE), 'title', 'My lid')
    const conflict = rebase(mine, 4, { ...BASE, title: 'Their lid' })
    expect(sendableEdits(conflict)).toEqual({})
    expect([conflict.before, conflict.theirs, conflict.mine]).toEqual([
      { title: 'Lid' },
      { title: 'Their lid' },
      { title: 'My lid' },
    ])
    const later = rebase(edit(conflict, 'title', 'My own lid'), 5, { ...BASE, title: 'Another lid' })
    expect([later.before, later.theirs]).toEqual([{ title: 'Lid' }, { title: 'Another lid' }])
    expect(sendableEdits(settle(later, 'title', 'mine'))).toEqual({ title: 'My own lid' })
    expect(draftValues(settle(later, 'title', 'theirs'))).toMatchObject({ title: 'Another lid' })
    expect(sendableEdits(rebase(later, 6, { ...BASE, title: 'My own lid' }))).toEqual({})
  })

  it('still has to send text typed during a save', () => {
    const sent = edit(emptyDraft(3, BASE), 'fixtext', 'Shut the lid.')
    const typed = edit(sent, 'fixtext', 'Shut the lid. Then wait.')
    const draft = afterSave(typed, sendableEdits(sent), 4)
    expect(draft.version).toBe(4)
    expect(sendableEdits(draft)).toEqual({ fixtext: 'Shut the lid. Then wait.' })
    expect(sendableEdits(afterSave(sent, sendableEdits(sent), 4))).toEqual({})
  })

  it('recognises its own save if the answer was lost', () => {
    const sent = edit(emptyDraft(3, BASE), 'fixtext', 'Shut the lid.')
    let draft = withSent(sent, sendableEdits(sent))
    for (const ending of ['Then', 'Then wait', 'Then wait a', 'Then wait a while']) {
      draft = edit(draft, 'fixtext', `Shut the lid. ${ending}`)
      draft = withSent(draft, sendableEdits(draft))
    }
    expect(draft.sent).toHaveLength(4)
    const typed = edit(draft, 'fixtext', 'Shut the lid. Then wait a while and look.')
    for (const arrived of ['Shut the lid.', 'Shut the lid. Then wait a while']) {
      const now = rebase(typed, 4, { ...BASE, fixtext: arrived })
      expect([now.theirs, sendableEdits(now)]).toEqual([{}, typed.mine])
    }
    expect(rebase(typed, 4, { ...BASE, fixtext: 'Lift it.' }).theirs).not.toEqual({})
  })

  it('accepts a late answer after another person has changed the field again', () => {
    const sent = withSent(edit(emptyDraft(3, BASE), 'fixtext', 'Mine.'), { fixtext: 'Mine.' })
    const overtaken = rebase(sent, 5, { ...BASE, fixtext: 'Theirs.' })
    const draft = afterSave(overtaken, { fixtext: 'Mine.' }, 4)
    expect([draft.version, draft.mine, draft.theirs]).toEqual([5, {}, {}])
    expect(draftValues(draft)).toMatchObject({ fixtext: 'Theirs.' })
    const typed = afterSave(edit(overtaken, 'fixtext', 'Mine, too.'), { fixtext: 'Mine.' }, 4)
    expect([typed.before, typed.theirs, typed.mine]).toEqual([
      { fixtext: 'Mine.' },
      { fixtext: 'Theirs.' },
      { fixtext: 'Mine, too.' },
    ])
  })

  it('has no conflict any more when the other text is undone', () => {
    const conflict = rebase(edit(emptyDraft(3, BASE), 'title', 'Mine'), 4, { ...BASE, title: 'Theirs' })
    const back = rebase(conflict, 5, BASE)
    expect([back.theirs, sendableEdits(back)]).toEqual([{}, { title: 'Mine' }])
  })

  it('ignores older answers and differences of line ends and blanks', () => {
    const draft = edit(emptyDraft(3, { ...BASE, fixtext: 'One\r\ntwo' }), 'title', 'The lid')
    expect(rebase(draft, 2, { title: 'Old' })).toBe(draft)
    const isSameValue = rebase(edit(draft, 'fixtext', 'One\ntwo'), 4, { ...BASE, fixtext: 'One\r\ntwo' })
    expect([sendableEdits(isSameValue), isSameValue.theirs]).toEqual([{ title: 'The lid' }, {}])
    expect(sendableEdits(edit(emptyDraft(1, { poam: null }), 'poam', ''))).toEqual({})
  })
})
