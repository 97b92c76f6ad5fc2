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
  ])('joins changes %s', (_, one, other, joined) => {
    expect(mergeTexts(base, one, other)).toBe(joined)
  })

  it('refuses two changes of the same line', () => {
    expect(mergeTexts(base, base.replace('Two.', 'Two!'), base.replace('Two.', 'Two?'))).toBeNull()
    expect(mergeTexts('', 'one', 'two')).toBeNull()
  })

  it('joins long texts, and refuses those whose lines are all alike', () => {
    const long = Array.from({ length: 3000 }, (_, at) => `Line ${at}.`).join('\n')
    expect(mergeTexts(long, `${long}\nLast.`, `First.\n${long}`)).toBe(`First.\n${long}\nLast.`)
    const begun = performance.now()
    expect(mergeTexts('a\n'.repeat(5000), 'a\n'.repeat(5001), 'a\n'.repeat(5002))).toBeNull()
    expect(performance.now() - begun).toBeLessThan(50)
  })
})
