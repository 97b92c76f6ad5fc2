import { describe, expect, it } from 'vitest'
import { directionOf } from '../../../src/web/application/editor/rule/field/direction.ts'

describe('The direction of a text that is written', () => {
  it.each([
    ['nothing', ''],
    ['English', 'Verify that “sessions” end – after 15 minutes.\n\tAsk.'],
    ['other letters that run from left to right', 'Größe Ελληνικά Русский 漢字 한국어 \u{1F680} e\u0301'],
    ['marks that turn nothing', 'a\u200Eb\u202Ac\u202Cd\u2066e\u2069'],
  ])('is found for %s', (_name, text) => {
    expect(directionOf(text)).toBe('ltr')
  })

  it.each([
    ['Hebrew', 'Title\nשלום'],
    ['Arabic', 'مرحبا'],
    ['forms of Arabic letters', '\uFE8D\uFB50'],
    ['old letters', '\u{10900}'],
    ['Adlam', '\u{1E900}'],
    ['a mark alone', 'a\u200Fb'],
    ['an override', 'a\u202Eb\u202C'],
    ['an isolate that is found by its letters', 'a\u2068b\u2069'],
  ])('is found by browsers in %s', (_name, text) => {
    expect(directionOf(text)).toBe('auto')
  })
})
