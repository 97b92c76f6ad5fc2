import { describe, expect, it } from 'vitest'
import { plainText } from '../../src/platform/plain-text.ts'

describe('A text without its markup', () => {
  it.each([
    ['## Heading\nWords', 'Heading Words'],
    ['* one\n* two\n1. three\n> four', 'one two three four'],
    ['A [name](https://example.org/a_b) here', 'A name here'],
    ['An ![image](x.png)', 'An image'],
    ['**Bold** and `code` and __more__', 'Bold and code and more'],
    ['<code>net user</code><br/>is run', 'net user is run'],
    ['```sh\nls\n```\ndone', 'ls done'],
    ['Known.(Citation: Somebody 2020) Since', 'Known. Since'],
    ['  many \n\n blanks\t', 'many blanks'],
    ['a < b > c, x_y, 2 * 3, [1]', 'a < b > c, x_y, 2 * 3, [1]'],
    ['', ''],
  ])('%j', (text, plain) => {
    expect(plainText(text)).toBe(plain)
  })

  it('ends between two words', () => {
    const text = plainText('word '.repeat(1000))
    expect(text).toMatch(/^(?:word )+word$/)
    expect(text.length).toBeGreaterThan(1900)
    expect(text.length).toBeLessThanOrEqual(2000)
  })

  it('is cut also where there is no blank', () => {
    expect(plainText('x'.repeat(10_000))).toHaveLength(2000)
  })

  it.each(['#'.repeat(100_000), '['.repeat(100_000), '<a'.repeat(100_000), '\n '.repeat(100_000)])(
    'takes no time for odd ones (%#)',
    (text) => {
      const start = performance.now()
      plainText(text)
      expect(performance.now() - start).toBeLessThan(200)
    },
  )
})
