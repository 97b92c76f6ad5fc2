import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  applyEdits,
  editsOf,
  excerptOf,
  shownEdits,
  wholeEdit,
} from '../../../../src/guidance/authoring/rule-bulk/excerpt.ts'
import { matcher } from '../../../../src/guidance/authoring/rule-bulk/texts.ts'

const words = fc
  .array(fc.constantFrom('lid', 'pot', 'Lid', '😀', 'lidlid', 'a long word that fills the line'), { maxLength: 60 })
  .map((parts) => parts.join(' '))

describe('The excerpt of a replacement', () => {
  it('differs in the replaced matches only', () => {
    fc.assert(
      fc.property(words, fc.constantFrom('cover', 'x', '', '$&'), (text, replace) => {
        const edits = editsOf(text, matcher('lid', { caseSensitive: false, wholeWords: false }), replace)
        const { before, after } = excerptOf(text, edits)
        expect(after).toBe(before.replaceAll(/lid/gi, () => replace))
        expect(before.match(/lid/gi)?.length ?? 0).toBe(edits.length)
        expect(() => encodeURIComponent(before)).not.toThrow()
        expect(applyEdits(text, edits)).toBe(text.replaceAll(/lid/gi, () => replace))
      }),
    )
  })

  it('shows each edit between texts that stay', () => {
    fc.assert(
      fc.property(words, fc.constantFrom('cover', 'x', '', '$&'), (text, replace) => {
        const edits = editsOf(text, matcher('lid', { caseSensitive: false, wholeWords: true }), replace)
        for (const { at, lead, before, after, trail } of shownEdits(text, edits)) {
          expect(text.slice(at - lead.length, at + before.length + trail.length)).toBe(lead + before + trail)
          expect(before.toLowerCase()).toBe('lid')
          expect(after).toBe(replace)
          expect(() => encodeURIComponent(lead + trail)).not.toThrow()
        }
        expect(applyEdits(text, edits)).toBe(text.replaceAll(/\blid\b/gi, () => replace))
      }),
    )
  })

  it('of an undone text begins and ends with the text that both versions share', () => {
    fc.assert(
      fc.property(words, words, (text, after) => {
        expect(applyEdits(text, [wholeEdit(text, after)])).toBe(after)
      }),
    )
    const text = `${'a'.repeat(100)}lid${'b'.repeat(100)}`
    expect(excerptOf(text, [wholeEdit(text, text.replace('lid', 'cover'))])).toEqual({
      before: `${'a'.repeat(60)}lid${'b'.repeat(60)}`,
      after: `${'a'.repeat(60)}cover${'b'.repeat(60)}`,
    })
  })
})
