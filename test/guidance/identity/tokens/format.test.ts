import { describe, expect, it } from 'vitest'
import { isTokenHeader, rawTokenOf } from '../../../../src/guidance/identity/tokens/authenticate.ts'
import { digestToken, mintToken, tokenPrefix } from '../../../../src/guidance/identity/tokens/format.ts'

const BASE_58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

describe('A new token', () => {
  it('consists of svc_ and 36 letters of base 58', () => {
    for (let count = 0; count < 200; count += 1) expect(mintToken()).toMatch(/^svc_[1-9A-HJ-NP-Za-km-z]{36}$/)
  })

  it('uses all letters about equally often', () => {
    const tokens = Array.from({ length: 3000 }, mintToken)
    expect(new Set(tokens).size).toBe(tokens.length)
    const counts = new Map(Array.from(BASE_58, (letter) => [letter, 0]))
    for (const letter of tokens.flatMap((token) => Array.from(token.slice('svc_'.length))))
      counts.set(letter, (counts.get(letter) ?? 0) + 1)
    expect(counts.size).toBe(BASE_58.length)
    const expected = (tokens.length * 36) / BASE_58.length
    const deviations = [...counts.values()].map((count) => (count - expected) ** 2 / expected)
    // Chi-square with 57 degrees of freedom is below 120 but once in a million runs.
    expect(deviations.reduce((sum, deviation) => sum + deviation, 0)).toBeLessThan(120)
  })

  it('is displayed by its first eight characters', () => {
    expect(tokenPrefix('svc_ABCDEFGHIJ')).toBe('svc_ABCD')
  })
})

describe('The digest of a token', () => {
  const key = Buffer.alloc(32, 1)

  it('depends on the token and on the key and contains neither', () => {
    const raw = mintToken()
    const digest = digestToken(raw, key)
    expect(digest).toMatch(/^[\w-]{43}$/)
    expect(digestToken(raw, key)).toBe(digest)
    expect(digestToken(`${raw.slice(0, -1)}!`, key)).not.toBe(digest)
    expect(digestToken(raw, Buffer.alloc(32, 2))).not.toBe(digest)
    expect(digest).not.toContain(raw.slice(4, 12))
  })
})

describe('An Authorization header', () => {
  it.each(['Token abc', 'token abc', 'TOKEN abc', 'Token', 'Token ', ' Token abc', '\tToken abc'])(
    'with %j is treated as a token',
    (header) => {
      expect(isTokenHeader(header)).toBe(true)
    },
  )

  it.each([undefined, '', 'Basic dXNlcjpwYXNz', 'Bearer svc_abc', 'Tokens abc', 'MyToken abc', 'svc_abc'])(
    'with %j is not treated as a token',
    (header) => {
      expect(isTokenHeader(header)).toBe(false)
    },
  )

  it.each([
    ['Token abc', 'abc'],
    ['tOkEn abc', 'abc'],
    ['Token   abc  ', 'abc'],
  ])('with %j contains a token', (header, raw) => {
    expect(rawTokenOf(header)).toBe(raw)
  })

  it.each([
    'Token',
    'Token ',
    'Token  ',
    ' Token abc',
    'Token abc def',
    'Token\tabc',
    'Token:abc',
    'Token=abc',
    'Token a\nb',
  ])('with %j contains no token', (header) => {
    expect(rawTokenOf(header)).toBe('')
  })
})
