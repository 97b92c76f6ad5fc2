import { describe, expect, it } from 'vitest'
import { mergeTexts } from '../../../src/guidance/parts/three-way.ts'

describe('mergeTexts', () => {
  const base = 'One.\nTwo.\n\nThree.'

  it.each([
    ['of one', 'One!\nTwo.\n\nThree.', base, 'One!\nTwo.\n\nThree.'],
    ['of the other', base, 'One.\nTwo.\n\nThree!', 'One.\nTwo.\n\nThree!'],
    ['of both, elsewhere', 'One!\nTwo.\n\nThree.', 'One.\nTwo.\n\nThree!', 'One!\nTwo.\n\nThree!'],
    ['of both, the same', 'One!\nTwo.\n\nThree.', 'One!\nTwo.\n\nThree.', 'One!\nTwo.\n\nThree.'],
    ['of the ends of lines alone', base.replaceAll('\n', '\r\n'), 'One.\nTwo?\n\nThree.', 'One.\nTwo?\n\nThree.'],
  ])('joins changes %s', (_, ours, theirs, joined) => {
    expect(mergeTexts({ base, ours: ours, theirs: theirs })).toBe(joined)
  })

  it('refuses two changes of the same line', () => {
    expect(mergeTexts({ base, ours: base.replace('Two.', 'Two!'), theirs: base.replace('Two.', 'Two?') })).toBeNull()
    expect(mergeTexts({ base: '', ours: 'one', theirs: 'two' })).toBeNull()
  })

  it('joins long texts, and refuses those whose lines are all alike', () => {
    const long = Array.from({ length: 3000 }, (_, index) => `Line ${index}.`).join('\n')
    expect(mergeTexts({ base: long, ours: `${long}\nLast.`, theirs: `First.\n${long}` })).toBe(`First.\n${long}\nLast.`)
    const [base, ours, theirs] = [5000, 5001, 5002].map((count) => 'a\n'.repeat(count))
    expect(mergeTexts({ base: base ?? '', ours: ours ?? '', theirs: theirs ?? '' })).toBeNull()
  })
})
