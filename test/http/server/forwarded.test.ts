// @module-tag node

import { describe, expect, it } from 'vitest'
import { tidyForwarded } from '../../../src/http/server/forwarded.ts'

function tidied(value: string): string | undefined {
  const headers: Record<string, string> = { 'x-forwarded-for': value }
  tidyForwarded({ headers })
  return headers['x-forwarded-for']
}

describe('X-Forwarded-For', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['192.0.2.1:4711,  192.0.2.2:1', '192.0.2.1, 192.0.2.2'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['"[2001:db8::1]:4711"', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
  ])('of %s is %s', (value, expected) => {
    expect(tidied(value)).toBe(expected)
  })

  it.each([
    ['junk, 192.0.2.1:80', '192.0.2.1'],
    ['192.0.2.9, unknown, 192.0.2.1', '192.0.2.1'],
    ['192.0.2.9, _hidden', undefined],
    ['unknown', undefined],
    ['192.0.2.1:port', undefined],
    ['999.0.2.1:80', undefined],
    ['[192.0.2.1', undefined],
    ['', undefined],
    [', ,', undefined],
    [':'.repeat(10_000), undefined],
  ])('of %s is trusted up to the first entry that is not an address', (value, expected) => {
    expect(tidied(value)).toBe(expected)
  })
})
