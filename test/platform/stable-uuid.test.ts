import { describe, expect, it } from 'vitest'
import { stableUuid } from '../../src/platform/stable-uuid.ts'

describe('A stable UUID', () => {
  it('has version 8 and the variant of RFC 9562 for any text', () => {
    for (let index = 0; index < 64; index += 1)
      expect(stableUuid(`text ${index}`)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      )
  })

  it('depends on the text alone', () => {
    expect(stableUuid('a')).toBe(stableUuid('a'))
    expect(stableUuid('a')).not.toBe(stableUuid('b'))
  })
})
