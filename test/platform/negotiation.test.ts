import { describe, expect, it } from 'vitest'
import { acceptedCoding, acceptedMediaType, matchesEtag } from '../../src/platform/negotiation.ts'

describe('The accepted coding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.1, gzip;q=0.2', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', 'identity'],
    ['deflate', 'identity'],
    ['GZIP', 'gzip'],
    [',,;q=x', 'identity'],
  ])('of "%s" is %s', (header, coding) => {
    expect(acceptedCoding(header)).toBe(coding)
    expect(acceptedCoding(header)).toBe(coding)
  })
})

describe('The accepted media type', () => {
  it('is the first offered when all are equal, and none when none is accepted', () => {
    expect(acceptedMediaType(undefined, ['text/csv', 'application/json'])).toBe('text/csv')
    expect(acceptedMediaType('image/png', ['text/csv'])).toBeUndefined()
  })
})

describe('If-None-Match', () => {
  it.each([
    [undefined, false],
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
  ])('%s names the tag "a": %s', (header, expected) => {
    expect(matchesEtag(header, '"a"')).toBe(expected)
  })
})
